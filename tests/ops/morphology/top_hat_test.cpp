// Tests of top_hat.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/top_hat.h"

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(TopHat, IsItsDefinitionStepByStep) {
  test::expect_compound<TopHat>([]<class T>(T, const Image& image, Element element, int radius, int iterations) {
    return test::difference<T>(image, test::opened<T>(image, element, radius, iterations));
  });
}

TEST(TopHat, InPlace) { test::expect_in_place<TopHat>(); }

TEST(TopHat, IsOpencvsBox) {
  // cv2.morphologyEx with MORPH_TOPHAT and 3x3 ones.
  const Bytes expected{0,   0,   37, 74, 113, 100, 137, 74, 89, 139, 189, 0,   0, 50, 165, 193, 0, 63,
                       137, 193, 0,  0,  41,  117, 193, 24, 93, 169, 91,  167, 0, 78, 167, 0,   89};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(TopHat{}, test::pattern_image())), expected);
}
TEST(TopHat, IsOpencvsCrossTwice) {
  // cv2.morphologyEx with MORPH_TOPHAT, a MORPH_CROSS of 3x3 and two iterations.
  const Bytes expected{0,   2,   39, 76, 100, 137, 174, 56, 106, 156, 206, 0,   37, 87, 152, 210, 17, 80,
                       130, 193, 0,  0,  63,  134, 204, 24, 93,  169, 78,  167, 0,  78, 167, 0,   82};
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(TopHat{.element = Element::cross, .radius = 1, .iterations = 2}, test::pattern_image())),
            expected);
}

TEST(TopHat, KeepsSmallBrightDetailsOnly) {
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(TopHat{.radius = 1}, test::row_of<std::uint8_t>({10, 10, 60, 60, 10, 50, 50, 50, 50, 7}))),
            (Bytes{0, 0, 50, 50, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace zp
