// divide: every pair of bytes, zero divisors, scale.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/divide.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::expect_every_pair, test::expect_one_channel_serves_all, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Divide, every_pair_of_bytes) {
  expect_every_pair(Divide{}, [](int a, int b) {
    if (b == 0) return 0;
    const int floor = a / b, twice = 2 * (a % b);  // half to even in whole numbers
    return floor + (twice > b || (twice == b && floor % 2 == 1));
  });
}

TEST(Divide, scales_rounds_and_saturates) {
  const Image a = row_of<std::uint8_t>({10, 1, 200, 0, 7}), b = row_of<std::uint8_t>({20, 3, 100, 5, 0});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Divide{255}, {&a, &b})),
            (std::vector<std::uint8_t>{128, 85, 255, 0, 0}));  // 127.5 to even
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Divide{-1}, {&a, &b})), (std::vector<std::uint8_t>(5, 0)));
  const Image c = row_of<std::uint16_t>({65535, 65535, 1, 3, 9}), d = row_of<std::uint16_t>({1, 2, 65535, 2, 0});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Divide{}, {&c, &d})),
            (std::vector<std::uint16_t>{65535, 32768, 0, 2, 0}));  // 32767.5 and 1.5 to even
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Divide{kInf}, {&c, &d})),
            (std::vector<std::uint16_t>{65535, 65535, 65535, 65535, 0}));
}

TEST(Divide, follows_ieee_in_f32) {
  const Image a = row_of<float>({1, -1, 1, 0, 0, kInf, 1, kNaN}), b = row_of<float>({3, 0, -0.0f, 5, 0, kInf, kInf, 1});
  const auto out = samples_of<float>(everywhere(Divide{}, {&a, &b}));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 4), (std::vector<float>{0x1.555556p-2f, -kInf, -kInf, 0}));
  EXPECT_EQ(out[6], 0);
  for (const std::size_t i : {4, 5, 7}) EXPECT_TRUE(std::isnan(out[i])) << i;
}

TEST(Divide, rounds_twice_in_f32) {
  const Image a = test::noise({31, 9, 2, Format::f32}), b = test::noise({31, 9, 2, Format::f32}, 5);
  const auto out = samples_of<float>(everywhere(Divide{0.3f}, {&a, &b})), p = samples_of<float>(a),
             q = samples_of<float>(b);
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], float(double(float(double(p[i]) * double(0.3f))) / double(q[i])));
}

TEST(Divide, one_channel_serves_all) {
  expect_one_channel_serves_all<std::uint8_t>(Divide{40});
  expect_one_channel_serves_all<std::uint16_t>(Divide{300});
  expect_one_channel_serves_all<float>(Divide{});
}

}  // namespace
}  // namespace zp
