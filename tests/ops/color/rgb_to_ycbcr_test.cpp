// rgb_to_ycbcr and ycbcr_to_rgb: the standards' end points, long double arithmetic, round trips.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/rgb_to_ycbcr.h"
#include "ops/color/ycbcr_to_rgb.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

using Standard = YcbcrStandard;
using Range = YcbcrRange;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;

/// Black, white, red, green, blue, grey.
template <class T>
Image corners(T white, T grey) {
  return colors_of<T>({0, 0, 0, white, white, white, white, 0, 0, 0, white, 0, 0, 0, white, grey, grey, grey});
}

TEST(RgbToYcbcr, corners_of_bt601) {
  // JFIF 1.02; limited: the numbers of BT.601-7, 2.5.3, e.g. red 81, 90, 240.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(RgbToYcbcr{}, corners<std::uint8_t>(255, 90))),
            (Bytes{0, 128, 128, 255, 128, 128, 76, 85, 255, 150, 44, 21, 29, 255, 107, 90, 128, 128}));
  EXPECT_EQ(samples_of<std::uint8_t>(
                everywhere(RgbToYcbcr{Standard::bt601, Range::limited}, corners<std::uint8_t>(255, 255))),
            (Bytes{16, 128, 128, 235, 128, 128, 81, 90, 240, 145, 54, 34, 41, 240, 110, 235, 128, 128}));
}

TEST(RgbToYcbcr, corners_of_bt709) {
  // 16 + 219 * 0.2126 = 62.56, 128 - 112 * 0.2126 / 0.9278 = 102.34 for red; the others in the same way.
  EXPECT_EQ(
      samples_of<std::uint8_t>(everywhere(RgbToYcbcr{Standard::bt709, Range::limited}, corners<std::uint8_t>(255, 0))),
      (Bytes{16, 128, 128, 235, 128, 128, 63, 102, 240, 173, 42, 26, 32, 240, 118, 16, 128, 128}));
}

TEST(RgbToYcbcr, corners_of_words_and_floats) {
  const auto limited = samples_of<std::uint16_t>(
      everywhere(RgbToYcbcr{Standard::bt601, Range::limited}, corners<std::uint16_t>(65535, 0)));
  EXPECT_EQ(Words(limited.begin(), limited.begin() + 6), (Words{4096, 32768, 32768, 60160, 32768, 32768}));
  EXPECT_EQ(limited[8], 61440);   // Cr of red: 240 * 256
  EXPECT_EQ(limited[13], 61440);  // Cb of blue
  const auto full = samples_of<std::uint16_t>(everywhere(RgbToYcbcr{}, corners<std::uint16_t>(65535, 7)));
  EXPECT_EQ(Words(full.begin(), full.begin() + 6), (Words{0, 32768, 32768, 65535, 32768, 32768}));
  EXPECT_EQ(full[8], 65535);  // 32768 + 32767.5 saturates
  const auto real = samples_of<float>(everywhere(RgbToYcbcr{Standard::bt709, Range::limited}, corners<float>(1, 0)));
  EXPECT_NEAR(real[0], 16 / 255.0, 1e-7);
  EXPECT_NEAR(real[3], 235 / 255.0, 1e-6);
  EXPECT_NEAR(real[8], 240 / 255.0, 1e-6);
  EXPECT_NEAR(samples_of<float>(everywhere(RgbToYcbcr{}, corners<float>(1, 0)))[8], 1.0, 1e-6);
}

