// bitwise_or: every pair of bytes bit by bit, f32 refused.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/bitwise_or.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::expect_every_pair, test::expect_one_channel_serves_all, test::row_of, test::samples_of;

TEST(BitwiseOr, every_pair_of_bytes) {
  constexpr int kTable = 14;  // bit 2 p + q is the result of the bits p and q
  expect_every_pair(BitwiseOr{}, [](int a, int b) {
    int result = 0;
    for (int k = 0; k < 8; ++k) result += (kTable >> (2 * (a >> k & 1) + (b >> k & 1)) & 1) << k;
    return result;
  });
}

TEST(BitwiseOr, of_u16) {
  const Image a = row_of<std::uint16_t>({0x0fff, 0xff00}), b = row_of<std::uint16_t>({0xff00, 0x00ff});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(BitwiseOr{}, {&a, &b})), (std::vector<std::uint16_t>{0xffff, 0xffff}));
}

TEST(BitwiseOr, one_channel_serves_all) {
  expect_one_channel_serves_all<std::uint8_t>(BitwiseOr{});
  expect_one_channel_serves_all<std::uint16_t>(BitwiseOr{});
}

TEST(BitwiseOr, refuses_f32) {
  const Image a = row_of<float>({1});
  try {
    apply(BitwiseOr{}, a, a);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "bitwise_or: does not take f32, only u8, u16");
  }
}

}  // namespace
}  // namespace zp
