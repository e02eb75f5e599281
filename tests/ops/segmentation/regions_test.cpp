// Tests of regions.
// SPDX-License-Identifier: Apache-2.0
#include "ops/segmentation/regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "ops/segmentation/reference.h"
#include "support/everywhere.h"

namespace zp {
namespace {

using Result = Regions::Result;
using Labels = std::vector<std::uint32_t>;

/// Every bit of a result.
std::string text_of(const Result& r) {
  std::string text;
  std::apply(
      [&](const auto&... f) {
        const auto add = [&](const auto& field) {
          text += std::string(field.name) + ":";
          for (const auto v : r.*field.member) {
            char buffer[40];
            std::snprintf(buffer, sizeof(buffer), " %a", v == v ? double(v) : 0.5);
            text += v == v ? buffer : " nan";
          }
          text += "\n";
        };
        (add(f), ...);
      },
      Result::fields);
  return text;
}

/// Equal on every executor.
Result regions_of(const Image& labels, const Image* intensity = nullptr) {
  Result expected;
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    const Image copy = labels.clone();
    Result found;
    if (intensity) {
      const Image other = intensity->clone();
      found = apply(Regions{}, copy, other);
    } else {
      found = apply(Regions{}, copy);
    }
    if (place.executor == Executor::cpu)
      expected = found;
    else
      EXPECT_EQ(text_of(found), text_of(expected));
  }
  return expected;
}

std::string message(const std::vector<const Image*>& images) {
  try {
    if (images.size() == 1)
      apply(Regions{}, *images[0]);
    else
      apply(Regions{}, *images[0], *images[1]);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const std::string kDrawing =
    "................"
    ".3333......77..."
    ".3333.....777..."
    ".33......7777.9."
    ".33.....777....."
    ".3.......7......"
    "................"
    ".555555555555..."
    "................"
    ".2...2..2222...."
    "..2.2...2..2...."
    "...2....2222....";

// Numbers by skimage.measure.regionprops (scikit-image 0.26.0), perimeter with its default neighborhood=4, orientation
// as degrees(orientation) - 90; the single pixel's orientation is a convention, 0 here.
TEST(Regions, AsScikitImage) {
  struct Row {
    int label, area;
    int box[4];
    double x, y, perimeter, major, minor, orientation, eccentricity, diameter, mean;
    int low, high;
    double deviation;
  };
  const Row rows[] = {{2,
                       15,
                       {1, 9, 11, 3},
                       7.333333333333333,
                       9.9333333333333336,
                       14.242640687119286,
                       13.284772452493158,
                       3.3959680009176587,
                       -1.6063565272110196,
                       0.96677505681986031,
                       4.3701937223683167,
                       136.73333333333332,
                       12,
                       238,
                       74.288147701291408},
                      {3,
                       13,
                       {1, 1, 4, 5},
                       2.0769230769230771,
                       2.3846153846153846,
                       10.207106781186548,
                       5.7572816450085806,
                       3.3408682056824102,
                       55.075873517105947,
                       0.81441298315978305,
                       4.0684289451282192,
                       143.92307692307693,
                       25,
                       249,
                       74.292003440127587},
                      {5,
                       12,
                       {1, 7, 12, 1},
                       6.5,
                       7,
                       10,
                       13.808210118138652,
                       0,
                       0,
                       1,
                       3.9088200952233594,
                       131.75,
                       28,
                       250,
                       73.132442641188092},
                      {7,
                       13,
                       {8, 1, 5, 5},
                       10.307692307692308,
                       2.8461538461538463,
                       8.4497474683058336,
                       6.3443262910444647,
                       2.6621048099710274,
                       41.721526750918315,
                       0.9077072585288446,
                       4.0684289451282192,
                       128.23076923076923,
                       6,
                       245,
                       77.355477003798555},
                      {9, 1, {14, 3, 1, 1}, 14, 3, 0, 0, 0, 0, 0, 1.1283791670955126, 68, 68, 68, 0}};
  Labels labels;
  std::vector<std::uint8_t> intensity;
  for (int i = 0; i < 16 * 12; ++i) {
    labels.push_back(kDrawing[std::size_t(i)] == '.' ? 0u : std::uint32_t(kDrawing[std::size_t(i)] - '0'));
    intensity.push_back(std::uint8_t((i % 16 * 37 + i / 16 * 101) % 251));
  }
  const Image image = test::image_of(16, 12, 1, labels), levels = test::image_of(16, 12, 1, intensity);
  const Result r = regions_of(image, &levels);
  ASSERT_EQ(r.label.size(), std::size(rows));
  for (std::size_t k = 0; k < std::size(rows); ++k) {
    const Row& e = rows[k];
    SCOPED_TRACE(e.label);
    EXPECT_EQ(r.label[k], e.label);
    EXPECT_EQ(r.area[k], e.area);
    EXPECT_EQ(r.x[k], e.box[0]);
    EXPECT_EQ(r.y[k], e.box[1]);
    EXPECT_EQ(r.width[k], e.box[2]);
    EXPECT_EQ(r.height[k], e.box[3]);
    EXPECT_DOUBLE_EQ(r.centroid_x[k], e.x);
    EXPECT_DOUBLE_EQ(r.centroid_y[k], e.y);
    EXPECT_DOUBLE_EQ(r.perimeter[k], e.perimeter);
    EXPECT_NEAR(r.major_axis[k], e.major, 1e-12);
    EXPECT_NEAR(r.minor_axis[k], e.minor, 1e-12);
    EXPECT_NEAR(r.orientation[k], e.orientation, 1e-5);  // the angle is an f32 in radians
    EXPECT_NEAR(r.eccentricity[k], e.eccentricity, 1e-12);
    EXPECT_DOUBLE_EQ(r.equivalent_diameter[k], e.diameter);
    EXPECT_DOUBLE_EQ(r.mean[k], e.mean);
    EXPECT_EQ(r.minimum[k], e.low);
    EXPECT_EQ(r.maximum[k], e.high);
    EXPECT_NEAR(r.sum[k], e.mean * e.area, 1e-9);
    EXPECT_NEAR(r.deviation[k], e.deviation, 1e-12);
    EXPECT_EQ(r.nan_count[k], 0);
  }
  const Result bare = regions_of(image);
  EXPECT_EQ(bare.area, r.area);
  EXPECT_EQ(bare.perimeter, r.perimeter);
  EXPECT_TRUE(bare.mean.empty());
  EXPECT_TRUE(bare.nan_count.empty());
}

TEST(Regions, OrientationTurnsAgainstTheClockFromTheXAxis) {
  const auto angle = [](const std::vector<std::uint8_t>& labels, int width) {
    return regions_of(test::image_of(width, int(labels.size()) / width, 1, labels)).orientation.at(0);
  };
  EXPECT_EQ(angle({1, 1, 1}, 3), 0);
  EXPECT_EQ(angle({1, 1, 1}, 1), 90);
  EXPECT_NEAR(angle({0, 0, 1, 0, 1, 0, 1, 0, 0}, 3), 45, 1e-5);   // up to the right
  EXPECT_NEAR(angle({1, 0, 0, 0, 1, 0, 0, 0, 1}, 3), -45, 1e-5);  // down to the right
  EXPECT_EQ(angle({1, 1, 1, 1}, 2), 0);
  // 2 to the right for 1 up: atan(1 / 2) = 26.565 degrees.
  EXPECT_NEAR(angle({0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0}, 5), 26.565051177077989, 1e-5);
}

/// The measurements from their definitions, object by object, in long double.
struct Expected {
  long double area = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, sum = 0, squares = 0, perimeter = 0;
  int left = 1 << 30, top = 1 << 30, right = -1, bottom = -1;
  double low = INFINITY, high = -INFINITY;
};

template <class L, class V>
std::map<L, Expected> reference(int width, int height, const std::vector<L>& labels, const std::vector<V>& values) {
  std::map<L, Expected> all;
  const auto pixels = [&](const auto& call) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const std::size_t i = std::size_t(y) * std::size_t(width) + std::size_t(x);
        if (labels[i] != 0) call(all[labels[i]], x, y, values[i]);
      }
  };
  pixels([](Expected& e, int x, int y, V v) {
    e.area += 1;
    e.x += x;
    e.y += y;
    e.sum += (long double)v;
    e.left = std::min(e.left, x);
    e.top = std::min(e.top, y);
    e.right = std::max(e.right, x);
    e.bottom = std::max(e.bottom, y);
    e.low = std::min(e.low, double(v));
    e.high = std::max(e.high, double(v));
  });
  pixels([](Expected& e, int x, int y, V v) {
    const long double dx = x - e.x / e.area, dy = y - e.y / e.area, dv = (long double)v - e.sum / e.area;
    e.xx += dx * dx;
    e.yy += dy * dy;
    e.xy += dx * dy;
    e.squares += dv * dv;
  });
  // Perimeters from pictures of each object alone, its outline convolved with 10 2 10 / 2 1 2 / 10 2 10.
  const auto at = [&](int x, int y) {
    return x < 0 || y < 0 || x >= width || y >= height ? L(0)
                                                       : labels[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  };
  const auto outline = [&](L label, int x, int y) {
    return at(x, y) == label &&
           (at(x - 1, y) != label || at(x + 1, y) != label || at(x, y - 1) != label || at(x, y + 1) != label);
  };
  const std::set<int> straight{5, 7, 15, 17, 25, 27}, diagonal{21, 33}, corner{13, 23};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const L label = at(x, y);
      if (label == 0 || !outline(label, x, y)) continue;
      int code = 1;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if ((dx != 0 || dy != 0) && outline(label, x + dx, y + dy)) code += dx != 0 && dy != 0 ? 10 : 2;
      const long double root = std::sqrt(2.0L);
      if (straight.count(code)) all[label].perimeter += 1;
      if (diagonal.count(code)) all[label].perimeter += root;
      if (corner.count(code)) all[label].perimeter += (1 + root) / 2;
    }
  return all;
}

template <class L, class V>
void compare(int width, int height, const std::vector<L>& labels, const std::vector<V>& values) {
  const Image image = test::image_of(width, height, 1, labels), intensity = test::image_of(width, height, 1, values);
  const Result r = regions_of(image, &intensity);
  const auto expected = reference(width, height, labels, values);
  ASSERT_EQ(r.label.size(), expected.size());
  std::size_t k = 0;
  for (const auto& [label, e] : expected) {
    SCOPED_TRACE(label);
    ASSERT_EQ(r.label[k], std::int64_t(label));
    EXPECT_EQ(r.area[k], std::int64_t(e.area));
    EXPECT_EQ(r.x[k], e.left);
    EXPECT_EQ(r.y[k], e.top);
    EXPECT_EQ(r.width[k], e.right - e.left + 1);
    EXPECT_EQ(r.height[k], e.bottom - e.top + 1);
    EXPECT_DOUBLE_EQ(r.centroid_x[k], double(e.x / e.area));
    EXPECT_DOUBLE_EQ(r.centroid_y[k], double(e.y / e.area));
    EXPECT_NEAR(r.perimeter[k], double(e.perimeter), 1e-9 * double(e.perimeter));
    const long double spread = std::sqrt((e.xx - e.yy) * (e.xx - e.yy) + 4 * e.xy * e.xy);
    const long double large = (e.xx + e.yy + spread) / 2 / e.area;
    const long double small = std::max(0.0L, (e.xx + e.yy - spread) / 2 / e.area);
    EXPECT_NEAR(r.major_axis[k], double(4 * std::sqrt(large)), 1e-9 * double(width + height));
    EXPECT_NEAR(r.minor_axis[k] * r.minor_axis[k], double(16 * small), 1e-9 * double(width + height));
    if (large > 0)
      EXPECT_NEAR(r.eccentricity[k] * r.eccentricity[k], double(1 - small / large), 1e-9);
    else
      EXPECT_EQ(r.eccentricity[k], 0);
    if (spread > 1e-9L) {
      const double degrees = double(-std::atan2(2 * e.xy, e.xx - e.yy)) * 90 / M_PI;
      double turn = std::fabs(r.orientation[k] - degrees);
      EXPECT_LT(std::min(turn, std::fabs(turn - 180)), 1e-4);
    }
    EXPECT_GT(r.orientation[k], -90);
    EXPECT_LE(r.orientation[k], 90);
    EXPECT_EQ(r.minimum[k], e.low);
    EXPECT_EQ(r.maximum[k], e.high);
    EXPECT_NEAR(r.sum[k], double(e.sum), 1e-13 * (1 + std::fabs(double(e.sum))));
    EXPECT_NEAR(r.mean[k], double(e.sum / e.area), 1e-13 * (1 + std::fabs(double(e.sum / e.area))));
    EXPECT_NEAR(r.deviation[k], double(std::sqrt(e.squares / e.area)), 1e-12 * (1 + e.high - e.low));
    ++k;
  }
}

template <class L>
std::vector<L> blocks(int width, int height, int block, std::uint32_t kinds, L scale) {
  std::vector<L> labels;
  const int across = width / block + 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      // Blocks with ragged edges.
      const int u = x + int(test::scatter(std::uint32_t(y), 3) % 3),
                v = y + int(test::scatter(std::uint32_t(x), 4) % 3);
      labels.push_back(L(test::scatter(std::uint32_t(v / block * across + u / block), 5) % kinds * scale));
    }
  return labels;
}