/// The definition in long double; chroma of the inverse by solving the same equations.
template <class T>
void expect_definition(Standard standard, Range range, double tolerance) {
  const Image in = noise({61, 23, 3, format_of<T>}, 9);
  const auto rgb = samples_of<T>(in), ycc = samples_of<T>(everywhere(RgbToYcbcr{standard, range}, in)),
             back = samples_of<T>(everywhere(YcbcrToRgb{standard, range}, in));
  const long double kr = standard == Standard::bt601 ? 0.299L : 0.2126L,
                    kb = standard == Standard::bt601 ? 0.114L : 0.0722L, kg = 1 - kr - kb;
  const long double white = white_of(format_of<T>);
  const bool full = range == Range::full;
  const long double step = format_of<T> == Format::u8 ? 1 : format_of<T> == Format::u16 ? 256 : 1 / 255.0L;
  const long double black = full ? 0 : 16 * step, luma = full ? white : 219 * step, chroma = full ? white : 224 * step,
                    neutral = full && format_of<T> == Format::f32 ? 0.5L : 128 * step;
  const auto stored = [white](long double v) {
    return format_of<T> == Format::f32 ? v : std::min(white, std::max(0.0L, v));
  };
  for (std::size_t i = 0; i < rgb.size(); i += 3) {
    const long double r = rgb[i] / white, g = rgb[i + 1] / white, b = rgb[i + 2] / white, y = kr * r + kg * g + kb * b;
    ASSERT_NEAR(double(ycc[i]), double(stored(black + luma * y)), tolerance);
    ASSERT_NEAR(double(ycc[i + 1]), double(stored(neutral + chroma * (b - y) / (2 * (1 - kb)))), tolerance);
    ASSERT_NEAR(double(ycc[i + 2]), double(stored(neutral + chroma * (r - y) / (2 * (1 - kr)))), tolerance);
    const long double luma_in = (rgb[i] - black) / luma, blue_less = (rgb[i + 1] - neutral) / chroma * 2 * (1 - kb),
                      red_less = (rgb[i + 2] - neutral) / chroma * 2 * (1 - kr);
    const long double red = luma_in + red_less, blue = luma_in + blue_less,
                      green = (luma_in - kr * red - kb * blue) / kg;
    ASSERT_NEAR(double(back[i]), double(stored(white * red)), tolerance);
    ASSERT_NEAR(double(back[i + 1]), double(stored(white * green)), tolerance);
    ASSERT_NEAR(double(back[i + 2]), double(stored(white * blue)), tolerance);
  }
}

TEST(RgbToYcbcr, is_the_definition_rounded_once_and_so_is_its_inverse) {
  for (const Standard standard : {Standard::bt601, Standard::bt709})
    for (const Range range : {Range::full, Range::limited}) {
      expect_definition<std::uint8_t>(standard, range, 0.50005);
      expect_definition<std::uint16_t>(standard, range, 0.52);
      expect_definition<float>(standard, range, 1e-6);
    }
}

TEST(RgbToYcbcr, round_trips) {
  const Image bytes = noise({67, 45, 3, Format::u8}), reals = noise({67, 45, 4, Format::f32});
  for (const Standard standard : {Standard::bt601, Standard::bt709})
    for (const Range range : {Range::full, Range::limited}) {
      const auto before = samples_of<float>(reals),
                 after =
                     samples_of<float>(apply(YcbcrToRgb{standard, range}, apply(RgbToYcbcr{standard, range}, reals)));
      for (std::size_t i = 0; i < before.size(); ++i) ASSERT_NEAR(after[i], before[i], i % 4 == 3 ? 0 : 2e-6);
      const auto in = samples_of<std::uint8_t>(bytes),
                 out = samples_of<std::uint8_t>(
                     apply(YcbcrToRgb{standard, range}, apply(RgbToYcbcr{standard, range}, bytes)));
      // Luma and chroma are at most half a level off, limited ones half of 255 / 219 and 255 / 224 levels.
      for (std::size_t i = 0; i < in.size(); ++i) ASSERT_NEAR(out[i], in[i], 2) << i;
    }
}

TEST(RgbToYcbcr, nan_and_the_fourth_channel) {
  const float nan = std::nanf("");
  const auto out = samples_of<float>(everywhere(RgbToYcbcr{}, colors_of<float>({nan, 0, 0, 7, 0, 0, 0, nan}, 4)));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(out[i]));
  EXPECT_EQ(out[3], 7.0f);
  EXPECT_EQ(out[5], 0.5f);
  EXPECT_TRUE(std::isnan(out[7]));
}

TEST(RgbToYcbcr, refuses_grey) {
  EXPECT_THROW(apply(RgbToYcbcr{}, Image(Format::u8, 4, 4)), Error);
  EXPECT_THROW(apply(YcbcrToRgb{}, Image(Format::u8, 4, 4, 2)), Error);
}

}  // namespace
}  // namespace zp::test
