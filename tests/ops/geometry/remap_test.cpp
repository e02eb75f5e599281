// Remap against values made by hand and by OpenCV 5.0, whose 1/32 fractions the maps keep to.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/remap.h"

#include <limits>

#include "ops/geometry/pictures.h"

namespace zp::test {
namespace {

const float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

TEST(Remap, CaseA15UnknownCoordinatesGiveTheBorderValue) {
  const Image row = row_of<std::uint8_t>({10, 20, 30}), x = row_of<float>({kNan, -1, 0.5f, kInfinity, 3e9f, 2}),
              y = row_of<float>({0, 0, 0, 0, 0, 0});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Remap{}, {&row, &x, &y})),
            (std::vector<std::uint8_t>{0, 0, 15, 0, 0, 30}));
  const auto other =
      samples_of<std::uint8_t>(everywhere(Remap{.border = Border::replicate, .value = 300}, {&row, &x, &y}));
  EXPECT_EQ(other, (std::vector<std::uint8_t>{255, 10, 15, 255, 255, 30}));
}

TEST(Remap, EqualsOpenCv) {
  const Image image = quadratic<float>(7, 5);
  const Image x = image_of<float>(5, 2, 1, {0.25f, 3.5f, 6.75f, -0.5f, 5.03125f, 2, 2.96875f, -1.25f, 6.5f, 4.5f});
  const Image y = image_of<float>(5, 2, 1, {0.75f, 1.5f, 4.25f, 2, -0.625f, 3, 3.53125f, 1.5f, 3.5f, 0});
  const auto linear = [&](Border border) { return everywhere(Remap{.border = border, .value = 40}, {&image, &x, &y}); };
  const auto cubic = [&](Border border) {
    return everywhere(Remap{.method = Interpolation::cubic, .border = border, .value = 40}, {&image, &x, &y});
  };
  constexpr float kRounding = 2e-4f;  // f32 sums in another order
  expect_near(linear(Border::constant),
              {12.4375f, 146.25f, 45.25f, 46.0f, 91.5273438f, 175.0f, 143.666992f, 40.0f, 87.75f, 143.5f}, kRounding);
  expect_near(linear(Border::replicate),
              {12.4375f, 146.25f, 68.0f, 52.0f, 177.40625f, 175.0f, 143.666992f, 32.5f, 135.5f, 143.5f}, kRounding);
  expect_near(linear(Border::reflect),
              {12.4375f, 146.25f, 68.0f, 52.0f, 177.40625f, 175.0f, 143.666992f, 36.125f, 135.5f, 143.5f}, kRounding);
  expect_near(linear(Border::reflect101),
              {12.4375f, 146.25f, 173.9375f, 60.5f, 196.253906f, 175.0f, 143.666992f, 54.125f, 152.25f, 143.5f},
              kRounding);
  expect_near(linear(Border::wrap),
              {12.4375f, 146.25f, 145.5f, 80.0f, 205.296875f, 175.0f, 143.666992f, 84.375f, 149.0f, 143.5f}, kRounding);
  expect_near(cubic(Border::constant),
              {2.31144714f, 165.0f, 36.4265594f, 44.40625f, 87.7687149f, 175.0f, 155.189743f, 41.3051758f, 89.0214844f,
               140.875f},
              kRounding);
  expect_near(
      cubic(Border::replicate),
      {7.42832947f, 165.0f, 47.2411957f, 50.40625f, 176.133148f, 175.0f, 152.014572f, 27.625f, 141.30957f, 140.875f},
      kRounding);
  expect_near(
      cubic(Border::reflect),
      {7.42832947f, 165.0f, 21.692627f, 48.8125f, 172.61235f, 175.0f, 152.014572f, 29.9082031f, 138.212891f, 140.875f},
      kRounding);
  expect_near(
      cubic(Border::reflect101),
      {5.86566162f, 165.0f, 192.162537f, 56.0f, 217.571838f, 175.0f, 136.532272f, 48.6171875f, 164.613281f, 140.875f},
      kRounding);
  expect_near(
      cubic(Border::wrap),
      {-9.59745789f, 165.0f, 148.080872f, 86.5625f, 218.113922f, 175.0f, 153.097015f, 58.8457031f, 149.9375f, 140.875f},
      kRounding);
}

TEST(Remap, FractionsKeepAllTheirBits) {
  const Image row = row_of<float>({0, 1024}), x = row_of<float>({1.0f / 1024, 3.0f / 1024}), y = row_of<float>({0, 0});
  EXPECT_EQ(samples_of<float>(everywhere(Remap{}, {&row, &x, &y})), (std::vector<float>{1, 3}));
}

TEST(Remap, NearestRoundsHalfUp) {
  const Image row = row_of<std::uint16_t>({1, 2, 3, 4}), x = row_of<float>({-0.5f, 0.49f, 0.5f, 1.5f, 3.49f, 3.5f}),
              y = row_of<float>({0, 0.4f, -0.5f, 0, 0, 0});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Remap{.method = Interpolation::nearest, .value = 9}, {&row, &x, &y})),
            (std::vector<std::uint16_t>{1, 1, 2, 3, 4, 9}));
}

TEST(Remap, WholeCoordinatesIgnoreTheirNeighbours) {
  const Image row = row_of<float>({kNan, 5, kInfinity}), x = row_of<float>({1}), y = row_of<float>({0});
  for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic})
    EXPECT_EQ(samples_of<float>(everywhere(Remap{.method = method}, {&row, &x, &y}))[0], 5);
}

TEST(Remap, EveryFormatAndChannelCountIsEqualEverywhere) {
  Image x = noise({41, 23, 1, Format::f32}, 2), y = noise({41, 23, 1, Format::f32}, 3);
  for (float* p : {x.as<float>().data, y.as<float>().data})
    for (int i = 0; i < 41 * 23; ++i) p[i] = p[i] * 60 - 10;
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 2, 3, 4})
      for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
        const Image image = noise({37, 29, channels, format});
        EXPECT_EQ(everywhere(Remap{.method = method, .border = Border::reflect101}, {&image, &x, &y}).shape(),
                  (PlaneShape{41, 23, channels, format}));
      }
}

TEST(Remap, RefusesOtherMaps) {
  const Image image = noise({8, 8, 1, Format::u8}), map = noise({4, 3, 1, Format::f32}),
              other = noise({4, 4, 1, Format::f32});
  EXPECT_EQ(refusal(Remap{}, {&image, &image, &map}), "remap: map_x is u8 8x8, a map is f32 with 1 channel");
  EXPECT_EQ(refusal(Remap{}, {&image, &map, &other}),
            "remap: map_x is f32 4x3, but map_y is f32 4x4; their sizes must be equal");
  EXPECT_EQ(refusal(Remap{}, {&image}), "remap: 1 input, takes 3");
}

}  // namespace
}  // namespace zp::test
