// Memory does not grow with every new size (case A18), and large planes keep 64-bit offsets (case A11).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <random>

#include "device/runtime.h"
#include "memory/context.h"
#include "support/everywhere.h"
#include "zeroplane/operations.h"

namespace zp::test {
namespace {

TEST(CaseA18, ThousandSizesStayWithinThePoolsLimit) {
  const At at({"simulated:discrete", "", Executor::simulated});
  auto& control = *device::simulated_control(*memory::context()->runtime);
  control.set_delay(0);
  const PoolReport host = host_pool_report(), scratch = scratch_pool_report();
  constexpr std::size_t kLimit = std::size_t(4) << 20;
  set_pool_limits(kLimit, kLimit);
  std::mt19937 random(18);
  const Image in = noise({64, 64, 1, Format::u8});
  std::size_t largest = 0;
  for (int k = 0; k < 1000; ++k) {
    const Resize resize{.width = int(random() % 512) + 1, .height = int(random() % 512) + 1};
    apply(resize, in);
    if (k >= 50) largest = std::max(largest, control.ledger().live_bytes);
  }
  // Both pools full, and what one call holds: input, output, f32 rows in between.
  EXPECT_LT(largest, 2 * kLimit + 64 * 64 + 512 * 512 * 6);
  apply(Resize{.width = 100, .height = 100}, in);
  const auto before = control.ledger();
  for (int k = 0; k < 1000; ++k) apply(Resize{.width = 100, .height = 100}, in);
  EXPECT_EQ(control.ledger().live_bytes, before.live_bytes);
  EXPECT_EQ(control.ledger().allocated, before.allocated);
  set_pool_limits(host.limit, scratch.limit);
  trim_pools();
}

TEST(CaseA11, RowsBeyondTwoGibibytesAreReached) {
  const At at({"none", "", Executor::cpu});
  constexpr std::ptrdiff_t kPitch = 4194304;
  constexpr int kRows = 600;
  const std::size_t bytes = std::size_t(kPitch) * kRows;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no " << bytes << " bytes of address space";
  const View<std::uint8_t> view(static_cast<std::uint8_t*>(memory), 1, kRows, 1, kPitch);
  *(static_cast<std::uint8_t*>(memory) + std::size_t(2512388096u)) = 9;
  EXPECT_EQ(view.at(0, 599), 9);
  std::vector<std::uint8_t> flipped(kRows);
  apply(Flip{.axis = Flip::Axis::vertical}, view, View<std::uint8_t>(flipped.data(), 1, kRows));
  EXPECT_EQ(flipped[0], 9);
  apply(AddConstant{1}, view, view);
  EXPECT_EQ(view.at(0, 599), 10);
  const Image dilated = [&] {
    Image out(Format::u8, 1, kRows);
    apply(Dilate{}, view, out.as<std::uint8_t>());
    return out;
  }();
  EXPECT_EQ(samples_of<std::uint8_t>(dilated)[598], 10);
  EXPECT_EQ(samples_of<std::uint8_t>(dilated)[0], 1);
  munmap(memory, bytes);
}

}  // namespace
}  // namespace zp::test
