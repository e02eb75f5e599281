// Tests of flood_fill.
// SPDX-License-Identifier: Apache-2.0
#include "ops/segmentation/flood_fill.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/segmentation/reference.h"
#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;

void expect_result(const FloodFill& op, const Image& image, std::int64_t count, int x, int y, int width, int height) {
  test::values_everywhere(op, image, [&](const FloodFill::Result& r) {
    EXPECT_EQ(r.count, count);
    EXPECT_EQ(r.x, x);
    EXPECT_EQ(r.y, y);
    EXPECT_EQ(r.width, width);
    EXPECT_EQ(r.height, height);
  });
}

TEST(FloodFill, CaseA7FixedStopsWhereFloatingFollowsTheGradient) {
  const Image row = test::row_of<std::uint8_t>({10, 12, 14, 16, 18, 40});
  const FloodFill fixed{.value = {99}, .tolerance = 2},
      floating{.value = {99}, .tolerance = 2, .range = FloodFill::Range::floating};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(fixed, row)), (Bytes{99, 99, 14, 16, 18, 40}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(floating, row)), (Bytes{99, 99, 99, 99, 99, 40}));
  expect_result(fixed, row, 2, 0, 0, 2, 1);
  expect_result(floating, row, 5, 0, 0, 5, 1);
}

TEST(FloodFill, FloatingWithUnequalLimitsIsDirected) {
  // Up by at most 3, down not at all: to the right up to the fall, and to the left nothing lower.
  const Image row = test::row_of<std::uint8_t>({4, 5, 7, 7, 10, 9, 12});
  const FloodFill up{.x = 2, .value = {0}, .low = 0, .high = 3, .range = FloodFill::Range::floating};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(up, row)), (Bytes{4, 5, 0, 0, 0, 9, 12}));
  const FloodFill down{.x = 2, .value = {0}, .low = 3, .high = 0, .range = FloodFill::Range::floating};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(down, row)), (Bytes{0, 0, 0, 0, 10, 9, 12}));
  expect_result(down, row, 4, 0, 0, 4, 1);
}

TEST(FloodFill, LimitsNeverWrap) {
  const Image bytes = test::row_of<std::uint8_t>({250, 255, 0, 5, 250});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(FloodFill{.value = {1}, .tolerance = 10}, bytes)),
            (Bytes{1, 1, 0, 5, 250}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(FloodFill{.x = 2, .value = {1}, .tolerance = 10}, bytes)),
            (Bytes{250, 255, 1, 1, 250}));
  const Image words = test::row_of<std::uint16_t>({65530, 65535, 3, 2});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(FloodFill{.value = {1}, .tolerance = 65000}, words)),
            (std::vector<std::uint16_t>{1, 1, 3, 2}));
}