TEST(Regions, EqualsItsDefinition) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 80}, {150, 1}, {64, 32}, {65, 33}, {200, 131}}) {
    const auto bytes =
        test::scattered<std::uint8_t>(width, height, 6, [](std::uint32_t v) { return std::uint8_t(v >> 24); });
    const auto words =
        test::scattered<std::uint16_t>(width, height, 7, [](std::uint32_t v) { return std::uint16_t(v >> 16); });
    const auto reals = test::scattered<float>(width, height, 8, [](std::uint32_t v) {
      return (float(v >> 8) / 16777216.0f - 0.4f) * (v % 7 == 0 ? 1e6f : 1.0f);
    });
    for (const int block : {1, 5, 40}) {
      compare(width, height, blocks<std::uint8_t>(width, height, block, 6, 50), words);
      compare(width, height, blocks<std::uint16_t>(width, height, block, 300, 200), reals);
      compare(width, height, blocks<std::uint32_t>(width, height, block, 40, 100000007u), bytes);
    }
    compare(width, height, std::vector<std::uint8_t>(bytes.size(), 255), words);
  }
}

// White everywhere: the largest sums that a tile and its runs meet.
TEST(Regions, WhiteImages) {
  const int width = 513, height = 257;
  const Image labels = test::image_of(width, height, 1, std::vector<std::uint8_t>(std::size_t(width * height), 1));
  const Image white = test::image_of(width, height, 1, std::vector<std::uint16_t>(std::size_t(width * height), 65535));
  const Result r = regions_of(labels, &white);
  EXPECT_EQ(r.area.at(0), width * height);
  EXPECT_EQ(r.sum.at(0), 65535.0 * width * height);
  EXPECT_EQ(r.mean.at(0), 65535);
  EXPECT_EQ(r.deviation.at(0), 0);
  EXPECT_EQ(r.centroid_x.at(0), 256);
  EXPECT_EQ(r.perimeter.at(0), 2 * (width - 1) + 2 * (height - 1));
  // Variance of 0 ... n - 1 is (n^2 - 1) / 12.
  EXPECT_DOUBLE_EQ(r.major_axis.at(0), 4 * std::sqrt((513.0 * 513 - 1) / 12));
  EXPECT_DOUBLE_EQ(r.minor_axis.at(0), 4 * std::sqrt((257.0 * 257 - 1) / 12));
}

