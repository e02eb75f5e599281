// Median of a square.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/median.h"

#include <algorithm>
#include <limits>

#include "ops/filter/pictures.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Median, CaseA3BordersAsStated) {
  const std::vector<std::uint8_t> flat(25, 200);
  for (const int radius : {1, 2, 3, 15})
    EXPECT_EQ(test::samples_of<std::uint8_t>(
                  everywhere(Median{.radius = radius}, test::image_of<std::uint8_t>(5, 5, 1, flat))),
              flat);
  const Image image = test::image_of<std::uint8_t>(3, 3, 1, {5, 90, 7, 80, 3, 60, 9, 70, 1});
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Median{}, image)),
            (std::vector<std::uint8_t>{5, 7, 7, 9, 9, 7, 9, 9, 3}));
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Median{.border = Border::reflect101}, image)),
            (std::vector<std::uint8_t>{5, 60, 7, 70, 9, 60, 9, 60, 3}));
}

TEST(Median, IsOpencvsAndScipys) {
  // cv2.medianBlur with ksize 3 and 7; scipy.ndimage.median_filter(mode nearest) gives the same.
  const std::vector<std::uint8_t> three{37,  74,  111, 111, 148, 148, 185, 91,  91,  115, 115, 148,
                                        148, 135, 93,  141, 169, 169, 141, 135, 135, 108, 108, 119,
                                        119, 141, 141, 130, 108, 108, 119, 119, 119, 130, 130};
  const std::vector<std::uint8_t> seven{52,  74,  93,  115, 148, 169, 185, 91,  91,  108, 119, 141,
                                        148, 148, 108, 108, 108, 119, 135, 135, 135, 108, 108, 108,
                                        119, 130, 130, 130, 108, 108, 108, 119, 130, 130, 130};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Median{}, test::pattern_image())), three);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Median{.radius = 3}, test::pattern_image())), seven);
}

/// Sorts each window.
template <class T>
void expect_sorted_middle(const Median& op, const Image& image) {
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      for (int c = 0; c < image.channels(); ++c) {
        std::vector<T> window;
        for (int dy = -op.radius; dy <= op.radius; ++dy)
          for (int dx = -op.radius; dx <= op.radius; ++dx) window.push_back(in.at(x + dx, y + dy, c));
        std::sort(window.begin(), window.end(), [](T a, T b) { return a < b || (a == a && b != b); });
        const T expected = window[window.size() / 2], found = out.as<T>().at(x, y, c);
        ASSERT_TRUE(found == expected || (found != found && expected != expected))
            << "radius " << op.radius << " at " << x << ' ' << y << ' ' << c << ": " << double(found) << ", not "
            << double(expected);
      }
}

TEST(Median, IsTheMiddleOfTheSortedWindow) {
  for (const int radius : {1, 2, 3, 5, 8, 15})
    for (const Border border : {Border::replicate, Border::reflect101, Border::wrap, Border::constant}) {
      const Median op{.radius = radius, .border = border, .value = 1};
      expect_sorted_middle<std::uint8_t>(op, test::noise({21, 11, 1, Format::u8}));
      expect_sorted_middle<std::uint16_t>(op, test::noise({7, 19, 3, Format::u16}));
      expect_sorted_middle<float>(op, test::noise({13, 9, 2, Format::f32}));
    }
}

TEST(Median, TilesMeetWithoutSeams) {  // wider and higher than a tile of any executor
  for (const int radius : {2, 4, 15}) {
    expect_sorted_middle<std::uint8_t>(Median{.radius = radius}, test::noise({70, 35, 4, Format::u8}));
    expect_sorted_middle<std::uint16_t>(Median{.radius = radius}, test::noise({261, 18, 1, Format::u16}));
  }
  expect_sorted_middle<float>(Median{.radius = 4}, test::noise({69, 17, 4, Format::f32}));
  expect_sorted_middle<std::uint8_t>(Median{.radius = 3}, test::noise({261, 67, 1, Format::u8}));
  expect_sorted_middle<float>(Median{.radius = 3}, test::noise({131, 33, 2, Format::f32}));
  expect_sorted_middle<std::uint8_t>(Median{.radius = 7}, test::noise({1, 40, 1, Format::u8}));
  expect_sorted_middle<std::uint8_t>(Median{.radius = 8}, test::noise({300, 1, 1, Format::u8}));
}

TEST(Median, BitsThatAllSamplesShare) {
  std::vector<std::uint16_t> words;
  std::vector<float> numbers;
  std::mt19937 random(8);
  for (int k = 0; k < 40 * 35; ++k) {
    words.push_back(std::uint16_t(0xa005u | (random() % 16 << 4) | (random() % 2 << 10)));
    numbers.push_back(float(random() % 64));  // the low bits of the fraction are 0
  }
  for (const int radius : {3, 5}) {
    const Median op{.radius = radius, .border = Border::reflect};
    expect_sorted_middle<std::uint16_t>(op, test::image_of<std::uint16_t>(40, 35, 1, words));
    expect_sorted_middle<float>(op, test::image_of<float>(40, 35, 1, numbers));
    // What lies outside differs in bits that no sample has.
    const Median constant{.radius = radius, .border = Border::constant, .value = 4096.5f};
    expect_sorted_middle<std::uint16_t>(constant, test::image_of<std::uint16_t>(40, 35, 1, words));
    expect_sorted_middle<float>(constant, test::image_of<float>(40, 35, 1, numbers));
  }
}

TEST(Median, NanSortsLast) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  std::vector<float> samples;
  std::mt19937 random(5);
  const float values[] = {nan, -nan, infinity, -infinity, -1.5f, -0.25f, 1e-40f, 3.0f};
  for (int i = 0; i < 15 * 12; ++i) samples.push_back(values[random() % 8]);
  const Image image = test::image_of<float>(15, 12, 1, samples);
  for (const int radius : {1, 2, 3, 6}) expect_sorted_middle<float>(Median{.radius = radius}, image);
  // 4 of 9 are NaN: the middle is the largest number; 5 of 9: it is NaN.
  const Image four = test::image_of<float>(3, 3, 1, {nan, 1, nan, 2, 5, 3, nan, 4, nan});
  EXPECT_EQ(everywhere(Median{}, four).as<float>().at(1, 1), 5.0f);
  const Image five = test::image_of<float>(3, 3, 1, {nan, 1, nan, 2, nan, 3, nan, 4, nan});
  EXPECT_TRUE(std::isnan(everywhere(Median{}, five).as<float>().at(1, 1)));
}

TEST(Median, InPlaceAndRectangles) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    for (const int radius : {1, 4}) {
      Image image = test::noise({33, 20, 1, Format::u16}, 2);
      const View<std::uint16_t> view = image.as<std::uint16_t>().sub(3, 2, 19, 15);
      Image cut(Format::u16, 19, 15);
      for (int y = 0; y < 15; ++y) std::memcpy(cut.as<std::uint16_t>().row(y), view.row(y), 38);
      const Image expected = apply(Median{.radius = radius}, cut);
      apply(Median{.radius = radius}, view, view);
      for (int y = 0; y < 15; ++y)
        EXPECT_EQ(std::memcmp(view.row(y), expected.as<std::uint16_t>().row(y), 38), 0) << place.text();
    }
  }
}

TEST(Median, RefusesWhatItCannotDo) {
  for (const int radius : {0, 16}) {
    try {
      apply(Median{.radius = radius}, test::pattern_image());
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "median: radius = " + std::to_string(radius) + ", allowed 1 to 15 pixels");
    }
  }
}

}  // namespace
}  // namespace zp