TEST(FloodFill, ConnectivityAndColor) {
  // Two pixels that touch at a corner; the third channel of the last pixel is off.
  const Image image = test::image_of<std::uint16_t>(2, 2, 3, {500, 7, 9, 0, 0, 0, 0, 0, 0, 501, 8, 9});
  expect_result({.tolerance = 1}, image, 1, 0, 0, 1, 1);
  expect_result({.tolerance = 1, .connectivity = 8}, image, 2, 0, 0, 2, 2);
  const Image other = test::image_of<std::uint16_t>(2, 2, 3, {500, 7, 9, 0, 0, 0, 0, 0, 0, 501, 8, 11});
  expect_result({.tolerance = 1, .connectivity = 8}, other, 1, 0, 0, 1, 1);
  EXPECT_EQ(
      samples_of<std::uint16_t>(everywhere(FloodFill{.value = {1, 2, 3}, .tolerance = 1, .connectivity = 8}, image)),
      (std::vector<std::uint16_t>{1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(FloodFill{.x = 1, .tolerance = 1}, image)),
            (std::vector<std::uint16_t>{500, 7, 9, 65535, 65535, 65535, 0, 0, 0, 501, 8, 9}));
}

TEST(FloodFill, NotANumberAndInfinity) {
  const auto fill = [](std::vector<float> row, const FloodFill& op) {
    return samples_of<float>(everywhere(op, test::row_of(row)));
  };
  const FloodFill all{.x = 1, .value = {5}, .tolerance = 1e30f};
  const auto got = fill({2.0f, 3.0f, NAN, 4.0f}, all);
  EXPECT_EQ(got[0], 5.0f);
  EXPECT_EQ(got[1], 5.0f);
  EXPECT_TRUE(std::isnan(got[2]));
  EXPECT_EQ(got[3], 4.0f);
  for (const auto range : {FloodFill::Range::fixed, FloodFill::Range::floating}) {
    FloodFill op = all;
    op.range = range;
    const auto nan = fill({NAN, NAN, 1.0f}, op);  // only the seed
    EXPECT_TRUE(std::isnan(nan[0]));
    EXPECT_EQ(nan[1], 5.0f);
    EXPECT_EQ(nan[2], 1.0f);
    EXPECT_EQ(fill({INFINITY, INFINITY, 1.0f}, op), (std::vector<float>{5.0f, 5.0f, 1.0f}));
  }
}

template <class T>
void compare_with_a_queue(int width, int height, int channels, const std::vector<T>& samples, float low, float high,
                          FloodFill::Range range, int connectivity) {
  const int x = width / 3, y = height / 2, seed = y * width + x;
  const auto step = [&](int from, int to) {
    const int reference = range == FloodFill::Range::fixed ? seed : from;
    for (int c = 0; c < channels; ++c) {
      const double d =
          double(samples[std::size_t(to * channels + c)]) - double(samples[std::size_t(reference * channels + c)]);
      if (d < -double(low) || d > double(high)) return false;
    }
    return true;
  };
  const std::vector<char> reached = test::reach(width, height, x, y, connectivity, step);
  std::vector<T> expected = samples;
  std::int64_t count = 0;
  int left = width, top = height, right = -1, bottom = -1;
  for (int i = 0; i < width * height; ++i) {
    if (!reached[std::size_t(i)]) continue;
    ++count;
    left = std::min(left, i % width);
    right = std::max(right, i % width);
    top = std::min(top, i / width);
    bottom = std::max(bottom, i / width);
    for (int c = 0; c < channels; ++c) expected[std::size_t(i * channels + c)] = T(3);
  }
  const Image image = test::image_of(width, height, channels, samples);
  const FloodFill op{
      .x = x, .y = y, .value = {3}, .low = low, .high = high, .range = range, .connectivity = connectivity};
  EXPECT_EQ(samples_of<T>(everywhere(op, image)), expected)
      << width << "x" << height << " low " << low << " high " << high << " connectivity " << connectivity;
  expect_result(op, image, count, left, top, right - left + 1, bottom - top + 1);
}

TEST(FloodFill, EqualsAQueue) {
  using Range = FloodFill::Range;
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 130}, {260, 1}, {65, 33}, {150, 100}}) {
    // Steps of up to 7 between neighbours, on a slope; every value is exact in all formats.
    const auto bytes =
        test::scattered<std::uint8_t>(width, height, 5, [](std::uint32_t v) { return std::uint8_t(v >> 29); });
    std::vector<std::uint16_t> words;
    std::vector<float> reals;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      words.push_back(std::uint16_t(bytes[i] + 3 * (i % std::size_t(width))));
      reals.push_back(float(bytes[i]) / 8.0f - float(i / std::size_t(width)) / 16.0f);
    }
    for (const int connectivity : {4, 8}) {
      for (const float reach : {0.0f, 1.0f, 3.0f}) {
        compare_with_a_queue(width, height, 1, bytes, reach, reach, Range::floating, connectivity);
        compare_with_a_queue(width, height, 1, bytes, reach, reach + 1, Range::fixed, connectivity);
      }
      compare_with_a_queue(width, height, 1, words, 20, 90, Range::fixed, connectivity);
      compare_with_a_queue(width, height, 1, words, 3, 3, Range::floating, connectivity);
      compare_with_a_queue(width, height, 1, words, 1, 4, Range::floating, connectivity);
      compare_with_a_queue(width, height, 1, words, 4, 1, Range::floating, connectivity);
      compare_with_a_queue(width, height, 1, reals, 0.375f, 0.375f, Range::floating, connectivity);
      compare_with_a_queue(width, height, 1, reals, 0.5f, 0.125f, Range::floating, connectivity);
    }
    std::vector<std::uint8_t> color;
    for (const std::uint8_t v : bytes) color.insert(color.end(), {v, std::uint8_t(v / 2), std::uint8_t(255 - v)});
    compare_with_a_queue(width, height, 3, color, 2, 2, Range::floating, 8);
    compare_with_a_queue(width, height, 3, color, 3, 3, Range::fixed, 4);
  }
}

TEST(FloodFill, PartsOfLargerPlanesInPlace) {
  Bytes parent(50u * 12u, 20);
  const View<std::uint8_t> view(parent.data() + 2 * 50 + 7, 30, 5, 1, 50);
  for (int y = 0; y < 5; ++y) view.at(20, y) = 200;  // a wall
  const FloodFill::Result left = apply(FloodFill{.x = 3, .y = 3, .value = {90}}, View<const std::uint8_t>(view), view);
  EXPECT_EQ(left.count, 100);
  EXPECT_EQ(left.width, 20);
  EXPECT_EQ(left.height, 5);
  EXPECT_EQ(std::count(parent.begin(), parent.end(), std::uint8_t(90)), 100);
  EXPECT_EQ(view.at(19, 4), 90);
  EXPECT_EQ(view.at(21, 4), 20);
  EXPECT_EQ(parent[2 * 50 + 6], 20);
}

TEST(FloodFill, Refusals) {
  const Image grey(Format::u8, 4, 3), color(Format::u8, 4, 3, 3);
  EXPECT_EQ(test::refusal(FloodFill{.x = 4}, grey), "flood_fill: x = 4, allowed 0 to 3");
  EXPECT_EQ(test::refusal(FloodFill{.y = 3}, grey), "flood_fill: y = 3, allowed 0 to 2");
  EXPECT_NE(test::refusal(FloodFill{.x = -1}, grey).find("flood_fill: x = -1, allowed 0 to"), std::string::npos);
  EXPECT_NE(test::refusal(FloodFill{.tolerance = -1}, grey).find("flood_fill: tolerance = -1, allowed 0 to"),
            std::string::npos);
  EXPECT_NE(test::refusal(FloodFill{.low = -1}, grey).find("flood_fill: low = -1, allowed 0 to"), std::string::npos);
  EXPECT_EQ(test::refusal(FloodFill{.connectivity = 7}, grey), "flood_fill: connectivity = 7, allowed 4 or 8");
  EXPECT_EQ(test::refusal(FloodFill{.value = {1, 2}}, color),
            "flood_fill: value has 2 numbers, the image has 3 channels");
  EXPECT_NE(test::refusal(FloodFill{}, Image(Format::u8, 0, 3)).find("flood_fill: the image is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace zp
