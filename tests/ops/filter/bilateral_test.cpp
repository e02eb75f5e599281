// Smoothing that keeps edges.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/bilateral.h"

#include "ops/filter/correlation.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Bilateral, IsOpencvs) {
  // cv2.bilateralFilter with d = 5, sigmaColor = 40, sigmaSpace = 1.5; the formula in double lies 0.017 off all ties.
  const std::vector<std::uint8_t> grey{26,  50,  77,  112, 148, 178, 195, 93,  139, 187, 226, 55,
                                       89,  134, 173, 223, 68,  116, 178, 223, 72,  34,  93,  168,
                                       229, 72,  143, 215, 99,  189, 53,  119, 201, 57,  137};
  const Image image = test::pattern_image();
  EXPECT_EQ(
      test::samples_of<std::uint8_t>(everywhere(Bilateral{.radius = 2, .sigma_space = 1.5f, .sigma_range = 40}, image)),
      grey);
  // Radius round(1.5 * 1.5) = 2 by itself.
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Bilateral{.sigma_space = 1.5f, .sigma_range = 40}, image)), grey);
}

TEST(Bilateral, ChannelsMoveTogether) {
  // The same with sigmaColor = 120 of three channels: the pattern, and numpy.roll of it by 1 along x and along y.
  const std::vector<std::uint8_t> expected{
      15,  202, 98,  44,  9,   179, 106, 65,  56,  127, 92,  131, 136, 100, 161, 193, 153, 77,  188, 163, 114,
      119, 121, 26,  139, 95,  44,  181, 134, 77,  218, 170, 104, 53,  227, 153, 103, 59,  194, 121, 75,  199,
      165, 78,  80,  221, 162, 123, 58,  224, 184, 117, 60,  218, 196, 131, 72,  217, 162, 72,  73,  218, 136,
      29,  210, 179, 95,  25,  235, 182, 108, 76,  225, 158, 101, 61,  230, 166, 135, 62,  224, 222, 155, 67,
      135, 118, 54,  183, 112, 81,  51,  204, 173, 118, 47,  234, 205, 130, 77,  59,  217, 154, 138, 61,  230};
  const std::vector<std::uint8_t> grey = test::pattern();
  std::vector<std::uint8_t> samples;
  for (std::size_t y = 0; y < 5; ++y)
    for (std::size_t x = 0; x < 7; ++x) {
      samples.push_back(grey[y * 7 + x]);
      samples.push_back(grey[y * 7 + (x + 6) % 7]);
      samples.push_back(grey[(y + 4) % 5 * 7 + x]);
    }
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Bilateral{.sigma_space = 1.5f, .sigma_range = 120},
                                                      test::image_of<std::uint8_t>(7, 5, 3, samples))),
            expected);
}

/// The definition in double.
template <class T>
void expect_definition(const Bilateral& op, int radius, double sigma_range, const PlaneShape& shape, double tolerance) {
  const Image image = test::noise(shape, 5);
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  const double space = double(op.sigma_space);
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      double sum[4] = {}, total = 0;
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
          if (dx * dx + dy * dy > radius * radius) continue;
          double distance = 0;
          for (int c = 0; c < shape.channels; ++c)
            distance += std::fabs(double(in.at(x + dx, y + dy, c)) - double(in.at(x, y, c)));
          const double w = std::exp(-(dx * dx + dy * dy) / (2 * space * space)) *
                           std::exp(-distance * distance / (2 * sigma_range * sigma_range));
          total += w;
          for (int c = 0; c < shape.channels; ++c) sum[c] += w * double(in.at(x + dx, y + dy, c));
        }
      for (int c = 0; c < shape.channels; ++c)
        ASSERT_NEAR(double(out.as<T>().at(x, y, c)), sum[c] / total, tolerance) << x << ' ' << y << ' ' << c;
    }
}

TEST(Bilateral, IsTheDefinitionWithinRounding) {
  for (const Border border : test::kBorders) {
    const Bilateral op{.radius = 4, .sigma_space = 3, .border = border, .value = 1};  // a tenth of white
    expect_definition<std::uint8_t>(op, 4, 25.5, {19, 11, 3, Format::u8}, 0.501);
    expect_definition<std::uint16_t>(op, 4, 6553.5, {19, 11, 1, Format::u16}, 0.6);
    expect_definition<float>(op, 4, 0.1, {9, 13, 4, Format::f32}, 3e-6);
  }
  expect_definition<std::uint8_t>({.radius = 15, .sigma_space = 1000, .sigma_range = 90}, 15, 90,
                                  {37, 21, 2, Format::u8}, 0.501);
  expect_definition<std::uint8_t>({.sigma_space = 300, .sigma_range = 90}, 15, 90, {5, 3, 1, Format::u8}, 0.501);
  expect_definition<float>({.sigma_space = 0.2f, .sigma_range = 0.5f}, 1, 0.5, {133, 18, 1, Format::f32}, 3e-6);
}

