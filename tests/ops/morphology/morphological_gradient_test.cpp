// Tests of morphological_gradient.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/morphological_gradient.h"

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(MorphologicalGradient, IsItsDefinitionStepByStep) {
  test::expect_compound<MorphologicalGradient>(
      []<class T>(T, const Image& image, Element element, int radius, int iterations) {
        return test::difference<T>(test::dilated<T>(image, element, radius, iterations),
                                   test::eroded<T>(image, element, radius, iterations));
      });
}

TEST(MorphologicalGradient, InPlace) { test::expect_in_place<MorphologicalGradient>(); }

TEST(MorphologicalGradient, IsOpencvsCross) {
  // cv2.morphologyEx with MORPH_GRADIENT and a MORPH_CROSS of 3x3.
  const Bytes expected{91,  141, 154, 167, 150, 137, 87,  182, 208, 189, 206, 206, 206, 174, 228, 193, 193, 193,
                       206, 193, 193, 165, 228, 215, 180, 180, 200, 169, 180, 167, 167, 215, 167, 167, 176};
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(MorphologicalGradient{.element = Element::cross}, test::pattern_image())),
            expected);
}
TEST(MorphologicalGradient, IsOpencvsBoxTwice) {
  // cv2.morphologyEx with MORPH_GRADIENT, 3x3 ones and two iterations.
  const Bytes expected{245, 245, 245, 210, 206, 206, 206, 245, 245, 245, 210, 210, 210, 206, 245, 245, 245, 215,
                       215, 210, 206, 228, 228, 228, 215, 215, 210, 206, 228, 228, 228, 215, 215, 204, 200};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(MorphologicalGradient{.iterations = 2}, test::pattern_image())),
            expected);
}

TEST(MorphologicalGradient, OfAConstantIsZero) {
  const std::vector<float> zero(20, 0.0f);
  EXPECT_EQ(test::samples_of<float>(everywhere(MorphologicalGradient{.radius = 3},
                                               test::image_of<float>(5, 4, 1, std::vector<float>(20, 0.7f)))),
            zero);
}

TEST(MorphologicalGradient, WhiteLessBlackIsWhite) {
  EXPECT_EQ(
      test::samples_of<std::uint16_t>(everywhere(MorphologicalGradient{}, test::row_of<std::uint16_t>({0, 65535}))),
      (std::vector<std::uint16_t>{65535, 65535}));
}

}  // namespace
}  // namespace zp