TEST(Regions, ManyLabelsOfAnyValue) {
  // Each pixel an object of its own: more than the first table holds. Equal steps and large values do not matter.
  const int width = 331, height = 307;
  for (const std::uint32_t step : {1u, 2u, 65536u / 3, 2654435769u}) {
    Labels labels;
    for (int i = 0; i < width * height; ++i) labels.push_back(std::uint32_t(i + 1) * step);
    const Image image = test::image_of(width, height, 1, labels);
    const Result r = step == 1 ? regions_of(image) : apply(Regions{}, image);
    std::map<std::uint32_t, int> places;
    for (int i = 0; i < width * height; ++i) places[labels[std::size_t(i)]] = i;
    ASSERT_EQ(places.size(), labels.size());
    ASSERT_EQ(r.label.size(), labels.size());
    std::size_t k = 0;
    for (const auto& [label, i] : places) {
      ASSERT_EQ(r.label[k], std::int64_t(label));
      ASSERT_EQ(r.area[k], 1);
      ASSERT_EQ(r.x[k], i % width);
      ASSERT_EQ(r.y[k], i / width);
      ++k;
    }
  }
  const Image few = test::row_of<std::uint32_t>({4294967295u, 0, 1, 4294967295u, 2147483648u});
  const Result r = regions_of(few);
  EXPECT_EQ(r.label, (std::vector<std::int64_t>{1, 2147483648, 4294967295}));
  EXPECT_EQ(r.area, (std::vector<std::int64_t>{1, 1, 2}));
}

