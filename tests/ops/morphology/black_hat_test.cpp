// Tests of black_hat.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/black_hat.h"

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(BlackHat, IsItsDefinitionStepByStep) {
  test::expect_compound<BlackHat>([]<class T>(T, const Image& image, Element element, int radius, int iterations) {
    return test::difference<T>(test::closed<T>(image, element, radius, iterations), image);
  });
}

TEST(BlackHat, InPlace) { test::expect_in_place<BlackHat>(); }

TEST(BlackHat, IsOpencvsBox) {
  // cv2.morphologyEx with MORPH_BLACKHAT and 3x3 ones.
  const Bytes expected{141, 104, 117, 130, 74,  37, 0, 50,  0,  0, 0,  187, 137, 87,  63, 0,   189, 126,
                       63,  0,   193, 180, 104, 28, 0, 152, 76, 0, 89, 0,   167, 126, 9,  176, 87};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(BlackHat{}, test::pattern_image())), expected);
}
TEST(BlackHat, IsOpencvsDisc) {
  // cv2.morphologyEx with MORPH_BLACKHAT and the mask x^2 + y^2 <= 4 of 5x5.
  const Bytes expected{182, 145, 108, 130, 74,  37, 0, 91,  41, 50, 0,  206, 137, 87,  0, 0,   189, 126,
                       63,  0,   169, 180, 104, 76, 0, 176, 76, 0,  89, 0,   167, 122, 9, 176, 87};
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(BlackHat{.element = Element::disc, .radius = 2}, test::pattern_image())),
            expected);
}

TEST(BlackHat, KeepsSmallDarkDetailsOnly) {
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(
                BlackHat{.radius = 1}, test::row_of<std::uint8_t>({90, 90, 40, 40, 90, 50, 50, 50, 90, 99}))),
            (Bytes{0, 0, 50, 50, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace zp
