// Tests of distance.
// SPDX-License-Identifier: Apache-2.0
#include "ops/segmentation/distance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/segmentation/reference.h"
#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Reals = std::vector<float>;

/// Every pixel against every zero; the largest f32 not above the true root or the one behind it, whichever is nearer.
template <class T>
Reals brute_force(int width, int height, const std::vector<T>& samples) {
  Reals result;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      long long least = -1;
      for (int v = 0; v < height; ++v)
        for (int u = 0; u < width; ++u) {
          if (samples[std::size_t(v * width + u)] != T(0)) continue;
          const long long d = (long long)(u - x) * (u - x) + (long long)(v - y) * (v - y);
          if (least < 0 || d < least) least = d;
        }
      result.push_back(least < 0 ? INFINITY : float(std::sqrt((long double)least)));
    }
  return result;
}

TEST(Distance, ByHand) {
  const Image row = test::row_of<std::uint8_t>({9, 9, 0, 9, 9, 9, 0});
  EXPECT_EQ(samples_of<float>(everywhere(Distance{}, row)), (Reals{2, 1, 0, 1, 2, 1, 0}));
  // A zero at (0, 0) only: 3-4-5 and other roots.
  Bytes corner(5u * 4u, 1);
  corner[0] = 0;
  const auto found = samples_of<float>(everywhere(Distance{}, test::image_of(5, 4, 1, corner)));
  EXPECT_EQ(found[3 * 5 + 4], 5.0f);
  EXPECT_EQ(found[1 * 5 + 1], 1.41421356237f);
  EXPECT_EQ(found[2 * 5 + 3], 3.60555127546f);
  EXPECT_EQ(found[4], 4.0f);
}

TEST(Distance, WithoutAZeroInfinite) {
  for (const auto& [width, height] : {std::pair{1, 1}, {70, 3}, {3, 70}}) {
    const Bytes ones(std::size_t(width * height), 1);
    const auto found = samples_of<float>(everywhere(Distance{}, test::image_of(width, height, 1, ones)));
    EXPECT_EQ(found, Reals(found.size(), INFINITY));
  }
}

TEST(Distance, NotANumberIsNoZeroAndMinusZeroIs) {
  const Image row = test::row_of<float>({NAN, NAN, -0.0f, 1e-45f, INFINITY});
  EXPECT_EQ(samples_of<float>(everywhere(Distance{}, row)), (Reals{2, 1, 0, 1, 2}));
}

template <class T>
void compare(int width, int height, std::uint32_t cut) {
  const auto samples = test::scattered<T>(width, height, cut % 97,
                                          [&](std::uint32_t v) { return v % 4096 < cut ? T(0) : T(1 + v % 100); });
  EXPECT_EQ(samples_of<float>(everywhere(Distance{}, test::image_of(width, height, 1, samples))),
            brute_force(width, height, samples))
      << width << "x" << height << " zeros " << cut << " of 4096";
}

TEST(Distance, EqualsEveryPixelAgainstEveryZero) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 90}, {150, 1}, {63, 33}, {64, 32}, {65, 31}, {130, 97}})
    for (const std::uint32_t cut : {1u, 6u, 60u, 700u, 4000u}) {
      compare<std::uint8_t>(width, height, cut);
      compare<std::uint16_t>(width, height, cut);
      compare<float>(width, height, cut);
    }
  compare<std::uint32_t>(99, 71, 30);
  compare<std::uint16_t>(4, 1100, 20);  // columns in several pieces
}

TEST(Distance, ZerosOnACircleAndOnLines) {
  // All zeros at one distance from the centre, where their parabolas meet in one point.
  const int size = 131, centre = 65;
  Bytes circle(std::size_t(size * size), 1), lines = circle;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const int dx = x - centre, dy = y - centre;
      if (dx * dx + dy * dy == 65 * 65 || dx * dx + dy * dy == 50 * 50) circle[std::size_t(y * size + x)] = 0;
      if (x == 7 || y == 100 || x + y == 40) lines[std::size_t(y * size + x)] = 0;
    }
  for (const Bytes& samples : {circle, lines})
    EXPECT_EQ(samples_of<float>(everywhere(Distance{}, test::image_of(size, size, 1, samples))),
              brute_force(size, size, samples));
}

TEST(Distance, FarZerosOfLargeImages) {
  // 40000^2 + 1^2 > 2^30, 100000^2 > 2^32: squares that 32 bits cannot hold.
  for (const bool tall : {false, true}) {
    const int width = tall ? 2 : 100001, height = tall ? 100001 : 2;
    Image image(Format::u8, width, height);
    std::memset(image.data(), 1, image.bytes());
    static_cast<std::uint8_t*>(image.data())[0] = 0;
    const Image found = everywhere(Distance{}, image);
    const auto at = [&](int along, int across) {
      return tall ? found.view().as<const float>().at(across, along) : found.view().as<const float>().at(along, across);
    };
    for (const int along : {0, 1, 40000, 70000, 100000})
      for (const int across : {0, 1})
        EXPECT_EQ(at(along, across), float(std::sqrt((long double)along * along + across))) << along << " " << tall;
  }
}

TEST(Distance, IndependentOfThreads) {
  const auto samples = test::scattered<std::uint8_t>(300, 200, 3, [](std::uint32_t v) { return v % 500 != 0; });
  const Image image = test::image_of(300, 200, 1, samples);
  const auto expected = samples_of<float>(everywhere(Distance{}, image));
  for (const int threads : {1, 2, 8}) {
    set_threads(threads);
    EXPECT_EQ(samples_of<float>(apply(Distance{}, image)), expected);
  }
  set_threads(0);
}

TEST(Distance, PartsOfLargerPlanesAndRefusals) {
  Bytes parent(40u * 10u, 0);  // zeros around the view count for nothing
  Reals out(40u * 10u, -7.0f);
  const View<std::uint8_t> in(parent.data() + 3 * 40 + 5, 6, 3, 1, 40);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 6; ++x) in.at(x, y) = x > 0 || y != 1;
  const View<float> to(out.data() + 2 * 40 + 1, 6, 3, 1, 40 * 4);
  apply(Distance{}, View<const std::uint8_t>(in), to);
  EXPECT_EQ(to.at(5, 1), 5.0f);
  EXPECT_EQ(to.at(0, 0), 1.0f);
  EXPECT_EQ(to.at(1, 2), 1.41421356237f);
  EXPECT_EQ(std::count(out.begin(), out.end(), -7.0f), 400 - 18);
  try {
    apply(Distance{}, Image(Format::u8, 3, 3, 3));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("distance: does not take 3 channels"), std::string::npos);
  }
}

}  // namespace
}  // namespace zp
