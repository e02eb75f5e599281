// gamma: against powers in long double, and the table against the functor.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/gamma.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

template <class T>
std::vector<T> levels() {
  std::vector<T> all(std::size_t(1) << (8 * sizeof(T)));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = T(v);
  return all;
}

template <class T>
void expect_close_to_exact(float gamma) {
  const auto in = levels<T>();
  const int side = sizeof(T) == 1 ? 16 : 256;
  const auto out = samples_of<T>(everywhere(Gamma{gamma}, test::image_of(side, side, 1, in)));
  const long double white = in.back();
  for (std::size_t v = 0; v < in.size(); ++v) {
    const long double exact = white * std::pow(v / white, 1.0L / static_cast<long double>(gamma));
    // Half a level for the rounding, and a little for f32, whose last place is 1/256 of a level at u16's white.
    EXPECT_LE(std::fabs(out[v] - exact), 0.52L) << v;
  }
}

TEST(Gamma, is_the_rounded_power) {
  for (const float gamma : {0.45f, 1.0f, 1.8f, 2.2f}) {
    expect_close_to_exact<std::uint8_t>(gamma);
    expect_close_to_exact<std::uint16_t>(gamma);
  }
}

TEST(Gamma, known_values) {
  // 255 * (v / 255)^(1 / 2.2): 1 -> 20.54, 64 -> 136.03, 128 -> 186.42 (Python, double).
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Gamma{}, row_of<std::uint8_t>({0, 1, 64, 128, 255}))),
            (std::vector<std::uint8_t>{0, 21, 136, 186, 255}));
  const auto out = samples_of<float>(everywhere(Gamma{0.5f}, row_of<float>({0, 0.5f, 1, -0.5f, 2, std::nanf("")})));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 5), (std::vector<float>{0, 0.25f, 1, 0.25f, 4}));
  EXPECT_TRUE(std::isnan(out[5]));
  EXPECT_TRUE(std::isnan(samples_of<float>(everywhere(Gamma{2}, row_of<float>({-0.5f})))[0]));
}

TEST(Gamma, of_1_is_the_image_itself) {
  const Image in = test::image_of(256, 256, 1, levels<std::uint16_t>());
  EXPECT_EQ(hash(everywhere(Gamma{1}, in).view()), hash(in.view()));
}

TEST(Gamma, table_and_functor_give_equal_values) {
  // 300x300 samples go through a table, 200x200 do not.
  const Image large = test::noise({300, 300, 1, Format::u16});
  const Gamma::Body f = Gamma{1.7f}.bind(large.shape());
  const Image out = everywhere(Gamma{1.7f}, large);
  const auto in_samples = samples_of<std::uint16_t>(large), out_samples = samples_of<std::uint16_t>(out);
  for (std::size_t i = 0; i < in_samples.size(); ++i)
    ASSERT_EQ(out_samples[i], to_sample<std::uint16_t>(f(float(in_samples[i])))) << in_samples[i];
  Image corner(Format::u16, 200, 200);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x)
      corner.as<std::uint16_t>().at(x, y) = std::as_const(large).as<std::uint16_t>().at(x, y);
  const Image corner_out = everywhere(Gamma{1.7f}, corner);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) ASSERT_EQ(corner_out.as<std::uint16_t>().at(x, y), out.as<std::uint16_t>().at(x, y));
}

TEST(Gamma, refuses_0) {
  try {
    apply(Gamma{0}, row_of<std::uint8_t>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "gamma: gamma = 0, allowed 0.01 to 100");
  }
}

}  // namespace
}  // namespace zp
