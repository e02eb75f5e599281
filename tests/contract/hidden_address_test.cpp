// What the simulated device makes of the bytes of a functor: hidden addresses are refused, numbers are none.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "exec/simulated.h"
#include "kernels/workspaces.h"
#include "memory/context.h"
#include "support/everywhere.h"
#include "zeroplane/operations.h"

namespace zp::test {
namespace {

struct Hidden {
  const float* table;
  float operator()(float v) const { return v + table[0]; }
};
struct Listed {
  const float* table;
  static constexpr std::tuple pointers{&Listed::table};
  float operator()(float v) const { return v + table[0]; }
};
struct Numbers {
  std::uint32_t low, high;
  float operator()(float v) const { return v + 1; }
};

class HiddenAddress : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { initialize({.device = std::string("simulated:") + GetParam()}); }
  void TearDown() override { initialize({.device = "none"}); }
};

TEST_P(HiddenAddress, IsRefusedAndAListedOneServes) {
  const auto context = memory::context();
  kernels::DeviceWorkspace workspace(*context, memory::thread_stream(*context));
  exec::Simulated exec(workspace);
  const float* const table = exec.upload(std::vector<float>{3});
  const View<float> plane = exec.plane<float>(4, 1);
  exec.fill(plane.data, 4);
  EXPECT_THROW(exec.point(Hidden{table}, plane, View<const float>(plane)), Error);
  exec.point(Listed{table}, plane, View<const float>(plane));
  EXPECT_EQ(exec.download(plane.data, 4), (std::vector<float>{3, 3, 3, 3}));
}

TEST_P(HiddenAddress, NumbersBesideEachOtherAreNone) {
  const auto context = memory::context();
  kernels::DeviceWorkspace workspace(*context, memory::thread_stream(*context));
  exec::Simulated exec(workspace);
  const View<float> plane = exec.plane<float>(4, 1);
  exec.fill(plane.data, 4);
  // The upper half of a device address is a small number, such as a threshold of 16 bits; the lower half any float.
  const auto address = reinterpret_cast<std::uintptr_t>(plane.data);
  Numbers numbers{0, std::uint32_t(address >> 32)};
  const float beside = 32600.0f;
  std::memcpy(&numbers.low, &beside, sizeof(beside));
  EXPECT_NO_THROW(exec.point(numbers, plane, View<const float>(plane)));
  EXPECT_EQ(exec.download(plane.data, 1), std::vector<float>{1});
}

INSTANTIATE_TEST_SUITE_P(Models, HiddenAddress, testing::Values("unified", "discrete"));

}  // namespace
}  // namespace zp::test
