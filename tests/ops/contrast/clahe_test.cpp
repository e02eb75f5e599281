// Tests of clahe.
// SPDX-License-Identifier: Apache-2.0
#include "ops/contrast/clahe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/contrast/pictures.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;

TEST(CaseA5, ClaheOfConstantImagesIsConstant) {
  // 8x8 of 100, one region, limit trunc(2 * 64 / 256) = 0, so 1: 63 samples go to bins 0, 4, 8, ..., 248; 27 up to
  // level 100 with its own, and 27 * 255 / 64 = 107.6.
  const Image small = test::image_of(8, 8, 1, Bytes(64, 100));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Clahe{.tiles = {1, 1}, .clip_factor = 2}, small)), Bytes(64, 108));
  const Image odd = test::image_of(37, 29, 1, Bytes(37 * 29, 100));
  const Bytes result = samples_of<std::uint8_t>(everywhere(Clahe{}, odd));
  EXPECT_EQ(result, Bytes(37 * 29, 128));  // OpenCV 5.0
}

// Sums of OpenCV 5.0's results, createCLAHE(clip, (across, down)).
TEST(Clahe, EqualsOpenCv) {
  struct {
    Format format;
    int width, height, across, down;
    float clip;
    std::uint64_t sum;
  } const rows[] = {
      {Format::u8, 37, 29, 8, 8, 40.0f, 80880364u},
      {Format::u8, 37, 29, 3, 5, 2.0f, 47484144u},
      {Format::u8, 37, 29, 1, 1, 0.0f, 83479503u},
      {Format::u8, 37, 29, 4, 2, 1.5f, 39919594u},
      {Format::u8, 64, 48, 8, 8, 40.0f, 648789370u},
      {Format::u8, 64, 48, 3, 5, 2.0f, 426946375u},
      {Format::u8, 64, 48, 1, 1, 0.0f, 688930763u},
      {Format::u8, 64, 48, 4, 2, 1.5f, 356639649u},
      {Format::u8, 300, 211, 8, 8, 40.0f, 265137912949u},
      {Format::u8, 300, 211, 3, 5, 2.0f, 251491350032u},
      {Format::u8, 300, 211, 1, 1, 0.0f, 262172960604u},
      {Format::u8, 300, 211, 4, 2, 1.5f, 252447656751u},
      {Format::u8, 3, 2, 8, 8, 40.0f, 4466u},
      {Format::u8, 3, 2, 3, 5, 2.0f, 4466u},
      {Format::u8, 3, 2, 1, 1, 0.0f, 3525u},
      {Format::u8, 3, 2, 4, 2, 1.5f, 4597u},
      {Format::u8, 24, 50, 8, 8, 40.0f, 100132942u},
      {Format::u8, 24, 50, 3, 5, 2.0f, 59356108u},
      {Format::u8, 24, 50, 1, 1, 0.0f, 110441123u},
      {Format::u8, 24, 50, 4, 2, 1.5f, 53076990u},
      {Format::u16, 37, 29, 8, 8, 40.0f, 20662497904u},
      {Format::u16, 37, 29, 3, 5, 2.0f, 19155267175u},
      {Format::u16, 37, 29, 1, 1, 0.0f, 21466438832u},
      {Format::u16, 37, 29, 4, 2, 1.5f, 19780749206u},
      {Format::u16, 64, 48, 8, 8, 40.0f, 165651563687u},
      {Format::u16, 64, 48, 3, 5, 2.0f, 158835786120u},
      {Format::u16, 64, 48, 1, 1, 0.0f, 176596036403u},
      {Format::u16, 64, 48, 4, 2, 1.5f, 172272491643u},
      {Format::u16, 300, 211, 8, 8, 40.0f, 66697271741799u},
      {Format::u16, 300, 211, 3, 5, 2.0f, 65257339281383u},
      {Format::u16, 300, 211, 1, 1, 0.0f, 65105410155515u},
      {Format::u16, 300, 211, 4, 2, 1.5f, 66921680738463u},
      {Format::u16, 3, 2, 8, 8, 40.0f, 1228781u},
      {Format::u16, 3, 2, 3, 5, 2.0f, 1228786u},
      {Format::u16, 3, 2, 1, 1, 0.0f, 939335u},
      {Format::u16, 3, 2, 4, 2, 1.5f, 1114102u},
      {Format::u16, 24, 50, 8, 8, 40.0f, 25570375697u},
      {Format::u16, 24, 50, 3, 5, 2.0f, 25269679030u},
      {Format::u16, 24, 50, 1, 1, 0.0f, 29007307747u},
      {Format::u16, 24, 50, 4, 2, 1.5f, 26849220198u},
  };
  for (const auto& r : rows) {
    const Clahe op{.tiles = {r.across, r.down}, .clip_factor = r.clip};
    const std::string text = std::to_string(r.width) + "x" + std::to_string(r.height) + " in " +
                             std::to_string(r.across) + "x" + std::to_string(r.down) + " " +
                             std::string(name_of(r.format));
    if (r.format == Format::u8) {
      const Image image = test::image_of(r.width, r.height, 1, test::slope<std::uint8_t>(r.width, r.height));
      EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(op, image))), r.sum) << text;
    } else {
      const Image image = test::image_of(r.width, r.height, 1, test::slope<std::uint16_t>(r.width, r.height));
      EXPECT_EQ(test::weighted_sum(samples_of<std::uint16_t>(everywhere(op, image))), r.sum) << text;
    }
  }
}

