// WhiteBalance by hand, and its percentile against sorting.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/white_balance.h"

#include <algorithm>

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

using Mode = WhiteBalance::Mode;

TEST(WhiteBalance, GainsMultiply) {
  const WhiteBalance op{.mode = Mode::gains, .gains = {2, 1, 0.5f}};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(op, colors_of<std::uint8_t>({100, 100, 101, 7, 200, 3, 3, 8}, 4))),
            (std::vector<std::uint8_t>{200, 100, 50, 7, 255, 3, 2, 8}));  // 50.5 and 1.5 go to even
}

TEST(WhiteBalance, GreyWorldMakesTheMeansEqual) {
  // Means 20, 40, 60: all become 40.
  EXPECT_EQ(samples_of<float>(everywhere(WhiteBalance{}, colors_of<float>({10, 20, 60, 30, 60, 60}))),
            (std::vector<float>{20, 20, 40, 60, 60, 40.0f}));
  // A channel of zeros stays: means 10, 0, 20 have the mean 10.
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(WhiteBalance{}, colors_of<std::uint16_t>({10, 0, 20}))),
            (std::vector<std::uint16_t>{10, 0, 10}));
}

TEST(WhiteBalance, WhitePatchMakesThePercentilesEqual) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(WhiteBalance{.mode = Mode::white_patch},
                                                colors_of<std::uint8_t>({50, 100, 200, 25, 10, 20}))),
            (std::vector<std::uint8_t>{200, 200, 200, 100, 20, 20}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(WhiteBalance{.mode = Mode::white_patch, .percentile = 0},
                                                colors_of<std::uint8_t>({50, 100, 200, 25, 10, 20}))),
            (std::vector<std::uint8_t>{50, 250, 250, 25, 25, 25}));  // smallest 25, 10, 20: gains 1, 2.5, 1.25
}

template <class T>
void expect_sorted_rank(float percentile) {
  const Image image = noise({173, 61, 3, format_of<T>}, 5);
  std::array<double, 3> level{};
  const auto samples = samples_of<T>(image);
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<T> channel;
    for (std::size_t i = c; i < samples.size(); i += 3) channel.push_back(samples[i]);
    std::sort(channel.begin(), channel.end());
    level[c] = double(channel[std::size_t(std::floor(double(percentile) / 100 * double(channel.size() - 1) + 0.5))]);
  }
  const double target = *std::max_element(level.begin(), level.end());
  const auto out = samples_of<T>(everywhere(WhiteBalance{.mode = Mode::white_patch, .percentile = percentile}, image));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float gain = level[i % 3] > 0 ? float(target / level[i % 3]) : 1.0f;
    ASSERT_EQ(out[i], to_sample<T>(float(samples[i]) * gain)) << i;
  }
}

TEST(WhiteBalance, PercentileIsTheSampleOfThatRank) {
  for (const float percentile : {0.0f, 12.5f, 50.0f, 99.0f, 100.0f}) {
    expect_sorted_rank<std::uint8_t>(percentile);
    expect_sorted_rank<std::uint16_t>(percentile);
    expect_sorted_rank<float>(percentile);
  }
}

TEST(WhiteBalance, NanIsLeftOut) {
  const float nan = std::nanf("");
  const auto out =
      samples_of<float>(everywhere(WhiteBalance{.mode = Mode::white_patch}, colors_of<float>({nan, 2, 4, 1, nan, 1})));
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(out[1], 4);
  EXPECT_EQ(out[3], 4);
  const auto grey =
      samples_of<float>(everywhere(WhiteBalance{}, colors_of<float>({nan, 2, 4, 1, nan, 2})));  // means 1, 2, 3
  EXPECT_EQ(grey[3], 2);
  EXPECT_EQ(grey[1], 2);
}

}  // namespace
}  // namespace zp::test
