// Tests of open.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/open.h"

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(Open, IsItsDefinitionStepByStep) {
  test::expect_compound<Open>([]<class T>(T, const Image& image, Element element, int radius, int iterations) {
    return test::opened<T>(image, element, radius, iterations);
  });
}

TEST(Open, InPlace) { test::expect_in_place<Open>(); }

TEST(Open, IsOpencvsBox) {
  // cv2.morphologyEx with MORPH_OPEN and 3x3 ones.
  const Bytes expected{0,  37, 37, 37, 35, 85, 85, 17, 52, 52, 52, 35, 85, 85, 17, 52, 52, 52,
                       41, 48, 48, 17, 52, 52, 52, 41, 48, 48, 17, 30, 30, 41, 41, 41, 41};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Open{}, test::pattern_image())), expected);
}
TEST(Open, IsOpencvsDisc) {
  // cv2.morphologyEx with MORPH_OPEN and the mask x^2 + y^2 <= 4 of 5x5.
  const Bytes expected{0,  35, 35, 35, 48, 48, 48, 35, 35, 35, 35, 35, 48, 48, 30, 35, 35, 35,
                       48, 48, 48, 17, 30, 35, 41, 41, 48, 48, 30, 30, 30, 41, 41, 41, 48};
  EXPECT_EQ(
      test::samples_of<std::uint8_t>(everywhere(Open{.element = Element::disc, .radius = 2}, test::pattern_image())),
      expected);
}

TEST(Open, TwiceIsOnceAndNeverAboveTheImage) {
  for (const Element element : {Element::box, Element::cross, Element::disc}) {
    const Open open{.element = element, .radius = 3};
    const Image image = test::noise({45, 37, 1, Format::u8}, 3);
    const Image once = everywhere(open, image);
    EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(open, once)), test::samples_of<std::uint8_t>(once));
    const Bytes before = test::samples_of<std::uint8_t>(image), after = test::samples_of<std::uint8_t>(once);
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_LE(after[i], before[i]);
  }
}

TEST(Open, OutsideIsNeutralToBothSteps) {
  // White that fills the image stays, and so does what the edge cuts if its part inside holds the element's.
  const std::vector<float> white(30, -2.5f);
  EXPECT_EQ(test::samples_of<float>(everywhere(Open{.radius = 4}, test::image_of<float>(6, 5, 1, white))), white);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Open{.radius = 1}, test::row_of<std::uint8_t>({9, 9, 0, 9, 0}))),
            (Bytes{9, 9, 0, 0, 0}));
}

TEST(Open, PaddedRectanglesReadNothingBesideThem) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    Image parent(Format::u8, 40, 30), target(Format::u8, 40, 30);
    std::memset(parent.data(), 0, parent.bytes());
    std::memset(target.data(), 3, target.bytes());
    const View<std::uint8_t> from = parent.as<std::uint8_t>().sub(5, 7, 21, 17),
                             to = target.as<std::uint8_t>().sub(9, 11, 21, 17);
    for (int y = 0; y < 17; ++y) std::memset(from.row(y), 200, 21);
    apply(Open{.element = Element::disc, .radius = 4}, from, to);
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 40; ++x)
        ASSERT_EQ(target.as<std::uint8_t>().at(x, y), x >= 9 && x < 30 && y >= 11 && y < 28 ? 200 : 3) << place.text();
  }
}

TEST(Open, RefusesWhatItCannotDo) {
  try {
    apply(Open{.radius = 1025}, test::pattern_image());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "open: radius = 1025, allowed 0 to 1024 pixels");
  }
  EXPECT_THROW(apply(Open{.iterations = 0}, test::pattern_image()), Error);
}

}  // namespace
}  // namespace zp
