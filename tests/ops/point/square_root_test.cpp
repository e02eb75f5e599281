// square_root: every level of integers by its own square, f32 by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/square_root.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::every_level, test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
void expect_roots() {
  const auto out = samples_of<T>(everywhere(SquareRoot{}, every_level<T>()));
  // r rounds the root of v if (r - 1/2)^2 < v < (r + 1/2)^2, which in whole numbers is r^2 - r < v <= r^2 + r.
  for (std::size_t v = 0; v < out.size(); ++v) {
    const std::size_t r = out[v];
    ASSERT_TRUE((v == 0 && r == 0) || (r * r - r < v && v <= r * r + r)) << v << " " << r;
  }
}

TEST(SquareRoot, rounds_integers) {
  expect_roots<std::uint8_t>();
  expect_roots<std::uint16_t>();
}

TEST(SquareRoot, follows_ieee_in_f32) {
  const auto out = samples_of<float>(
      everywhere(SquareRoot{}, row_of<float>({0, -0.0f, 2.25f, 2, kInf, 1e-45f, -1e-45f, -1, -kInf, kNaN})));
  // The root of 2 to 24 bits, and of 2^-149.
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 6),
            (std::vector<float>{0, 0, 1.5f, 0x1.6a09e6p+0f, kInf, 0x1.6a09e6p-75f}));
  EXPECT_TRUE(std::signbit(out[1]));
  for (std::size_t i = 6; i < 10; ++i) EXPECT_TRUE(std::isnan(out[i])) << i;
}

}  // namespace
}  // namespace zp
