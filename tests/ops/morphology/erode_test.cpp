// Minimum over a structuring element.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/erode.h"

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Erode, IsOpencvs) {
  // cv2.erode with 3x3 ones twice, and with the mask x^2 + y^2 <= 4 of 5x5.
  const std::vector<std::uint8_t> twice{0,  0,  0,  35, 35, 35, 35, 0,  0,  0,  35, 35, 35, 35, 0,  0,  0, 30,
                                        30, 35, 35, 17, 17, 17, 30, 30, 35, 35, 17, 17, 17, 30, 30, 41, 41};
  const std::vector<std::uint8_t> disc{0,  0,  0,  35, 35, 35, 48, 0,  0,  35, 35, 35, 35, 35, 0,  17, 30, 35,
                                       35, 35, 48, 17, 17, 17, 30, 35, 41, 41, 17, 17, 30, 30, 30, 41, 41};
  const Image image = test::pattern_image();
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Erode{.iterations = 2}, image)), twice);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Erode{.element = Element::disc, .radius = 2}, image)), disc);
}

TEST(Erode, IsTheSmallestOfTheElement) {
  test::expect_extremum<Erode, std::uint8_t>([](double a, double b) { return a < b; });
  test::expect_extremum<Erode, std::uint16_t>([](double a, double b) { return a < b; });
  test::expect_extremum<Erode, float>([](double a, double b) { return a < b; });
}

TEST(Erode, WhiteStaysWhiteAtTheEdge) {
  const std::vector<std::uint16_t> white(12, 65535);
  EXPECT_EQ(
      test::samples_of<std::uint16_t>(everywhere(Erode{.radius = 3}, test::image_of<std::uint16_t>(4, 3, 1, white))),
      white);
}

TEST(Erode, PaddedRectanglesReadNothingBesideThem) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    Image parent(Format::u8, 40, 30), target(Format::u8, 40, 30);
    std::memset(parent.data(), 0, parent.bytes());
    std::memset(target.data(), 3, target.bytes());
    const View<std::uint8_t> from = parent.as<std::uint8_t>().sub(5, 7, 21, 17),
                             to = target.as<std::uint8_t>().sub(9, 11, 21, 17);
    for (int y = 0; y < 17; ++y) std::memset(from.row(y), 200, 21);
    for (const Element element : {Element::box, Element::cross, Element::disc}) {
      apply(Erode{.element = element, .radius = 4}, from, to);
      for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x)
          ASSERT_EQ(target.as<std::uint8_t>().at(x, y), x >= 9 && x < 30 && y >= 11 && y < 28 ? 200 : 3)
              << place.text();
    }
  }
}

TEST(Erode, NanReachesItsElementOnly) {
  std::vector<float> row(9, 1.0f);
  row[4] = std::nanf("");
  for (const Element element : {Element::box, Element::cross, Element::disc}) {
    const auto found = test::samples_of<float>(everywhere(Erode{.element = element, .radius = 2}, test::row_of(row)));
    for (int i = 0; i < 9; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i >= 2 && i <= 6) << i;
  }
}

TEST(Erode, RefusesWhatItCannotDo) {
  try {
    apply(Erode{.radius = 1025}, test::pattern_image());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "erode: radius = 1025, allowed 0 to 1024 pixels");
  }
}

}  // namespace
}  // namespace zp
