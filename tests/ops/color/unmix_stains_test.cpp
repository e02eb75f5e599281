// unmix_stains: mixtures of known amounts, scikit-image 0.26, black, white, NaN, refusals.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/unmix_stains.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

using Stains = std::array<std::array<double, 3>, 3>;
constexpr std::string_view kAllThree = "0.65/0.7/0.29/0.07/0.99/0.11/0.27/0.57/0.78";

/// Light through the stains, by Beer and Lambert: 10^-(amounts times densities).
template <class T>
Image mixture(const Stains& stains, const std::vector<double>& amounts) {
  std::vector<T> samples;
  for (std::size_t i = 0; i < amounts.size(); i += 3)
    for (std::size_t c = 0; c < 3; ++c) {
      double density = 0;
      for (std::size_t k = 0; k < 3; ++k) density += amounts[i + k] * stains[k][c];
      const double v = std::pow(10.0, -density) * white_of(format_of<T>);
      samples.push_back(std::is_same_v<T, float> ? T(v) : T(std::lround(v)));
    }
  return colors_of(samples);
}

TEST(UnmixStains, known_amounts_are_recovered) {
  const Stains all = {{{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}, {0.27, 0.57, 0.78}}};
  std::vector<double> amounts;
  for (const double h : {0.0, 0.1, 0.5, 1.2})
    for (const double e : {0.0, 0.2, 0.9})
      for (const double d : {0.0, 0.3, 1.0}) amounts.insert(amounts.end(), {h, e, d});
  const UnmixStains op{std::string(kAllThree)};
  const auto real = samples_of<float>(everywhere(op, mixture<float>(all, amounts)));
  for (std::size_t i = 0; i < real.size(); ++i) ASSERT_NEAR(real[i], amounts[i], 3e-6) << i;
  // Densities up to 2.4 leave words of 240 and up: half a level is 0.0009 there, times about 2 in the inverse.
  const auto words = samples_of<float>(everywhere(op, mixture<std::uint16_t>(all, amounts)));
  for (std::size_t i = 0; i < words.size(); ++i) ASSERT_NEAR(words[i], amounts[i], 0.003) << i;
}

TEST(UnmixStains, two_stains_leave_no_rest) {
  for (const auto& [name, second] :
       {std::pair{"he", std::array{0.07, 0.99, 0.11}}, {"hdab", std::array{0.27, 0.57, 0.78}}}) {
    const Stains stains = {{{0.65, 0.70, 0.29}, second, {0, 0, 0}}};
    const std::vector<double> amounts = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.4, 0.7, 0, 1.5, 0.1, 0};
    const auto found = samples_of<float>(everywhere(UnmixStains{name}, mixture<float>(stains, amounts)));
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], amounts[i], 3e-6) << name << " " << i;
  }
}

TEST(UnmixStains, the_rest_is_along_the_cross_product) {
  // (0.65 0.70 0.29) x (0.27 0.57 0.78) = (0.3807 -0.4287 0.1815), of length 0.60140.
  const double length = std::sqrt(0.3807 * 0.3807 + 0.4287 * 0.4287 + 0.1815 * 0.1815);
  const Stains stains = {
      {{0.65, 0.70, 0.29}, {0.27, 0.57, 0.78}, {0.3807 / length, -0.4287 / length, 0.1815 / length}}};
  const std::vector<double> amounts = {1, 0.5, 0.25, 0.5, 0.5, 0.5};
  const auto found = samples_of<float>(everywhere(UnmixStains{"hdab"}, mixture<float>(stains, amounts)));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], amounts[i], 3e-6) << i;
}

TEST(UnmixStains, equals_scikit_image) {
  // 6 * skimage.color.rgb2hed of scikit-image 0.26.
  const Image image = colors_of<std::uint8_t>({120, 60, 200, 255, 255, 255, 0, 10, 128, 200, 180, 190, 90, 30, 60});
  const double expected[] = {
      0.509851174, 0.332490794,   0,           0,           0,           0,          10.9950250, 0, 0,
      0.111260863, 0.00393717531, 0.121907487, 0.409919094, 0.296982203, 0.611338911};
  const auto found = samples_of<float>(everywhere(UnmixStains{std::string(kAllThree)}, image));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 4e-6) << i;
}

TEST(UnmixStains, black_white_and_nan) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  const auto found = samples_of<float>(
      everywhere(UnmixStains{"1/0/0/0/1/0/0/0/1"},
                 colors_of<float>({0, 1, 0.1f, 7, -1, 2, 1e-6f, 0, nan, 1, 0.5f, 0, inf, 1, 1, 0}, 4)));
  EXPECT_NEAR(found[0], 6, 1e-6);
  EXPECT_EQ(found[1], 0.0f);
  EXPECT_NEAR(found[2], 1, 1e-7);
  EXPECT_EQ(found[3], 7.0f);
  EXPECT_NEAR(found[4], 6, 1e-6);
  EXPECT_EQ(found[5], 0.0f);  // brighter than white
  EXPECT_NEAR(found[6], 6, 1e-6);
  for (std::size_t i = 8; i < 11; ++i) EXPECT_TRUE(std::isnan(found[i])) << i;
  const auto bytes = samples_of<float>(everywhere(UnmixStains{}, colors_of<std::uint8_t>({255, 255, 255, 51}, 4)));
  EXPECT_EQ(bytes, (std::vector<float>{0, 0, 0, 0.2f}));
}

TEST(UnmixStains, refusals) {
  const auto message = [](const std::string& matrix) -> std::string {
    try {
      apply(UnmixStains{matrix}, Image(Format::u8, 4, 4, 3));
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  for (const char* text : {"", "h&e", "1/2/3", "1/0/0/0/1/0/0/0/1/", "1/0/0/0/1/0/0/0/1/2", "1/0/0/0/1/0/0/0/x",
                           "1/0/0/0/1/0/0/0/nan", "1,0,0,0,1,0,0,0,1"})
    EXPECT_EQ(message(text),
              "unmix_stains: matrix = " + std::string(text) + ", allowed he, hdab, or nine numbers separated by /");
  for (const char* text :
       {"1/0/0/2/0/0/0/0/1", "1/0/0/2/0/0/0/0/0", "0/0/0/0/1/0/0/0/1", "0/0/0/0/0/0/0/0/0", "1/1/0/0/1/1/1/2/1"})
    EXPECT_EQ(message(text), "unmix_stains: matrix = " + std::string(text) + ": the stains are not independent");
  EXPECT_EQ(apply(UnmixStains{}, Image(Format::u8, 4, 0, 3)).shape(), (PlaneShape{4, 0, 3, Format::f32}));
  EXPECT_THROW(apply(UnmixStains{}, Image(Format::u8, 4, 4)), Error);
}

TEST(UnmixStains, noise_is_equal_everywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {3, 4}) everywhere(UnmixStains{"hdab"}, noise({67, 45, channels, format}));
}

}  // namespace
}  // namespace zp::test
