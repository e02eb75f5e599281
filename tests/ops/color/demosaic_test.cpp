// Demosaic on mosaics of plain colours, and against OpenCV 5.0 (bilinear) and colour-demosaicing 0.2 (Malvar).
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/demosaic.h"

#include "support/everywhere.h"

namespace zp::test {
namespace {

using Pattern = Demosaic::Pattern;
using Method = Demosaic::Method;

/// Colour index (0 red, 1 green, 2 blue) at (x, y), spelled as the patterns are.
int color_at(Pattern pattern, int x, int y) {
  const std::string_view name = Demosaic::kPatterns[std::size_t(pattern)];
  const char letter = name[std::size_t(2 * (y % 2) + x % 2)];
  return letter == 'r' ? 0 : letter == 'g' ? 1 : 2;
}

template <class T>
Image quadratic_mosaic() {
  std::vector<T> samples;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) samples.push_back(T((x * x * 7 + y * y * 13 + x * y * 5) % 256));
  return image_of<T>(7, 5, 1, samples);
}

template <class T>
void expect_plain_colors(const std::array<T, 3>& color) {
  for (const Pattern pattern : {Pattern::rggb, Pattern::bggr, Pattern::grbg, Pattern::gbrg})
    for (const Method method : {Method::bilinear, Method::malvar})
      for (const auto& [width, height] : {std::pair{5, 5}, {5, 4}, {4, 5}, {2, 2}, {3, 2}, {2, 3}, {33, 17}}) {
        std::vector<T> samples;
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) samples.push_back(color[std::size_t(color_at(pattern, x, y))]);
        const auto out = samples_of<T>(everywhere(Demosaic{pattern, method}, image_of<T>(width, height, 1, samples)));
        for (std::size_t i = 0; i < out.size(); ++i)
          ASSERT_EQ(out[i], color[i % 3])
              << Demosaic::kPatterns[std::size_t(pattern)] << " " << width << "x" << height << " sample " << i;
      }
}

TEST(Demosaic, CaseA25PlainColorsReachTheBorderAtAnySize) {
  expect_plain_colors<std::uint8_t>({200, 100, 50});
  expect_plain_colors<std::uint16_t>({60000, 3000, 1});
  expect_plain_colors<float>({0.75f, 0.5f, 2.0f});
}

TEST(Demosaic, OneRowOrColumnIsRefused) {
  for (const auto& [width, height] : {std::pair{4, 1}, {1, 4}, {1, 1}}) {
    const Image image(Format::u8, width, height);
    EXPECT_THROW(apply(Demosaic{}, image), Error);
  }
  const Image row(Format::u8, 1, 4);
  try {
    apply(Demosaic{}, row);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "demosaic: the image is u8 1x4; a mosaic has at least 2 rows and 2 columns");
  }
  EXPECT_TRUE(apply(Demosaic{}, Image(Format::u8, 0, 4)).empty());
}

void expect_inside_within_one(Pattern pattern, const std::vector<int>& expected) {
  const Image out = everywhere(Demosaic{pattern}, quadratic_mosaic<std::uint8_t>());
  std::size_t i = 0;
  for (int y = 1; y < 4; ++y)
    for (int x = 1; x < 6; ++x)
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(out.as<std::uint8_t>().at(x, y, c), expected[i++], 1) << x << ", " << y << ", " << c;
}

TEST(Demosaic, BilinearIsWithinOneOfOpenCvInside) {
  // OpenCV rounds halves up.
  expect_inside_within_one(Pattern::rggb, {45, 35,  25,  64,  51,  58,  111, 101, 91,  158, 145, 152, 169, 95,  213,
                                           76, 69,  82,  100, 110, 120, 152, 145, 158, 204, 86,  160, 156, 21,  162,
                                           95, 149, 139, 60,  175, 182, 117, 107, 225, 174, 33,  168, 131, 121, 111});
  expect_inside_within_one(Pattern::gbrg, {32,  25,  38,  51,  61,  71,  98,  91,  104, 145, 155, 101, 92,  213, 98,
                                           89,  79,  69,  113, 100, 107, 101, 155, 145, 89,  204, 83,  105, 159, 21,
                                           146, 139, 152, 175, 121, 131, 104, 225, 110, 33,  171, 117, 118, 111, 124});
}

TEST(Demosaic, BilinearAveragesWhatExistsAtTheBorder) {
  const auto out = samples_of<float>(everywhere(Demosaic{}, image_of<float>(3, 2, 1, {10, 20, 30, 41, 50, 60})));
  // R G R / G B G: green at (0, 0) from its two neighbours, at (2, 0) too; blue from the one at (1, 1); red at (1, 1)
  // from two.
  EXPECT_EQ(out, (std::vector<float>{10, 30.5f, 50, 20, 20, 50, 30, 40, 50, 10, 41, 50, 20, (20 + 41 + 60) / 3.0f, 50,
                                     30, 60, 50}));
}

