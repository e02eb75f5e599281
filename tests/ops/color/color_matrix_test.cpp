// ColorMatrix by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/color_matrix.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

TEST(ColorMatrix, RowsMakeChannelsAndIntegersSaturate) {
  const ColorMatrix op{.matrix = {1, 2, 3, 0, 0.5f, 0, -1, 0, 0}, .offset = {0.5f, 0, 1}};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(op, colors_of<std::uint8_t>({1, 5, 10, 8, 3, 100, 200, 9}, 4))),
            (std::vector<std::uint8_t>{42, 2, 0, 8, 255, 50, 0, 9}));  // 41.5, 2.5 and -0; 803.5, 50, -2
  EXPECT_EQ(samples_of<float>(everywhere(op, colors_of<float>({1, 5, 10}))), (std::vector<float>{41.5f, 2.5f, 0}));
}

TEST(ColorMatrix, DefaultIsIdentity) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image image = noise({31, 9, 3, format});
    EXPECT_EQ(hash(everywhere(ColorMatrix{}, image).view()), hash(image.view()));
  }
}

TEST(ColorMatrix, RefusesOtherCounts) {
  const Image image = noise({3, 3, 3, Format::u8});
  try {
    apply(ColorMatrix{.matrix = {1, 2}}, image);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "color_matrix: matrix has 2 numbers, allowed 9");
  }
}

}  // namespace
}  // namespace zp::test
