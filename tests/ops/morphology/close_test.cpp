// Tests of close.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/close.h"

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(Close, IsItsDefinitionStepByStep) {
  test::expect_compound<Close>([]<class T>(T, const Image& image, Element element, int radius, int iterations) {
    return test::closed<T>(image, element, radius, iterations);
  });
}

TEST(Close, InPlace) { test::expect_in_place<Close>(); }

TEST(Close, IsOpencvsBox) {
  // cv2.morphologyEx with MORPH_CLOSE and 3x3 ones.
  const Bytes expected{141, 141, 191, 241, 222, 222, 222, 141, 141, 191, 241, 222, 222, 222, 245, 245, 241, 241,
                       241, 241, 241, 197, 197, 197, 245, 217, 217, 217, 197, 197, 197, 245, 217, 217, 217};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Close{}, test::pattern_image())), expected);
}
TEST(Close, IsOpencvsCrossTwice) {
  // cv2.morphologyEx with MORPH_CLOSE, a MORPH_CROSS of 3x3 and two iterations.
  const Bytes expected{182, 182, 182, 241, 222, 222, 222, 182, 182, 241, 241, 241, 222, 222, 182, 245, 241, 241,
                       241, 241, 217, 197, 197, 245, 245, 241, 217, 217, 197, 197, 197, 241, 217, 217, 217};
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(Close{.element = Element::cross, .radius = 1, .iterations = 2}, test::pattern_image())),
            expected);
}

TEST(Close, OutsideIsNeutralToBothSteps) {
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Close{.radius = 1}, test::row_of<std::uint8_t>({0, 0, 9, 0, 9}))),
            (Bytes{0, 0, 9, 9, 9}));
  const std::vector<std::uint16_t> black(12, 0);
  EXPECT_EQ(
      test::samples_of<std::uint16_t>(everywhere(Close{.radius = 3}, test::image_of<std::uint16_t>(4, 3, 1, black))),
      black);
}

TEST(Close, NanReachesTwiceTheElement) {
  std::vector<float> row(11, 1.0f);
  row[5] = std::nanf("");
  const auto found = test::samples_of<float>(everywhere(Close{.radius = 2}, test::row_of(row)));
  for (int i = 0; i < 11; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i >= 1 && i <= 9) << i;
}

}  // namespace
}  // namespace zp
