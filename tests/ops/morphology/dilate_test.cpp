// Maximum over a structuring element.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/dilate.h"

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Dilate, IsOpencvs) {
  // cv2.dilate with a MORPH_CROSS of 5x5.
  const std::vector<std::uint8_t> cross{182, 245, 191, 241, 222, 241, 222, 191, 245, 241, 245, 241,
                                        241, 222, 245, 245, 245, 245, 241, 241, 241, 182, 245, 245,
                                        245, 245, 245, 217, 197, 245, 208, 245, 208, 241, 217};
  EXPECT_EQ(
      test::samples_of<std::uint8_t>(everywhere(Dilate{.element = Element::cross, .radius = 2}, test::pattern_image())),
      cross);
}

TEST(Dilate, CaseA16InPlaceReadsNothingThatWasWritten) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    Image row = test::row_of<std::uint8_t>({0, 0, 9, 0, 0});
    apply(Dilate{}, row.view(), row.view());
    EXPECT_EQ(test::samples_of<std::uint8_t>(row), (std::vector<std::uint8_t>{0, 9, 9, 9, 0})) << place.text();

    // The result goes one row further down over its own source.
    Image tall = test::image_of<std::uint8_t>(1, 6, 1, {0, 0, 9, 0, 0, 77});
    const View<std::uint8_t> all = tall.as<std::uint8_t>();
    apply(Dilate{}, all.sub(0, 0, 1, 5), all.sub(0, 1, 1, 5));
    EXPECT_EQ(test::samples_of<std::uint8_t>(tall), (std::vector<std::uint8_t>{0, 0, 9, 9, 9, 0})) << place.text();
  }
}

TEST(Dilate, IsTheLargestOfTheElement) {
  test::expect_extremum<Dilate, std::uint8_t>([](double a, double b) { return a > b; });
  test::expect_extremum<Dilate, std::uint16_t>([](double a, double b) { return a > b; });
  test::expect_extremum<Dilate, float>([](double a, double b) { return a > b; });
}

TEST(Dilate, OutsideIsNeutralForNegativeNumbers) {
  EXPECT_EQ(test::samples_of<float>(everywhere(Dilate{.radius = 3}, test::row_of<float>({-5, -7}))),
            (std::vector<float>{-5, -5}));
}

TEST(Dilate, NanReachesItsElementOnly) {
  std::vector<float> row(9, 1.0f);
  row[4] = std::nanf("");
  for (const Element element : {Element::box, Element::cross, Element::disc}) {
    const auto found = test::samples_of<float>(everywhere(Dilate{.element = element, .radius = 2}, test::row_of(row)));
    for (int i = 0; i < 9; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i >= 2 && i <= 6) << i;
  }
}

TEST(Dilate, RefusesWhatItCannotDo) {
  try {
    apply(Dilate{.radius = -1}, test::pattern_image());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "dilate: radius = -1, allowed 0 to 1024 pixels");
  }
  EXPECT_THROW(apply(Dilate{.iterations = 0}, test::pattern_image()), Error);
}

}  // namespace
}  // namespace zp
