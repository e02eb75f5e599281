// Colours and a comparison for the HSV tests.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_COLOR_HSV_SAMPLES_H
#define ZP_TESTS_OPS_COLOR_HSV_SAMPLES_H

#include "support/everywhere.h"

namespace zp::test {

template <class T>
Image colors_of(const std::vector<T>& samples, int channels = 3) {
  return image_of<T>(int(samples.size()) / channels, 1, channels, samples);
}

/// Six colours in f32, among them a grey and one on each third of the circle.
inline Image six_colors() {
  return colors_of<float>(
      {0.2f, 0.7f, 0.4f, 0.9f, 0.1f, 0.3f, 0.25f, 0.25f, 0.8f, 1, 0.5f, 0, 0.3f, 0.3f, 0.3f, 0.1f, 0.6f, 0.65f});
}

/// Relative to the largest of value and 1: hue runs to 360.
inline void expect_close(const std::vector<float>& got, const std::vector<float>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], 1e-6f * std::max(1.0f, std::abs(expected[i]))) << i;
}

template <class T>
void expect_within(const std::vector<T>& got, const std::vector<int>& expected, int tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(int(got[i]), expected[i], tolerance) << i;
}

}  // namespace zp::test

#endif
