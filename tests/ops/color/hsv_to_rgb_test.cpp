// HsvToRgb against OpenCV 5.0 and as the inverse of RgbToHsv.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/hsv_to_rgb.h"

#include "ops/color/hsv_samples.h"
#include "ops/color/rgb_to_hsv.h"

namespace zp::test {
namespace {

TEST(HsvToRgb, EqualsOpenCv) {
  const Image bytes =
      colors_of<std::uint8_t>({0, 255, 255, 60, 128, 200, 179, 77, 90, 30, 255, 17, 100, 10, 250, 135, 200, 130});
  // OpenCV's u8 passes through f32 with other roundings.
  expect_within(samples_of<std::uint8_t>(everywhere(HsvToRgb{}, bytes)),
                {255, 0, 0, 100, 200, 100, 90, 63, 64, 17, 17, 0, 240, 247, 250, 79, 28, 130}, 1);
  expect_within(samples_of<std::uint8_t>(everywhere(HsvToRgb{HueScale::full}, bytes)),
                {255, 0, 0, 159, 200, 100, 69, 63, 90, 17, 12, 0, 240, 250, 244, 28, 112, 130}, 1);
}

TEST(HsvToRgb, UndoesRgbToHsv) {
  const Image colors = six_colors();
  expect_close(samples_of<float>(everywhere(HsvToRgb{}, apply(RgbToHsv{}, colors))), samples_of<float>(colors));
  const Image deep = noise({50, 20, 4, Format::u16});
  const auto back = samples_of<std::uint16_t>(everywhere(HsvToRgb{}, apply(RgbToHsv{}, deep))),
             from = samples_of<std::uint16_t>(deep);
  // Half a step of hue is 1/21845 of the range between largest and smallest channel, half a step of saturation
  // 1/131070: 4 steps.
  for (std::size_t i = 0; i < back.size(); ++i) ASSERT_NEAR(back[i], from[i], 4) << i;
}

TEST(HsvToRgb, HueWraps) {
  const auto out =
      samples_of<float>(everywhere(HsvToRgb{}, colors_of<float>({480, 1, 1, -240, 1, 1, 120, 1, 1, 360, 1, 0.5f})));
  EXPECT_EQ(out, (std::vector<float>{0, 1, 0, 0, 1, 0, 0, 1, 0, 0.5f, 0, 0}));
  const auto bytes =
      samples_of<std::uint8_t>(everywhere(HsvToRgb{}, colors_of<std::uint8_t>({180, 255, 9, 240, 255, 9})));
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{9, 0, 0, 0, 9, 0}));
}

TEST(HsvToRgb, NanMakesThePixelNan) {
  const float nan = std::nanf("");
  const auto out = samples_of<float>(everywhere(
      HsvToRgb{}, colors_of<float>({nan, 1, 1, 0, nan, 1, 0, 1, nan, std::numeric_limits<float>::infinity(), 1, 1})));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_TRUE(std::isnan(out[i])) << i;
}

TEST(HsvToRgb, NoiseIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {3, 4}) everywhere(HsvToRgb{}, noise({67, 45, channels, format}));
}

}  // namespace
}  // namespace zp::test