TEST(Regions, SumsOfRealsDoNotCancel) {
  // In double, one after the other, 2^-20 would be lost beside 2^36.
  const Image labels = test::row_of<std::uint8_t>({1, 1, 1, 1, 2, 2, 2});
  const Image values = test::row_of<float>({0x1p36f, 0x1p-20f, 1.0f, -0x1p36f, 3e38f, 3e38f, 3e38f});
  const Result r = regions_of(labels, &values);
  EXPECT_EQ(r.sum.at(0), 1.0 + 0x1p-20);
  EXPECT_EQ(r.mean.at(0), (1.0 + 0x1p-20) / 4);
  EXPECT_EQ(r.deviation.at(1), 0);
  EXPECT_EQ(r.mean.at(1), double(3e38f));
  EXPECT_EQ(r.sum.at(1), 3 * double(3e38f));
  // A large offset leaves the deviation as it is: 16777215 and 16777216 in turn deviate by 1/2.
  std::vector<float> steps;
  for (int i = 0; i < 3000; ++i) steps.push_back(i % 2 ? 16777215.0f : 16777216.0f);
  const Image ones = test::image_of(60, 50, 1, std::vector<std::uint8_t>(3000, 1));
  const Image large = test::image_of(60, 50, 1, steps);
  EXPECT_EQ(regions_of(ones, &large).deviation.at(0), 0.5);
}

