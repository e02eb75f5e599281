// ycbcr_to_rgb: end points, saturation; the definition is tested with rgb_to_ycbcr.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/ycbcr_to_rgb.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

TEST(YcbcrToRgb, end_points) {
  const auto rgb = samples_of<std::uint8_t>(everywhere(
      YcbcrToRgb{YcbcrStandard::bt601, YcbcrRange::limited},
      colors_of<std::uint8_t>({16, 128, 128, 235, 128, 128, 81, 90, 240, 145, 54, 34, 41, 240, 110, 126, 128, 128})));
  // The corners of the cube come back within one level; 126 is (126 - 16) * 255 / 219 = 128.08.
  const std::vector<int> expected{0, 0, 0, 255, 255, 255, 254, 0, 0, 0, 255, 1, 0, 0, 255, 128, 128, 128};
  expect_within(rgb, expected, 1);
  EXPECT_EQ(rgb[0], 0);
  EXPECT_EQ(rgb[3], 255);
  EXPECT_EQ(rgb[15], 128);
}

TEST(YcbcrToRgb, integers_saturate_and_floats_do_not) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(YcbcrToRgb{}, colors_of<std::uint8_t>({255, 255, 255, 0, 0, 0}))),
            (std::vector<std::uint8_t>{255, 121, 255, 0, 135, 0}));  // 255 - 127 * 1.0583 = 120.6; 128 * 1.0583 = 135.5
  EXPECT_GT(samples_of<float>(everywhere(YcbcrToRgb{}, colors_of<float>({1, 1, 1})))[0], 1.7f);
}

TEST(YcbcrToRgb, noise_is_equal_everywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {3, 4}) everywhere(YcbcrToRgb{}, noise({67, 45, channels, format}));
}

}  // namespace
}  // namespace zp::test
