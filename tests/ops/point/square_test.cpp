// square: every level of integers, f32 by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/square.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::every_level, test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
void expect_squares() {
  const Image in = every_level<T>();
  const auto out = samples_of<T>(everywhere(Square{}, in));
  for (std::size_t v = 0; v < out.size(); ++v) ASSERT_EQ(out[v], std::min<std::size_t>(v * v, out.size() - 1)) << v;
}

TEST(Square, saturates_integers) {
  expect_squares<std::uint8_t>();
  expect_squares<std::uint16_t>();
}

TEST(Square, follows_ieee_in_f32) {
  const auto out = samples_of<float>(everywhere(Square{}, row_of<float>({-1.5f, 0.1f, -kInf, 1e30f, 1e-30f, kNaN})));
  // 0.1f is 13421773 * 2^-27, its square 180143990463529 * 2^-54, to 24 bits 10737419 * 2^-30.
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 5),
            (std::vector<float>{2.25f, 10737419 * 0x1p-30f, kInf, kInf, 0}));
  EXPECT_TRUE(std::isnan(out[5]));
}

TEST(Square, every_channel_alike) {
  const Image in = test::noise({13, 5, 4, Format::f32});
  const auto out = samples_of<float>(everywhere(Square{}, in)), source = samples_of<float>(in);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], float(double(source[i]) * double(source[i])));
}

}  // namespace
}  // namespace zp
