// Tests of expand_labels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/segmentation/expand_labels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/segmentation/reference.h"
#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;

/// Every pixel against every label.
template <class T>
std::vector<T> brute_force(int width, int height, const std::vector<T>& labels, float distance) {
  std::vector<T> result;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      long long least = -1;
      T best = 0;
      for (int v = 0; v < height; ++v)
        for (int u = 0; u < width; ++u) {
          const T label = labels[std::size_t(v * width + u)];
          if (label == 0) continue;
          const long long d = (long long)(u - x) * (u - x) + (long long)(v - y) * (v - y);
          if (least >= 0 && (d > least || (d == least && label >= best))) continue;
          least = d;
          best = label;
        }
      result.push_back(least >= 0 && (long double)least <= (long double)distance * distance ? best : T(0));
    }
  return result;
}

TEST(ExpandLabels, TiesGoToTheSmallerLabel) {
  const Image row = test::row_of<std::uint16_t>({0, 0, 900, 0, 0, 0, 70, 0, 0, 0, 0});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(ExpandLabels{.distance = 2}, row)),
            (std::vector<std::uint16_t>{900, 900, 900, 900, 70, 70, 70, 70, 70, 0, 0}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(ExpandLabels{.distance = 1.99f}, row)),
            (std::vector<std::uint16_t>{0, 900, 900, 900, 0, 70, 70, 70, 0, 0, 0}));
  const Image column = test::image_of<std::uint8_t>(1, 5, 1, {5, 0, 0, 0, 4});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(ExpandLabels{.distance = 10}, column)), (Bytes{5, 5, 4, 4, 4}));
}

TEST(ExpandLabels, ManyLabelsAtOneDistance) {
  // Labels on a circle of 65^2 = 16^2 + 63^2 = 25^2 + 60^2 = 33^2 + 56^2 = 39^2 + 52^2: 36 at one distance from the
  // centre. The smallest stands at each of them in turn.
  const int size = 131, centre = 65;
  std::vector<int> places;
  for (int i = 0; i < size * size; ++i) {
    const int dx = i % size - centre, dy = i / size - centre;
    if (dx * dx + dy * dy == 65 * 65) places.push_back(i);
  }
  ASSERT_EQ(places.size(), 36u);
  for (std::size_t first = 0; first < places.size(); ++first) {
    std::vector<std::uint32_t> labels(std::size_t(size * size));
    for (std::size_t k = 0; k < places.size(); ++k)
      labels[std::size_t(places[k])] = 4000000000u + std::uint32_t((k + places.size() - first) % places.size() * 7);
    const Image image = test::image_of(size, size, 1, labels);
    const Image found =
        first % 9 == 0 ? everywhere(ExpandLabels{.distance = 65}, image) : apply(ExpandLabels{.distance = 65}, image);
    EXPECT_EQ(found.view().as<const std::uint32_t>().at(centre, centre), 4000000000u) << "smallest at " << first;
    if (first == 5) {
      EXPECT_EQ(samples_of<std::uint32_t>(found), brute_force(size, size, labels, 65.0f));
    }
  }
}

template <class T>
void compare(int width, int height, std::uint32_t share, std::uint32_t kinds, float distance) {
  const auto labels = test::scattered<T>(width, height, share + kinds, [&](std::uint32_t v) {
    return v % 4096 < share ? T(1 + (v >> 12) % kinds) : T(0);
  });
  EXPECT_EQ(samples_of<T>(everywhere(ExpandLabels{.distance = distance}, test::image_of(width, height, 1, labels))),
            brute_force(width, height, labels, distance))
      << width << "x" << height << " labels " << share << " of 4096, distance " << distance;
}

TEST(ExpandLabels, EqualsEveryPixelAgainstEveryLabel) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 90}, {150, 1}, {64, 33}, {130, 97}})
    for (const std::uint32_t share : {2u, 50u, 500u, 4000u}) {
      for (const float distance : {0.0f, 1.5f}) compare<std::uint8_t>(width, height, share, 200, distance);
      for (const float distance : {1.0f, 7.0f}) compare<std::uint32_t>(width, height, share, 100000, distance);
      compare<std::uint16_t>(width, height, share, 3, 1e30f);
    }
}

TEST(ExpandLabels, ColumnsInSeveralPieces) {
  compare<std::uint16_t>(3, 1030, 15, 50, 400.0f);
  compare<std::uint16_t>(3, 1030, 900, 50, 2.0f);
}

// On a grid of labels nearly every pixel in between is as near to two or four of them.
TEST(ExpandLabels, GridsAreFullOfTies) {
  const int width = 97, height = 83;
  for (const int step : {2, 3, 4, 6, 16}) {
    std::vector<std::uint16_t> labels(std::size_t(width * height));
    for (int y = 0; y < height; y += step)
      for (int x = 0; x < width; x += step)
        labels[std::size_t(y * width + x)] = std::uint16_t(1 + test::scatter(std::uint32_t(y * width + x), 9) % 1000);
    EXPECT_EQ(
        samples_of<std::uint16_t>(everywhere(ExpandLabels{.distance = 100}, test::image_of(width, height, 1, labels))),
        brute_force(width, height, labels, 100.0f));
  }
}

TEST(ExpandLabels, NothingStaysNothingAndLabelsStay) {
  const std::vector<std::uint32_t> none(70u * 40u);
  EXPECT_EQ(samples_of<std::uint32_t>(everywhere(ExpandLabels{.distance = 5}, test::image_of(70, 40, 1, none))), none);
  const auto full = test::scattered<std::uint32_t>(70, 40, 4, [](std::uint32_t v) { return v | 1u; });
  EXPECT_EQ(samples_of<std::uint32_t>(everywhere(ExpandLabels{.distance = 5}, test::image_of(70, 40, 1, full))), full);
  EXPECT_EQ(apply(ExpandLabels{}, Image(Format::u16, 0, 4)).width(), 0);
}

TEST(ExpandLabels, PartsOfLargerPlanesInPlace) {
  Bytes parent(50u * 12u, 200);  // labels around the view do not enter
  const View<std::uint8_t> view(parent.data() + 2 * 50 + 7, 30, 5, 1, 50);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 30; ++x) view.at(x, y) = x == 15 && y == 2 ? 9 : 0;
  apply(ExpandLabels{.distance = 1}, View<const std::uint8_t>(view), view);
  EXPECT_EQ(std::count(parent.begin(), parent.end(), std::uint8_t(9)), 5);
  EXPECT_EQ(std::count(parent.begin(), parent.end(), std::uint8_t(200)), 600 - 150);
}

TEST(ExpandLabels, Refusals) {
  const auto message = [](const ExpandLabels& op, const Image& image) -> std::string {
    try {
      apply(op, image);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Image grey(Format::u8, 3, 3);
  EXPECT_NE(message({.distance = -1}, grey).find("expand_labels: distance = -1, allowed 0 to"), std::string::npos);
  EXPECT_NE(message({.distance = NAN}, grey).find("expand_labels: distance is not a number"), std::string::npos);
  EXPECT_NE(message({}, Image(Format::f32, 3, 3)).find("expand_labels: does not take f32"), std::string::npos);
}

}  // namespace
}  // namespace zp