TEST(Regions, NotANumberIsLeftOutAndInfinitiesStay) {
  const Image labels = test::row_of<std::uint16_t>({1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6});
  const Image values =
      test::row_of<float>({NAN, 2, 4, NAN, NAN, INFINITY, 1, -INFINITY, 1, -0.0f, INFINITY, -INFINITY});
  const Result r = regions_of(labels, &values);
  EXPECT_EQ(r.nan_count, (std::vector<std::int64_t>{1, 2, 0, 0, 0, 0}));
  EXPECT_EQ(r.mean[0], 3);
  EXPECT_EQ(r.sum[0], 6);
  EXPECT_EQ(r.deviation[0], 1);
  EXPECT_EQ(r.minimum[0], 2);
  EXPECT_EQ(r.maximum[0], 4);
  for (const auto* field : {&r.mean, &r.sum, &r.minimum, &r.maximum, &r.deviation}) EXPECT_EQ((*field)[1], 0);
  EXPECT_EQ(r.mean[2], INFINITY);
  EXPECT_EQ(r.minimum[2], 1);
  EXPECT_TRUE(std::isnan(r.deviation[2]));
  EXPECT_EQ(r.sum[3], -INFINITY);
  EXPECT_EQ(r.maximum[3], 1);
  EXPECT_EQ(r.mean[4], 0);
  EXPECT_FALSE(std::signbit(r.minimum[4]));
  EXPECT_TRUE(std::isnan(r.mean[5]));
}

