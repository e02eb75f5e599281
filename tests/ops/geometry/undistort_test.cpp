// Undistort against the lens formula in double, and on points that stay.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/undistort.h"

#include <limits>

#include "ops/geometry/pictures.h"

namespace zp::test {
namespace {

TEST(Undistort, WithoutCoefficientsItIsACopy) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    // A camera matrix of powers of two and halves is computed without rounding.
    const Image image = noise({33, 17, 3, format});
    EXPECT_EQ(hash(everywhere(Undistort{.fx = 32, .fy = 64}, image).view()), hash(image.view()));
  }
}

/// The picture of a plane a + b x + c y is known everywhere, and linear reads it exactly.
TEST(Undistort, EqualsTheFormulaOnAPlane) {
  Image image(Format::f32, 80, 60);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 80; ++x) image.as<float>().at(x, y) = float(100 + 3 * x - 2 * y);
  const Undistort op{.fx = 70,
                     .fy = 75,
                     .cx = 38.5f,
                     .cy = 30.25f,
                     .k1 = -0.25f,
                     .k2 = 0.125f,
                     .p1 = 0.0078125f,
                     .p2 = -0.00390625f,
                     .k3 = 0.03125f,
                     .value = -1e9f};
  const Image out = everywhere(op, image);
  int inside = 0;
  for (int v = 0; v < 60; ++v)
    for (int u = 0; u < 80; ++u) {
      const double x = (u - 38.5) / 70, y = (v - 30.25) / 75, r = std::sqrt(x * x + y * y);
      const double radial = 1 - 0.25 * std::pow(r, 2) + 0.125 * std::pow(r, 4) + 0.03125 * std::pow(r, 6);
      const double a = 70 * (x * radial + 2 * 0.0078125 * x * y - 0.00390625 * (r * r + 2 * x * x)) + 38.5;
      const double b = 75 * (y * radial + 0.0078125 * (r * r + 2 * y * y) - 2 * 0.00390625 * x * y) + 30.25;
      if (a < 0 || a > 79 || b < 0 || b > 59) continue;
      ++inside;
      ASSERT_NEAR(ConstPlaneView(out.view()).as<const float>().at(u, v), 100 + 3 * a - 2 * b, 1e-3);
    }
  EXPECT_GT(inside, 4000);
}

TEST(Undistort, TheAxisStaysAndAutomaticValuesAreTheMiddle) {
  Image image = noise({31, 21, 1, Format::u16});
  const Image out = everywhere(Undistort{.k1 = -0.4f, .k2 = 0.2f}, image);
  EXPECT_EQ(out.as<std::uint16_t>().at(15, 10), image.as<std::uint16_t>().at(15, 10));
  EXPECT_EQ(hash(out.view()),
            hash(apply(Undistort{.fx = 31, .fy = 31, .cx = 15, .cy = 10, .k1 = -0.4f, .k2 = 0.2f}, image).view()));
}

TEST(Undistort, PlacesFarAwayHaveTheValue) {
  const Image image = noise({16, 16, 1, Format::u8});
  const std::vector<std::uint8_t> samples = samples_of<std::uint8_t>(
      everywhere(Undistort{.fx = 1e-3f, .k3 = 1e6f, .border = Border::replicate, .value = 9}, image));
  EXPECT_EQ(samples, std::vector<std::uint8_t>(256, 9));
}

TEST(Undistort, EveryFormatChannelCountAndMethodIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 2, 3, 4})
      for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic})
        for (const int width : {1, 290})
          everywhere(Undistort{.k1 = 0.3f, .p1 = 0.01f, .method = method, .border = Border::reflect},
                     noise({width, 6, channels, format}));
}

TEST(Undistort, Refuses) {
  const Image image(Format::u8, 8, 8);
  EXPECT_EQ(refusal(Undistort{.fx = 0}, {&image}), "undistort: fx = 0, allowed 0.001 to 1e+09 pixels");
  EXPECT_EQ(refusal(Undistort{.k1 = std::numeric_limits<float>::quiet_NaN()}, {&image}),
            "undistort: k1 is not a number");
}

}  // namespace
}  // namespace zp::test