TEST(Clahe, FractionOfTheRegionAsLimit) {
  // 40 * pixels / 256 = pixels * 0.15625, exactly.
  const Image image = test::image_of(300, 211, 1, test::slope<std::uint8_t>(300, 211));
  EXPECT_EQ(hash(everywhere(Clahe{.clip_fraction = 0.15625f}, image).view()), hash(apply(Clahe{}, image).view()));
  EXPECT_NE(hash(apply(Clahe{.clip_fraction = 0.01f}, image).view()), hash(apply(Clahe{}, image).view()));
}

TEST(Clahe, EachChannelIsAnImageOfItsOwn) {
  const Bytes grey = test::slope<std::uint8_t>(61, 43);
  Bytes color;
  for (const std::uint8_t v : grey) color.insert(color.end(), {v, std::uint8_t(255 - v), 7, std::uint8_t(v / 2)});
  const Bytes result = samples_of<std::uint8_t>(everywhere(Clahe{.clip_factor = 3}, test::image_of(61, 43, 4, color)));
  for (int c = 0; c < 4; ++c) {
    Bytes channel, expected;
    for (std::size_t i = 0; i < grey.size(); ++i) {
      channel.push_back(color[4 * i + std::size_t(c)]);
      expected.push_back(result[4 * i + std::size_t(c)]);
    }
    EXPECT_EQ(samples_of<std::uint8_t>(apply(Clahe{.clip_factor = 3}, test::image_of(61, 43, 1, channel))), expected)
        << c;
  }
}

TEST(Clahe, OnValueScalesAllThree) {
  const Words value = test::slope<std::uint16_t>(61, 43);
  const Words better = samples_of<std::uint16_t>(apply(Clahe{.clip_factor = 3}, test::image_of(61, 43, 1, value)));
  Words color;
  for (std::size_t i = 0; i < value.size(); ++i)
    color.insert(color.end(), {std::uint16_t(value[i] / 3), value[i], 0, std::uint16_t(i)});
  const Words result = samples_of<std::uint16_t>(
      everywhere(Clahe{.clip_factor = 3, .on = Clahe::On::value}, test::image_of(61, 43, 4, color)));
  for (std::size_t i = 0; i < value.size(); ++i) {
    EXPECT_EQ(result[4 * i + 1], value[i] ? better[i] : result[4 * i]);
    EXPECT_EQ(result[4 * i + 3], std::uint16_t(i));
    if (value[i] == 0) continue;  // black becomes grey
    EXPECT_NEAR(result[4 * i], double(value[i] / 3) * better[i] / value[i], 0.51);
    EXPECT_EQ(result[4 * i + 2], 0);
  }
}

TEST(Clahe, FloatsGoThroughTheLevelsOfU16) {
  const Words words = test::slope<std::uint16_t>(64, 48);
  std::vector<float> reals;
  for (const std::uint16_t v : words) reals.push_back(float(v) / 65535.0f);
  for (const int bins : {0, 256}) {
    const Clahe op{.clip_factor = 2, .bins = bins};
    const Words levels = samples_of<std::uint16_t>(everywhere(op, test::image_of(64, 48, 1, words)));
    const std::vector<float> result = samples_of<float>(everywhere(op, test::image_of(64, 48, 1, reals)));
    for (std::size_t i = 0; i < levels.size(); ++i) ASSERT_NEAR(double(result[i]) * 65535.0, levels[i], 0.51) << i;
  }
}

