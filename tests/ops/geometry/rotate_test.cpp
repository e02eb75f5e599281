// Rotate against exact turns and against the rotation formula in double.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/rotate.h"

#include "ops/geometry/pictures.h"
#include "ops/geometry/rotate90.h"

namespace zp::test {
namespace {

TEST(Rotate, SineAndCosineAreExactAtQuarterTurnsAndAsTheLibraryHasThemElsewhere) {
  using detail_rotate::Turn;
  for (const double degrees : {0.0, 360.0, -720.0, 1e6 - 1e6}) {
    EXPECT_EQ(Turn::of(degrees).sine, 0.0);
    EXPECT_EQ(Turn::of(degrees).cosine, 1.0);
  }
  EXPECT_EQ(Turn::of(90).sine, 1.0);
  EXPECT_EQ(Turn::of(90).cosine, 0.0);
  EXPECT_EQ(Turn::of(-90).sine, -1.0);
  EXPECT_EQ(Turn::of(180).cosine, -1.0);
  EXPECT_EQ(Turn::of(270).sine, -1.0);
  for (double degrees = -800; degrees < 800; degrees += 0.37) {
    const double radians = degrees / 180 * std::acos(-1.0);
    EXPECT_NEAR(Turn::of(degrees).sine, std::sin(radians), 1e-14) << degrees;
    EXPECT_NEAR(Turn::of(degrees).cosine, std::cos(radians), 1e-14) << degrees;
  }
  EXPECT_NEAR(Turn::of(30).sine, 0.5, 1e-16);
  EXPECT_NEAR(Turn::of(60).cosine, 0.5, 2e-16);
}

TEST(Rotate, MultiplesOfNinetyAreCopies) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic})
      for (const int turns : {-4, -3, -2, -1, 0, 1, 2, 3, 5}) {
        const Image image = noise({10, 7, 3, format});
        EXPECT_EQ(
            hash(everywhere(Rotate{.angle = 90.0f * float(turns), .expand = true, .method = method}, image).view()),
            hash(apply(Rotate90{.turns = turns % 4}, image).view()))
            << turns;
      }
}

TEST(Rotate, QuarterTurnsKeepTheSizeToo) {
  // 5x3 turned about its centre: the outer columns of the result are outside the image.
  const Image image = image_of<std::uint8_t>(5, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Rotate{.angle = 90, .value = 99}, image)),
            (std::vector<std::uint8_t>{99, 4, 9, 14, 99, 99, 3, 8, 13, 99, 99, 2, 7, 12, 99}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Rotate{.angle = 180}, image)),
            (std::vector<std::uint8_t>{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(Rotate, TurnsAboutAPointCounterClockwise) {
  const Image image = image_of<std::uint8_t>(4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  // About pixel (1, 1): what was right of it stands above it.
  const std::vector<std::uint8_t> turned =
      samples_of<std::uint8_t>(everywhere(Rotate{.angle = 90, .centre = {1, 1}}, image));
  EXPECT_EQ(turned, (std::vector<std::uint8_t>{3, 7, 11, 0, 2, 6, 10, 0, 1, 5, 9, 0}));
}

/// The picture of a plane a + b x + c y is known everywhere, and linear reads it exactly.
TEST(Rotate, EqualsTheFormulaOnAPlane) {
  Image image(Format::f32, 41, 31);
  for (int y = 0; y < 31; ++y)
    for (int x = 0; x < 41; ++x) image.as<float>().at(x, y) = float(100 + 3 * x - 2 * y);
  for (const float angle : {10.0f, -75.5f, 123.0f})
    for (const float scale : {1.0f, 1.5f})
      for (const bool expand : {false, true}) {
        const Image out = everywhere(Rotate{.angle = angle, .scale = scale, .expand = expand, .value = -1e9f}, image);
        const double a = double(angle) / 180 * std::acos(-1.0), c = std::cos(a), s = std::sin(a);
        int inside = 0;
        for (int y = 0; y < out.height(); ++y)
          for (int x = 0; x < out.width(); ++x) {
            const double u = (x - (out.width() - 1) / 2.0) / double(scale),
                         v = (y - (out.height() - 1) / 2.0) / double(scale);
            const double from_x = 20 + c * u - s * v, from_y = 15 + s * u + c * v;
            if (from_x < 0 || from_x > 40 || from_y < 0 || from_y > 30) continue;
            ++inside;
            ASSERT_NEAR(ConstPlaneView(out.view()).as<const float>().at(x, y), 100 + 3 * from_x - 2 * from_y, 1e-3);
          }
        if (expand) {
          EXPECT_NEAR(inside, 40 * 30 * double(scale) * double(scale), 120);
        }
      }
}

TEST(Rotate, ExpandHoldsTheTurnedImage) {
  const auto size = [](float angle, float scale) {
    const Image out = apply(Rotate{.angle = angle, .scale = scale, .expand = true}, Image(Format::u8, 100, 40));
    return std::pair(out.width(), out.height());
  };
  EXPECT_EQ(size(0, 1), std::pair(100, 40));
  EXPECT_EQ(size(90, 1), std::pair(40, 100));
  EXPECT_EQ(size(-180, 2), std::pair(200, 80));
  // 100 cos 30 + 40 sin 30 = 106.6, 100 sin 30 + 40 cos 30 = 84.6
  EXPECT_EQ(size(30, 1), std::pair(107, 85));
  EXPECT_EQ(size(150, 1), std::pair(107, 85));
  EXPECT_EQ(size(0, 0.001f), std::pair(1, 1));
}

TEST(Rotate, EveryFormatAndSizeIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 2, 3, 4})
      for (const auto& [width, height] : {std::pair(300, 5), std::pair(1, 1), std::pair(1, 37)})
        for (const Border border : {Border::constant, Border::reflect101})
          everywhere(Rotate{.angle = 33,
                            .scale = 1.3f,
                            .expand = channels == 2,
                            .method = Interpolation::cubic,
                            .border = border},
                     noise({width, height, channels, format}));
}

TEST(Rotate, Refuses) {
  const Image image(Format::u8, 8, 8);
  EXPECT_EQ(refusal(Rotate{.scale = 0}, {&image}), "rotate: scale = 0, allowed 0.001 to 1000");
  EXPECT_EQ(refusal(Rotate{.centre = {1}}, {&image}), "rotate: centre has 1 numbers, allowed 2");
  EXPECT_EQ(refusal(Rotate{.angle = 2e6f}, {&image}), "rotate: angle = 2e+06, allowed -1e+06 to 1e+06 degrees");
}

}  // namespace
}  // namespace zp::test