TEST(Bilateral, UnitsAreTheFormats) {
  const Image bytes = test::noise({41, 23, 3, Format::u8}, 6);
  Image words(Format::u16, 41, 23, 3);
  test::for_each_sample(bytes, [&](int x, int y, int c) {
    words.as<std::uint16_t>().at(x, y, c) = std::uint16_t(257 * bytes.as<std::uint8_t>().at(x, y, c));
  });
  const Image a = everywhere(Bilateral{.radius = 3, .sigma_range = 60}, bytes),
              b = everywhere(Bilateral{.radius = 3, .sigma_range = 257 * 60}, words);
  test::for_each_sample(bytes, [&](int x, int y, int c) {
    // Half a level of u8, and half of u16.
    ASSERT_NEAR(double(b.as<std::uint16_t>().at(x, y, c)), 257.0 * a.as<std::uint8_t>().at(x, y, c), 128.5 + 0.6);
  });
  // A tenth of white by itself: the same pictures.
  EXPECT_EQ(hash(apply(Bilateral{}, bytes).view()), hash(apply(Bilateral{.sigma_range = 25.5f}, bytes).view()));
  EXPECT_EQ(hash(apply(Bilateral{}, words).view()), hash(apply(Bilateral{.sigma_range = 6553.5f}, words).view()));
}

TEST(Bilateral, KeepsConstantsStepsAndWhatSigmaZeroSays) {
  const std::vector<float> flat(64, 0.1f);
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
    EXPECT_EQ(test::samples_of<float>(
                  everywhere(Bilateral{.radius = 15, .border = border}, test::image_of<float>(8, 8, 1, flat))),
              flat);
  // Differences of 8 sigma and more do not count at all.
  const std::vector<std::uint8_t> step{10, 10, 10, 90, 90, 90};
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(Bilateral{.radius = 3, .sigma_range = 10}, test::row_of<std::uint8_t>(step))),
            step);
  const Image image = test::noise({17, 9, 3, Format::f32}, 8);
  EXPECT_EQ(hash(everywhere(Bilateral{.sigma_range = 0}, image).view()), hash(image.view()));
  EXPECT_EQ(hash(everywhere(Bilateral{.sigma_space = 0}, image).view()), hash(image.view()));
  EXPECT_EQ(hash(everywhere(Bilateral{.sigma_range = 1e-45f}, image).view()), hash(image.view()));
}

TEST(Bilateral, CaseA20TinyImages) {
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap}) {
    const Bilateral op{.radius = 15, .sigma_space = 9, .sigma_range = 50, .border = border};
    EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(op, test::row_of<std::uint8_t>({7}))),
              (std::vector<std::uint8_t>{7}));
    const auto two = test::samples_of<float>(everywhere(op, test::row_of<float>({3, 9})));
    for (const float v : two) {
      EXPECT_GT(v, 3.0f);
      EXPECT_LT(v, 9.0f);
    }
  }
}

TEST(Bilateral, NanReachesItsChannelInItsCircle) {
  Image image(Format::f32, 9, 9, 2);
  test::for_each_sample(image, [&](int x, int y, int c) { image.as<float>().at(x, y, c) = 1; });
  image.as<float>().at(4, 4, 0) = std::nanf("");
  const Image out = everywhere(Bilateral{.radius = 2}, image);
  test::for_each_sample(image, [&](int x, int y, int c) {
    const int square = (x - 4) * (x - 4) + (y - 4) * (y - 4);
    // Its own pixel has no distance to anything: both channels.
    EXPECT_EQ(std::isnan(out.as<float>().at(x, y, c)), square == 0 || (c == 0 && square <= 4)) << x << ' ' << y;
  });
}

TEST(Bilateral, RectanglesAndTwoAtOnce) {
  test::expect_rectangles_as_images<std::uint8_t, std::uint8_t>(Bilateral{.radius = 4, .border = Border::wrap});
  test::expect_independent(Bilateral{.radius = 2}, Bilateral{.radius = 3}, test::noise({64, 64, 1, Format::f32}));
}

TEST(Bilateral, RefusesWhatItCannotDo) {
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(Bilateral{.radius = 16}, image), "bilateral: radius = 16, allowed 0 to 15 pixels");
  EXPECT_EQ(test::refusal(Bilateral{.sigma_space = -1}, image),
            "bilateral: sigma_space = -1, allowed 0 to 1e+06 pixels");
  EXPECT_EQ(test::refusal(Bilateral{.sigma_range = -1}, image),
            "bilateral: sigma_range = -1, allowed 0 to 1e+30 pixel value");
}

}  // namespace
}  // namespace zp