TEST(Demosaic, MalvarEqualsColourDemosaicing) {
  // Sums of eighths and sixteenths: exact in f32. That package repeats the edge pixel, which breaks the pattern, so it
  // was given a mosaic that reflect101 had extended by 4.
  const Image mosaic = quadratic_mosaic<float>();
  EXPECT_EQ(
      samples_of<float>(everywhere(Demosaic{Pattern::grbg, Method::malvar}, mosaic)),
      (std::vector<float>{
          -6.0f,    0.0f,   -9.0f,    7.0f,    -3.0f,  -1.75f,  22.0f,    28.0f,  21.5f,    63.0f,   53.0f,  56.75f,
          103.5f,   112.0f, 105.5f,   175.0f,  250.0f, 170.75f, 211.5f,   252.0f, 77.0f,    4.25f,   3.0f,   13.0f,
          17.875f,  25.0f,  20.875f,  37.25f,  38.5f,  51.0f,   80.75f,   91.0f,  89.375f,  159.5f,  194.0f, 145.0f,
          125.125f, 213.0f, 122.875f, 27.5f,   149.5f, 39.0f,   48.5f,    52.0f,  43.0f,    69.0f,   56.5f,  55.25f,
          80.5f,    100.0f, 125.5f,   145.0f,  199.0f, 167.0f,  120.5f,   204.0f, 117.5f,   21.0f,   98.5f,  14.25f,
          -23.5f,   108.0f, 93.0f,    149.75f, 133.0f, 117.0f,  193.625f, 139.0f, 150.125f, 191.75f, 161.5f, 175.0f,
          168.25f,  225.0f, 174.625f, 37.5f,   118.0f, 33.0f,   108.375f, 111.0f, 100.125f, 218.5f,  162.5f, 203.0f,
          297.0f,   208.0f, 167.0f,   235.0f,  188.0f, 238.25f, 45.0f,    20.0f,  93.5f,    75.0f,   97.0f,  19.25f,
          171.5f,   144.0f, -6.5f,    227.0f,  179.0f, 223.75f, 191.5f,   68.0f,  181.0f}));
  EXPECT_EQ(samples_of<float>(everywhere(Demosaic{Pattern::bggr, Method::malvar}, mosaic)),
            (std::vector<float>{
                -5.0f,  -10.0f,  0.0f,     0.5f,    7.0f,   2.25f,   20.5f,  18.0f,  28.0f,   56.5f,   63.0f,  55.75f,
                107.0f, 102.0f,  112.0f,   286.0f,  175.0f, 218.25f, 319.5f, 178.0f, 252.0f,  9.5f,    13.0f,  5.25f,
                25.0f,  12.5f,   11.25f,   48.75f,  51.0f,  42.0f,   91.0f,  77.25f, 75.375f, 192.0f,  145.0f, 181.5f,
                213.0f, 123.0f,  211.0f,   167.25f, 39.0f,  143.25f, 44.5f,  42.0f,  52.0f,   63.75f,  69.0f,  63.0f,
                138.0f, 122.0f,  100.0f,   186.5f,  145.0f, 189.5f,  226.0f, 130.0f, 204.0f,  82.75f,  21.0f,  121.0f,
                106.5f, 34.0f,   108.0f,   100.5f,  117.0f, 132.75f, 139.0f, 152.5f, 100.25f, 221.25f, 175.0f, 85.0f,
                225.0f, 148.75f, 179.625f, 94.0f,   33.0f,  137.5f,  111.0f, 94.0f,  90.5f,   182.75f, 203.0f, 126.75f,
                268.0f, 262.0f,  208.0f,   215.0f,  235.0f, 157.75f, 93.5f,  106.0f, 20.0f,   212.5f,  75.0f,  37.25f,
                183.0f, 102.0f,  144.0f,   207.5f,  227.0f, 153.75f, 67.5f,  186.0f, 68.0f}));
  const auto clamped_colors =
      samples_of<std::uint8_t>(everywhere(Demosaic{Pattern::grbg, Method::malvar}, quadratic_mosaic<std::uint8_t>()));
  EXPECT_EQ(clamped_colors[0], 0);     // -6
  EXPECT_EQ(clamped_colors[84], 255);  // 297
}

TEST(Demosaic, RectanglesOfLargerPlanesStayInside) {
  std::vector<std::uint16_t> in(20 * 12, 65535), out(3 * 16 * 10, 7);
  const View<std::uint16_t> source = View<std::uint16_t>(in.data(), 20, 12).sub(5, 3, 7, 5),
                            whole(out.data(), 16, 10, 3);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) source.at(x, y) = std::uint16_t(100 + 100 * color_at(Pattern::rggb, x, y));
  apply(Demosaic{}, source, whole.sub(1, 2, 7, 5));
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 16; ++x)
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(whole.at(x, y, c), x >= 1 && x < 8 && y >= 2 && y < 7 ? 100 + 100 * c : 7) << x << ", " << y;
}

TEST(Demosaic, NoiseIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const Method method : {Method::bilinear, Method::malvar})
      everywhere(Demosaic{Pattern::gbrg, method}, noise({67, 45, 1, format}));
}

}  // namespace
}  // namespace zp::test
