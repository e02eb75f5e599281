// Percentiles of a square.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/rank.h"

#include <algorithm>

#include "ops/filter/correlation.h"
#include "ops/filter/median.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Rank, IsScipysPercentileFilter) {
  // scipy.ndimage.percentile_filter, size 3, mode nearest; the last: 75 percent, size 7, mode mirror.
  const std::vector<std::uint8_t> p10{0,  0,  37, 35, 35, 35, 85, 0,  0,  37, 35, 35, 35, 48, 17, 17, 52, 35,
                                      35, 35, 48, 17, 17, 30, 30, 41, 41, 41, 17, 17, 30, 30, 41, 41, 41};
  const std::vector<std::uint8_t> p33{0,  37, 74, 74, 111, 135, 135, 37,  52, 74, 74, 111, 85, 85, 91, 91, 115, 65,
                                      85, 65, 85, 93, 52,  93,  65,  115, 65, 48, 93, 30,  93, 65, 65, 65, 130};
  const std::vector<std::uint8_t> p88{91,  141, 191, 191, 185, 222, 222, 182, 191, 241, 191, 241,
                                      222, 222, 182, 191, 245, 241, 241, 217, 217, 197, 197, 245,
                                      208, 241, 217, 217, 197, 197, 197, 208, 208, 208, 217};
  const std::vector<std::uint8_t> p100{141, 191, 241, 241, 241, 222, 222, 245, 245, 245, 241, 241,
                                       241, 241, 245, 245, 245, 245, 245, 241, 241, 245, 245, 245,
                                       245, 245, 241, 241, 197, 197, 245, 245, 245, 217, 217};
  const std::vector<std::uint8_t> p75{191, 182, 185, 191, 217, 191, 222, 191, 191, 191, 191, 197,
                                      191, 208, 191, 191, 185, 191, 191, 191, 217, 191, 182, 191,
                                      191, 208, 191, 217, 197, 191, 197, 191, 208, 191, 217};
  const Image image = test::pattern_image();
  const auto at = [&](const Rank& op) { return test::samples_of<std::uint8_t>(everywhere(op, image)); };
  EXPECT_EQ(at({.percentile = 0}), p10);  // the same as 10 percent of 9
  EXPECT_EQ(at({.percentile = 10}), p10);
  EXPECT_EQ(at({.percentile = 33.3}), p33);
  EXPECT_EQ(at({.percentile = 88.8}), p88);
  EXPECT_EQ(at({.percentile = 99.99}), p100);
  EXPECT_EQ(at({.percentile = 100}), p100);
  EXPECT_EQ(at({.radius = 3, .percentile = 75, .border = Border::reflect101}), p75);
}

TEST(Rank, CaseA3ConstantImagesAndBorders) {
  const std::vector<std::uint8_t> flat(25, 200);
  for (const double percentile : {0.0, 30.0, 100.0})
    EXPECT_EQ(test::samples_of<std::uint8_t>(
                  everywhere(Rank{.radius = 2, .percentile = percentile}, test::image_of<std::uint8_t>(5, 5, 1, flat))),
              flat);
  const Image image = test::image_of<std::uint8_t>(3, 3, 1, {5, 90, 7, 80, 3, 60, 9, 70, 1});
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Rank{}, image)),
            (std::vector<std::uint8_t>{5, 7, 7, 9, 9, 7, 9, 9, 3}));
}

TEST(Rank, FiftyIsTheMedian) {
  for (const int radius : {1, 2, 5, 15}) {
    const Image image = test::noise({33, 18, 3, Format::u16}, unsigned(radius));
    EXPECT_EQ(hash(everywhere(Rank{.radius = radius}, image).view()),
              hash(apply(Median{.radius = radius}, image).view()));
  }
}

template <class T>
void expect_sorted(const Rank& op, std::size_t rank, const Image& image) {
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  test::for_each_sample(image, [&](int x, int y, int c) {
    std::vector<T> window;
    for (int dy = -op.radius; dy <= op.radius; ++dy)
      for (int dx = -op.radius; dx <= op.radius; ++dx) window.push_back(in.at(x + dx, y + dy, c));
    std::sort(window.begin(), window.end(), [](T a, T b) { return a < b || (a == a && b != b); });
    const T expected = window[rank], found = out.as<T>().at(x, y, c);
    ASSERT_TRUE(found == expected || (found != found && expected != expected))
        << "radius " << op.radius << " at " << x << ' ' << y << ' ' << c << ": " << double(found) << ", not "
        << double(expected);
  });
}

TEST(Rank, IsThatPlaceOfTheSortedWindow) {
  // floor(n p / 100) of n = 9, 49, 961.
  const struct {
    int radius;
    double percentile;
    std::size_t rank;
  } known[] = {{1, 0, 0}, {1, 99, 8}, {3, 12.5, 6}, {3, 100, 48}, {15, 0.1, 0}, {15, 25, 240}, {15, 100, 960}};
  for (const auto& k : known)
    for (const Border border : {Border::replicate, Border::reflect, Border::wrap, Border::constant}) {
      const Rank op{.radius = k.radius, .percentile = k.percentile, .border = border, .value = 1};
      expect_sorted<std::uint8_t>(op, k.rank, test::noise({11, 7, 4, Format::u8}));
      expect_sorted<std::uint16_t>(op, k.rank, test::noise({1, 9, 1, Format::u16}));
      expect_sorted<float>(op, k.rank, test::noise({9, 5, 2, Format::f32}));
    }
}

TEST(Rank, NanSortsLast) {
  const float nan = std::nanf("");
  const Image image = test::image_of<float>(3, 3, 1, {nan, 1, -HUGE_VALF, 2, 5, 3, HUGE_VALF, 4, nan});
  EXPECT_EQ(everywhere(Rank{.percentile = 0}, image).as<float>().at(1, 1), -HUGE_VALF);
  EXPECT_EQ(everywhere(Rank{.percentile = 70}, image).as<float>().at(1, 1), HUGE_VALF);  // place 6 of 7 numbers
  EXPECT_TRUE(std::isnan(everywhere(Rank{.percentile = 80}, image).as<float>().at(1, 1)));
}

TEST(Rank, RectanglesAreReadAlone) {
  test::expect_rectangles_as_images<std::uint8_t, std::uint8_t>(Rank{.radius = 4, .percentile = 20});
}

TEST(Rank, RefusesWhatItCannotDo) {
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(Rank{.percentile = 101}, image), "rank: percentile = 101, allowed 0 to 100 percent");
  EXPECT_EQ(test::refusal(Rank{.percentile = -1}, image), "rank: percentile = -1, allowed 0 to 100 percent");
  EXPECT_EQ(test::refusal(Rank{.percentile = std::nan("")}, image), "rank: percentile is not a number");
  EXPECT_EQ(test::refusal(Rank{.radius = 16}, image), "rank: radius = 16, allowed 1 to 15 pixels");
}

}  // namespace
}  // namespace zp
