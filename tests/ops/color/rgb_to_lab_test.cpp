// rgb_to_lab and lab_to_rgb: scikit-image 0.26, the definition in double, greys, round trips.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/rgb_to_lab.h"
#include "ops/color/lab_to_rgb.h"
#include "ops/layout/convert.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

/// By the C library's functions in double; matrix and white from the chromaticities, solved here.
struct Definition {
  double matrix[3][3], white[3];
  Definition() {
    const double xy[3][2] = {{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}};
    const auto fill = [](double x, double y, double* to) { to[0] = x / y, to[1] = 1, to[2] = (1 - x - y) / y; };
    double p[3][3];
    for (int k = 0; k < 3; ++k) fill(xy[k][0], xy[k][1], p[k]);
    fill(0.3127, 0.3290, white);
    // Cramer's rule for the luminances that add up to the white.
    const auto det = [](const double* a, const double* b, const double* c) {
      return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) +
             c[0] * (a[1] * b[2] - a[2] * b[1]);
    };
    const double all = det(p[0], p[1], p[2]);
    const double s[3] = {det(white, p[1], p[2]) / all, det(p[0], white, p[2]) / all, det(p[0], p[1], white) / all};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) matrix[i][k] = p[k][i] * s[k];
  }
  std::array<double, 3> lab(double r, double g, double b) const {
    const double v[3] = {r, g, b};
    double linear[3], f[3];
    for (int k = 0; k < 3; ++k) linear[k] = v[k] <= 0.04045 ? v[k] / 12.92 : std::pow((v[k] + 0.055) / 1.055, 2.4);
    for (int i = 0; i < 3; ++i) {
      const double t = (matrix[i][0] * linear[0] + matrix[i][1] * linear[1] + matrix[i][2] * linear[2]) / white[i];
      f[i] = t > std::pow(6.0 / 29, 3) ? std::cbrt(t) : t * std::pow(29.0 / 6, 2) / 3 + 4.0 / 29;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
  }
};

TEST(RgbToLab, is_near_scikit_image) {
  // Its matrix has six digits and its white is another one: both differences together stay below 0.02.
  const auto lab = samples_of<float>(everywhere(
      RgbToLab{}, colors_of<float>({0.2f, 0.7f, 0.4f, 0.9f, 0.1f, 0.3f, 0.01f, 0.02f, 0.03f, 1, 0.5f, 0, 0, 0, 1})));
  const double expected[] = {64.724764, -51.641736, 29.355357, 49.485586, 73.215612, 27.091189, 1.300054, -0.31235,
                             -1.199765, 66.956545,  43.071302, 73.959202, 32.295673, 79.185591, -107.8573};
  for (std::size_t i = 0; i < lab.size(); ++i) EXPECT_NEAR(lab[i], expected[i], 0.02) << i;
}

template <class T>
void expect_definition(const Image& in) {
  const Definition definition;
  const auto rgb = samples_of<T>(in);
  const auto lab = samples_of<float>(everywhere(RgbToLab{}, in));
  const double white = white_of(format_of<T>);
  for (std::size_t i = 0; i < rgb.size(); i += 3) {
    const auto expected = definition.lab(rgb[i] / white, rgb[i + 1] / white, rgb[i + 2] / white);
    // f32 at values up to 116 and 500 * f: 500 * 2^-24 for the difference of two roots near 1.
    for (std::size_t c = 0; c < 3; ++c) ASSERT_NEAR(lab[i + c], expected[c], 1.5e-4) << i;
  }
}

TEST(RgbToLab, is_the_definition) {
  std::vector<std::uint8_t> grid;
  for (int r = 0; r < 256; r += 15)
    for (int g = 0; g < 256; g += 15)
      for (int b = 0; b < 256; b += 15) grid.insert(grid.end(), {std::uint8_t(r), std::uint8_t(g), std::uint8_t(b)});
  expect_definition<std::uint8_t>(image_of<std::uint8_t>(18, 18 * 18, 3, grid));
  expect_definition<std::uint16_t>(noise({61, 23, 3, Format::u16}));
  expect_definition<float>(noise({61, 23, 3, Format::f32}));
}

TEST(RgbToLab, greys_have_no_colour_and_white_is_100) {
  std::vector<std::uint8_t> greys;
  for (int v = 0; v < 256; ++v) greys.insert(greys.end(), 3, std::uint8_t(v));
  const auto lab = samples_of<float>(everywhere(RgbToLab{}, colors_of(greys)));
  for (std::size_t i = 0; i < lab.size(); i += 3) {
    EXPECT_NEAR(lab[i + 1], 0, 1e-4) << i;
    EXPECT_NEAR(lab[i + 2], 0, 1e-4) << i;
    if (i > 0) {
      EXPECT_GT(lab[i], lab[i - 3]);
    }
  }
  EXPECT_NEAR(lab[0], 0, 1e-5);
  EXPECT_NEAR(lab[lab.size() - 3], 100, 1e-4);
}

TEST(RgbToLab, bytes_come_back) {
  std::vector<std::uint8_t> grid;
  for (int r = 0; r < 256; r += 5)
    for (int g = 0; g < 256; g += 5)
      for (int b = 0; b < 256; b += 5) grid.insert(grid.end(), {std::uint8_t(r), std::uint8_t(g), std::uint8_t(b)});
  const Image in = image_of<std::uint8_t>(52, 52 * 52, 3, grid);
  const Image out = apply(Convert{Convert::Target::u8}, apply(LabToRgb{}, apply(RgbToLab{}, in)));
  EXPECT_EQ(hash(out.view()), hash(in.view()));
}

TEST(RgbToLab, floats_come_back_beyond_white_and_black_too) {
  const Image in = noise({67, 45, 3, Format::f32});  // -0.25 to 1.25
  const auto before = samples_of<float>(in),
             after = samples_of<float>(everywhere(LabToRgb{}, everywhere(RgbToLab{}, in)));
  for (std::size_t i = 0; i < before.size(); ++i) ASSERT_NEAR(after[i], before[i], 2e-5) << i;
}

TEST(RgbToLab, nan_and_the_fourth_channel) {
  const float nan = std::nanf("");
  const auto out = samples_of<float>(
      everywhere(RgbToLab{}, colors_of<float>({0.5f, nan, 0, 7, 0, 0, nan, 1, nan, 1, 1, nan, 1, 1, 1, 0.5f}, 4)));
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(std::isnan(out[4 * p + c])) << p;
  EXPECT_EQ(out[3], 7.0f);
  EXPECT_TRUE(std::isnan(out[11]));
  EXPECT_EQ(samples_of<float>(everywhere(RgbToLab{}, colors_of<std::uint8_t>({1, 2, 3, 255, 1, 2, 3, 51}, 4)))[7],
            0.2f);
  EXPECT_EQ(samples_of<float>(everywhere(RgbToLab{}, colors_of<std::uint16_t>({1, 2, 3, 65535}, 4)))[3], 1.0f);
}

TEST(RgbToLab, empty_and_refused) {
  EXPECT_EQ(apply(RgbToLab{}, Image(Format::u16, 0, 4, 3)).shape(), (PlaneShape{0, 4, 3, Format::f32}));
  EXPECT_THROW(apply(RgbToLab{}, Image(Format::u8, 4, 4)), Error);
  EXPECT_THROW(apply(LabToRgb{}, Image(Format::u8, 4, 4, 3)), Error);
}

}  // namespace
}  // namespace zp::test