TEST(Clahe, FewBinsTakeTheHighByte) {
  // Of u16 values v * 257 the high byte is v: the same counters and, times 257, nearly the same maps as u8.
  const Bytes bytes = test::slope<std::uint8_t>(300, 211);
  Words words;
  for (const std::uint8_t v : bytes) words.push_back(std::uint16_t(v * 257));
  const Bytes small = samples_of<std::uint8_t>(apply(Clahe{.clip_factor = 4}, test::image_of(300, 211, 1, bytes)));
  const Words large =
      samples_of<std::uint16_t>(everywhere(Clahe{.clip_factor = 4, .bins = 256}, test::image_of(300, 211, 1, words)));
  for (std::size_t i = 0; i < small.size(); ++i) ASSERT_NEAR(large[i] / 257.0, small[i], 1.01) << i;
}

TEST(Clahe, NotANumberStaysAndCountsAsBlack) {
  std::vector<float> reals(400, 0.25f), zeros;
  reals[17] = NAN;
  reals[203] = -3.0f;
  reals[50] = 2.0f;
  zeros = reals;
  zeros[17] = 0.0f;
  const Clahe op{.tiles = {2, 2}};
  std::vector<float> result = samples_of<float>(everywhere(op, test::image_of(20, 20, 1, reals)));
  std::vector<float> expected = samples_of<float>(apply(op, test::image_of(20, 20, 1, zeros)));
  EXPECT_TRUE(std::isnan(result[17]));
  result[17] = expected[17];
  EXPECT_EQ(result, expected);
  for (const float v : result) EXPECT_TRUE(v >= 0.0f && v <= 1.0f);
}

TEST(Clahe, PartsOfLargerPlanesInPlace) {
  const Bytes inner = test::slope<std::uint8_t>(37, 29);
  Bytes parent(60u * 40u, 9);
  const View<std::uint8_t> view(parent.data() + 5 * 60 + 11, 37, 29, 1, 60);
  for (int y = 0; y < 29; ++y) std::copy_n(inner.data() + y * 37, 37, view.row(y));
  const Bytes expected = samples_of<std::uint8_t>(apply(Clahe{}, test::image_of(37, 29, 1, inner)));
  apply(Clahe{}, View<const std::uint8_t>(view), view);
  for (int y = 0; y < 29; ++y) EXPECT_TRUE(std::equal(view.row(y), view.row(y) + 37, expected.data() + y * 37)) << y;
  EXPECT_EQ(view.row(0)[-1], 9);
  EXPECT_EQ(view.row(28)[37], 9);
}

TEST(Clahe, SmallestImages) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Clahe{}, test::image_of<std::uint8_t>(1, 1, 1, {3}))).size(), 1u);
  EXPECT_EQ(everywhere(Clahe{}, test::noise({1, 77, 1, Format::u16})).shape(), (PlaneShape{1, 77, 1, Format::u16}));
  EXPECT_EQ(everywhere(Clahe{}, test::noise({90, 1, 3, Format::f32})).shape(), (PlaneShape{90, 1, 3, Format::f32}));
  EXPECT_TRUE(apply(Clahe{}, Image(Format::u8, 0, 5)).empty());
}

TEST(Clahe, Refusals) {
  const Image grey(Format::u8, 4, 4);
  EXPECT_NE(test::refusal(Clahe{.tiles = {0, 8}}, grey).find("clahe: tiles = 0, allowed 1 to 1024"), std::string::npos);
  EXPECT_NE(test::refusal(Clahe{.clip_factor = -1}, grey).find("clahe: clip_factor = -1, allowed 0 to"),
            std::string::npos);
  EXPECT_NE(test::refusal(Clahe{.clip_fraction = 1.5f}, grey).find("clahe: clip_fraction = 1.5, allowed 0 to 1"),
            std::string::npos);
  EXPECT_EQ(test::refusal(Clahe{.bins = 300}, grey), "clahe: bins = 300, allowed 256, 65536, or 0 for automatic");
  EXPECT_EQ(test::refusal(Clahe{.bins = 65536}, grey), "clahe: bins = 65536, allowed 256 for u8");
  EXPECT_EQ(test::refusal(Clahe{.on = Clahe::On::value}, grey),
            "clahe: on = value takes 3 or 4 channels, the image is u8 4x4");
}

}  // namespace
}  // namespace zp
