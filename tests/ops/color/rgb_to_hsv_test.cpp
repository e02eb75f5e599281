// RgbToHsv against values made by hand, by OpenCV 5.0 (u8) and scikit-image 0.26 (f32).
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/rgb_to_hsv.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(RgbToHsv, CaseA6HueWrapsAndNeverIs180) {
  // H / 2 = 179.76, 179.41, 179.70, 0.24; S of the third is 127.5, which rounds to even.
  const auto out = samples_of<std::uint8_t>(
      everywhere(RgbToHsv{}, colors_of<std::uint8_t>({255, 0, 2, 255, 0, 5, 200, 100, 101, 255, 2, 0})));
  EXPECT_EQ(out, (Bytes{0, 255, 255, 179, 255, 255, 0, 128, 200, 0, 255, 255}));
}

TEST(RgbToHsv, NoRedComesOutAsTheFullCircle) {
  Bytes reds;
  for (int g = 0; g < 256; ++g)
    for (int b = 0; b < 256; ++b) reds.insert(reds.end(), {255, std::uint8_t(g), std::uint8_t(b)});
  const auto out = samples_of<std::uint8_t>(apply(RgbToHsv{}, colors_of(reds)));
  for (std::size_t i = 0; i < out.size(); i += 3) ASSERT_LT(out[i], 180) << i;
  // 359.76 of 360 degrees is 255.8 of 256 steps.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(RgbToHsv{HueScale::full}, colors_of<std::uint8_t>({255, 0, 1})))[0], 0);
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(RgbToHsv{}, colors_of<std::uint16_t>({65535, 0, 1})))[0],
            0);  // 65535.83
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(RgbToHsv{}, colors_of<std::uint16_t>({65535, 0, 10})))[0],
            65534);  // 65534.33
  EXPECT_EQ(samples_of<float>(everywhere(RgbToHsv{}, colors_of<float>({1, 0, 1e-12f})))[0], 0.0f);
}

TEST(RgbToHsv, EqualsPeers) {
  expect_close(samples_of<float>(everywhere(RgbToHsv{}, six_colors())),
               {144.0f, 0.714285714f, 0.7f, 345.0f, 0.888888889f, 0.9f, 240.0f, 0.6875f, 0.8f, 30.0f, 1.0f, 1.0f, 0.0f,
                0.0f, 0.3f, 185.454545f, 0.846153846f, 0.65f});
  const Image bytes =
      colors_of<std::uint8_t>({10, 200, 30, 255, 1, 128, 77, 76, 75, 0, 0, 0, 255, 255, 254, 13, 99, 250});
  // OpenCV works with tables of 12 fraction bits.
  expect_within(samples_of<std::uint8_t>(everywhere(RgbToHsv{}, bytes)),
                {63, 242, 200, 165, 254, 255, 15, 7, 77, 0, 0, 0, 30, 1, 255, 109, 242, 250}, 1);
  expect_within(samples_of<std::uint8_t>(everywhere(RgbToHsv{HueScale::full}, bytes)),
                {90, 242, 200, 235, 254, 255, 21, 7, 77, 0, 0, 0, 43, 1, 255, 155, 242, 250}, 1);
}

TEST(RgbToHsv, GreyHasNoHueAndTheFourthChannelIsKept) {
  const auto out = samples_of<std::uint16_t>(
      everywhere(RgbToHsv{}, colors_of<std::uint16_t>({900, 900, 900, 77, 0, 40000, 0, 78}, 4)));
  EXPECT_EQ(out, (std::vector<std::uint16_t>{0, 0, 900, 77, 21845, 65535, 40000, 78}));  // 120 degrees: 21845.33
}

TEST(RgbToHsv, NanAndNegativeValues) {
  const float nan = std::nanf("");
  const auto out =
      samples_of<float>(everywhere(RgbToHsv{}, colors_of<float>({nan, 1, 0, 1, 0, nan, 0, nan, 1, -1, -2, -3})));
  for (std::size_t i = 0; i < 9; ++i) EXPECT_TRUE(std::isnan(out[i])) << i;
  EXPECT_EQ(out[10], 0.0f);
  EXPECT_EQ(out[11], -1.0f);
}

TEST(RgbToHsv, RefusesGrey) {
  const Image grey = noise({4, 4, 1, Format::u8});
  EXPECT_THROW(apply(RgbToHsv{}, grey), Error);
}

TEST(RgbToHsv, NoiseIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {3, 4}) everywhere(RgbToHsv{}, noise({67, 45, channels, format}));
}

}  // namespace
}  // namespace zp::test
