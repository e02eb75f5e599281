// The picture whose transforms were computed elsewhere, and a comparison that says where pictures differ.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_GEOMETRY_PICTURES_H
#define ZP_TESTS_OPS_GEOMETRY_PICTURES_H

#include "support/everywhere.h"

namespace zp::test {

/// Sample (x, y) is (7 x^2 + 13 y^2 + 5 x y) mod 256.
template <class T>
Image quadratic(int width, int height) {
  std::vector<T> samples;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) samples.push_back(T((x * x * 7 + y * y * 13 + x * y * 5) % 256));
  return image_of<T>(width, height, 1, samples);
}

inline void expect_near(const Image& image, const std::vector<float>& expected, float tolerance) {
  const std::vector<float> got = samples_of<float>(image);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], tolerance)
        << "at " << i % std::size_t(image.width()) << ", " << i / std::size_t(image.width());
}

template <class Op>
std::string refusal(const Op& op, std::initializer_list<const Image*> inputs) {
  std::vector<ConstPlaneView> views;
  for (const Image* in : inputs) views.push_back(in->view());
  try {
    (void)apply(op, std::span<const ConstPlaneView>(views));
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace zp::test

#endif