TEST(Regions, GapsAreNoObjectsAndEmptyImagesHaveNone) {
  const Result r = regions_of(test::row_of<std::uint16_t>({0, 900, 0, 7}));
  EXPECT_EQ(r.label, (std::vector<std::int64_t>{7, 900}));
  EXPECT_TRUE(regions_of(test::row_of<std::uint16_t>({0, 0, 0})).label.empty());
  EXPECT_TRUE(apply(Regions{}, Image(Format::u32, 0, 5)).label.empty());
}

TEST(Regions, IndependentOfThreads) {
  const auto labels = blocks<std::uint16_t>(300, 200, 7, 50, 3);
  const auto values = test::scattered<float>(300, 200, 8, [](std::uint32_t v) { return float(v) * 1e-3f; });
  const Image image = test::image_of(300, 200, 1, labels), intensity = test::image_of(300, 200, 1, values);
  const std::string expected = text_of(regions_of(image, &intensity));
  for (const int threads : {1, 2, 8}) {
    set_threads(threads);
    EXPECT_EQ(text_of(apply(Regions{}, image, intensity)), expected);
  }
  set_threads(0);
}

TEST(Regions, PartsOfLargerPlanes) {
  std::vector<std::uint8_t> parent(40u * 10u, 9);  // the object goes on outside of the view, but not for it
  std::vector<float> values(60u * 12u, 1e9f);
  const View<std::uint8_t> labels(parent.data() + 3 * 40 + 5, 6, 3, 1, 40);
  const View<float> intensity(values.data() + 2 * 60 + 1, 6, 3, 1, 60 * 4);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 6; ++x) intensity.at(x, y) = 2;
  const Result r = apply(Regions{}, labels, intensity);
  EXPECT_EQ(r.area, (std::vector<std::int64_t>{18}));
  EXPECT_EQ(r.perimeter.at(0), 14);
  EXPECT_EQ(r.mean.at(0), 2);
  EXPECT_EQ(r.maximum.at(0), 2);
}

TEST(Regions, Refusals) {
  const Image labels(Format::u16, 5, 4), small(Format::u8, 4, 4), color(Format::u8, 5, 4, 3), more(Format::u32, 5, 4),
      real(Format::f32, 5, 4);
  EXPECT_EQ(message({&labels, &small}),
            "regions: the intensities are u8 4x4, the labels u16 5x4; both have the same size and 1 channel");
  EXPECT_NE(message({&labels, &color}).find("regions: the intensities are u8 5x4x3"), std::string::npos);
  EXPECT_EQ(message({&labels, &more}), "regions: the intensities are u32, allowed u8, u16, f32");
  EXPECT_NE(message({&real}).find("regions: does not take f32"), std::string::npos);
  EXPECT_NE(message({&color}).find("regions: does not take 3 channels"), std::string::npos);
  const auto refusal = [](int width, int height) -> std::string {
    const PlaneShape shape{width, height, 1, Format::u8};
    try {
      Regions{}.output(std::span(&shape, 1));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(refusal(65535, 65535), "no error");
  EXPECT_EQ(refusal(1, 3000000), "no error");
  EXPECT_NE(refusal(65536, 65536).find("more than 4294967295 pixels"), std::string::npos);
  EXPECT_NE(refusal(40000000, 100).find("too long for sums of squared coordinates"), std::string::npos);
}

}  // namespace
}  // namespace zp
