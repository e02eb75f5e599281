// One Gaussian minus a wider one.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/difference_of_gaussians.h"

#include "ops/filter/correlation.h"
#include "ops/filter/gaussian.h"

namespace zp {
namespace {

using test::everywhere;

TEST(DifferenceOfGaussians, IsScipys) {
  // scipy.ndimage.gaussian_filter in double, sigma 1.3 minus sigma 1.6 * 1.3, mode mirror: the first two rows.
  const std::vector<double> expected{
      -15.598728983069975, -10.618002458485165,  -1.8163405096898657, 0.9126471285025275, -1.6307105400788373,
      -1.3207717594564201, 0.34424026669196905,  -8.13825484097319,   -4.621152629344522, 1.4058988501011243,
      2.7099874616476427,  -0.04119719450289949, -0.4432706063638818, 0.588930205010513};
  const auto found = test::samples_of<float>(everywhere(DifferenceOfGaussians{.low = 1.3f}, test::pattern_image()));
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(double(found[k]), expected[k], 1e-4) << k;
}

template <class T>
void expect_difference(const DifferenceOfGaussians& op, int channels) {
  const Image image = test::noise({17, 9, channels, format_of<T>}, 3);
  Image real(Format::f32, 17, 9, channels);
  test::for_each_sample(image,
                        [&](int x, int y, int c) { real.as<float>().at(x, y, c) = float(image.as<T>().at(x, y, c)); });
  const Image out = everywhere(op, image),
              a = apply(Gaussian{.sigma = op.low, .border = op.border, .value = op.value}, real),
              b = apply(Gaussian{.sigma = op.high, .border = op.border, .value = op.value}, real);
  test::for_each_sample(image, [&](int x, int y, int c) {
    ASSERT_EQ(out.as<float>().at(x, y, c), a.as<float>().at(x, y, c) - b.as<float>().at(x, y, c));
  });
}

TEST(DifferenceOfGaussians, EveryFormatAndBorder) {
  for (const Border border : test::kBorders) {
    const DifferenceOfGaussians op{.low = 0.7f, .high = 2, .border = border, .value = 1};
    expect_difference<std::uint8_t>(op, 3);
    expect_difference<std::uint16_t>(op, 1);
    expect_difference<float>(op, 4);
  }
}

TEST(DifferenceOfGaussians, ConstantsTinyImagesAndNan) {
  const std::vector<std::uint8_t> flat(35, 200);
  for (const float v : test::samples_of<float>(
           everywhere(DifferenceOfGaussians{.low = 2, .high = 9}, test::image_of<std::uint8_t>(7, 5, 1, flat))))
    EXPECT_NEAR(v, 0.0f, 1e-4f);
  EXPECT_NEAR(everywhere(DifferenceOfGaussians{.low = 8}, test::row_of<float>({7})).as<float>().at(0, 0), 0.0f, 1e-5f);
  const Image image = test::noise({9, 4, 1, Format::f32});
  for (const float v : test::samples_of<float>(everywhere(DifferenceOfGaussians{.low = 2, .high = 2}, image)))
    EXPECT_EQ(v, 0.0f);
  std::vector<float> row(31, 1.0f);
  row[15] = std::nanf("");
  const auto found = test::samples_of<float>(everywhere(DifferenceOfGaussians{.low = 1, .high = 2}, test::row_of(row)));
  for (int i = 0; i < 31; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i >= 7 && i <= 23) << i;
}

TEST(DifferenceOfGaussians, RectanglesAndRefusals) {
  test::expect_rectangles_as_images<std::uint16_t, float>(DifferenceOfGaussians{});
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(DifferenceOfGaussians{.low = 3, .high = 2}, image),
            "difference_of_gaussians: high = 2, allowed 3 (low) to 512 pixels");
  EXPECT_EQ(test::refusal(DifferenceOfGaussians{.low = -1}, image),
            "difference_of_gaussians: low = -1, allowed 0 to 256 pixels");
}

}  // namespace
}  // namespace zp
