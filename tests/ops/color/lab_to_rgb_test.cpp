// lab_to_rgb: known colours, out of sRGB, NaN; round trips are tested with rgb_to_lab.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/lab_to_rgb.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

TEST(LabToRgb, equals_scikit_image_within_its_digits) {
  // skimage.color.lab2rgb 0.26 of colours inside sRGB.
  const auto rgb = samples_of<float>(
      everywhere(LabToRgb{}, colors_of<float>({50, 20, -30, 80, -40, 40, 5, 1, 2, 100, 0, 0, 0, 0, 0, 60, 0, 0})));
  const double expected[] = {0.496361, 0.429258, 0.666839, 0.567027, 0.848657, 0.474290, 0.078654, 0.063302, 0.051486,
                             1.000000, 0.999995, 1.000000, 0.000000, 0.000000, 0.000000, 0.566868, 0.566864, 0.566887};
  for (std::size_t i = 0; i < rgb.size(); ++i) EXPECT_NEAR(rgb[i], expected[i], 2e-4) << i;
}

TEST(LabToRgb, what_srgb_does_not_have_is_not_clamped) {
  const auto rgb = samples_of<float>(everywhere(LabToRgb{}, colors_of<float>({60, 120, 0, 120, 0, 0})));
  EXPECT_GT(rgb[0], 1.0f);
  EXPECT_LT(rgb[1], 0.0f);
  EXPECT_GT(rgb[3], 1.0f);
  EXPECT_NEAR(rgb[3], rgb[5], 1e-6);
}

TEST(LabToRgb, nan_and_the_fourth_channel) {
  const float nan = std::nanf("");
  const auto out = samples_of<float>(everywhere(LabToRgb{}, colors_of<float>({50, nan, 0, 7, nan, 1, 1, nan}, 4)));
  for (const std::size_t i : {0, 1, 2, 4, 5, 6, 7}) EXPECT_TRUE(std::isnan(out[i])) << i;
  EXPECT_EQ(out[3], 7.0f);
}

TEST(LabToRgb, noise_is_equal_everywhere) {
  for (const int channels : {3, 4}) everywhere(LabToRgb{}, noise({67, 45, channels, Format::f32}));
}

}  // namespace
}  // namespace zp::test
