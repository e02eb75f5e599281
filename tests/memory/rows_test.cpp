// Overlap and containment of pitched rows, against sets of addresses.
// SPDX-License-Identifier: Apache-2.0
#include "memory/rows.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace zp::memory {
namespace {

std::set<std::uintptr_t> bytes_of(const Rows& rows) {
  std::set<std::uintptr_t> bytes;
  for (std::size_t y = 0; y < rows.rows; ++y)
    for (std::size_t x = 0; x < rows.row_bytes; ++x) bytes.insert(rows.base + y * rows.pitch + x);
  return bytes;
}

Rows random_rows(std::mt19937& random, bool same_pitch) {
  const std::size_t row_bytes = 1 + random() % 6;
  const std::size_t pitch = same_pitch ? 9 : row_bytes + random() % 5;
  const std::size_t rows = 1 + random() % 5;
  return Rows::of(reinterpret_cast<void*>(std::uintptr_t(1000 + random() % 40)), row_bytes, rows, pitch);
}

TEST(Rows, WithoutPaddingAreOneRun) {
  const Rows rows = Rows::of(reinterpret_cast<void*>(std::uintptr_t(64)), 10, 7, 10);
  EXPECT_EQ(rows.rows, 1u);
  EXPECT_EQ(rows.row_bytes, 70u);
  EXPECT_EQ(rows.span(), 70u);
}

TEST(Rows, OverlapExactlyWhereAByteIsInBoth) {
  std::mt19937 random(7);
  int overlaps = 0, apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const Rows a = random_rows(random, i % 2 == 0), b = random_rows(random, i % 2 == 0);
    const auto in_a = bytes_of(a), in_b = bytes_of(b);
    bool shared = false;
    for (auto byte : in_a) shared = shared || in_b.count(byte) != 0;
    ASSERT_EQ(overlap(a, b), shared) << a.base << " " << a.row_bytes << "x" << a.rows << "/" << a.pitch << " and "
                                     << b.base << " " << b.row_bytes << "x" << b.rows << "/" << b.pitch;
    ++(shared ? overlaps : apart);
  }
  EXPECT_GT(overlaps, 1000);
  EXPECT_GT(apart, 1000);
}

TEST(Rows, LocatedRowsAreTheSameBytesInATightCopy) {
  std::mt19937 random(8);
  int located = 0;
  for (int i = 0; i < 20000; ++i) {
    const Rows inner = random_rows(random, i % 2 == 0), outer = random_rows(random, i % 2 == 0);
    std::map<std::uintptr_t, std::size_t> place;  // of each byte of the outer rows in their copy
    std::size_t next = 0;
    for (std::size_t y = 0; y < outer.rows; ++y)
      for (std::size_t x = 0; x < outer.row_bytes; ++x) place[outer.base + y * outer.pitch + x] = next++;
    const auto found = locate(inner, outer);
    if (!found) continue;
    ++located;
    for (std::size_t y = 0; y < inner.rows; ++y)
      for (std::size_t x = 0; x < inner.row_bytes; ++x) {
        const auto at = place.find(inner.base + y * inner.pitch + x);
        ASSERT_NE(at, place.end());
        ASSERT_EQ(at->second, found->offset + y * found->pitch + x);
      }
  }
  EXPECT_GT(located, 500);
}

TEST(Rows, ARectangleIsLocatedInItsPlane) {
  const Rows plane = Rows::of(reinterpret_cast<void*>(std::uintptr_t(4096)), 10, 8, 16);
  const Rows inside = Rows::of(reinterpret_cast<void*>(std::uintptr_t(4096 + 2 * 16 + 3)), 4, 5, 16);
  const auto found = locate(inside, plane);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->offset, 23u);  // row 2 of 10 bytes, column 3
  EXPECT_EQ(found->pitch, 10u);
  const Rows beside = Rows::of(reinterpret_cast<void*>(std::uintptr_t(4096 + 8)), 4, 5, 16);
  EXPECT_FALSE(locate(beside, plane));
  EXPECT_TRUE(overlap(beside, plane));
}

}  // namespace
}  // namespace zp::memory
