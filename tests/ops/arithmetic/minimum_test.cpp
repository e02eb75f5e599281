// minimum: every pair of bytes; zeros, infinities and NaN in f32.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/minimum.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::expect_every_pair, test::expect_one_channel_serves_all, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Minimum, every_pair_of_bytes) {
  expect_every_pair(Minimum{}, [](int a, int b) { return std::min(a, b); });
}

TEST(Minimum, of_u16) {
  const Image a = test::noise({31, 5, 2, Format::u16}), b = test::noise({31, 5, 2, Format::u16}, 2);
  const auto out = samples_of<std::uint16_t>(everywhere(Minimum{}, {&a, &b})), p = samples_of<std::uint16_t>(a),
             q = samples_of<std::uint16_t>(b);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], std::min(p[i], q[i]));
}

// IEEE 754-2019, 9.6: minimum of every pair, in either order.
TEST(Minimum, follows_ieee_in_f32) {
  const std::vector<float> values{-kInf, -2, -1e-45f, -0.0f, 0.0f, 1e-45f, 0.5f, kInf, kNaN};  // in order
  std::vector<float> p, q;
  for (const float a : values)
    for (const float b : values) p.push_back(a), q.push_back(b);
  const Image a = row_of(p), b = row_of(q);
  const auto out = samples_of<float>(everywhere(Minimum{}, {&a, &b}));
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t k = 0; k < values.size(); ++k) {
      const float got = out[i * values.size() + k], want = values[std::min(i, k)];
      if (std::isnan(values[i]) || std::isnan(values[k])) {
        EXPECT_TRUE(std::isnan(got)) << values[i] << ", " << values[k];
      } else {
        EXPECT_EQ(got, want) << values[i] << ", " << values[k];
        EXPECT_EQ(std::signbit(got), std::signbit(want)) << values[i] << ", " << values[k];
      }
    }
}

TEST(Minimum, one_channel_serves_all) {
  expect_one_channel_serves_all<std::uint8_t>(Minimum{});
  expect_one_channel_serves_all<float>(Minimum{});
}

}  // namespace
}  // namespace zp
