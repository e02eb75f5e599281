// absolute_difference: every pair of bytes, f32 by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/absolute_difference.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::expect_every_pair, test::expect_one_channel_serves_all, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(AbsoluteDifference, every_pair_of_bytes) {
  expect_every_pair(AbsoluteDifference{}, [](int a, int b) { return std::abs(a - b); });
}

TEST(AbsoluteDifference, of_u16_and_f32) {
  const Image a = row_of<std::uint16_t>({0, 65535, 40000}), b = row_of<std::uint16_t>({65535, 0, 40001});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(AbsoluteDifference{}, {&a, &b})),
            (std::vector<std::uint16_t>{65535, 65535, 1}));
  const Image c = row_of<float>({0.25f, -1, 0, -kInf, kInf, kNaN}), d = row_of<float>({1, 3, -0.0f, 2, kInf, 1});
  const auto out = samples_of<float>(everywhere(AbsoluteDifference{}, {&c, &d}));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 4), (std::vector<float>{0.75f, 4, 0, kInf}));
  EXPECT_FALSE(std::signbit(out[2]));
  EXPECT_TRUE(std::isnan(out[4]) && std::isnan(out[5]));
}

TEST(AbsoluteDifference, one_channel_serves_all) {
  expect_one_channel_serves_all<std::uint8_t>(AbsoluteDifference{});
  expect_one_channel_serves_all<std::uint16_t>(AbsoluteDifference{});
  expect_one_channel_serves_all<float>(AbsoluteDifference{});
}

}  // namespace
}  // namespace zp
