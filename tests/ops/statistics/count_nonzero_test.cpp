// Tests of count_nonzero.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/count_nonzero.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using Integers = std::vector<std::int64_t>;

TEST(CountNonzero, OfEachChannel) {
  test::values_everywhere(CountNonzero{}, test::image_of<std::uint8_t>(3, 1, 3, {0, 1, 255, 0, 0, 2, 9, 0, 3}),
                          [](const CountNonzero::Result& r) {
                            EXPECT_EQ(r.count, (Integers{1, 1, 3}));
                            EXPECT_EQ(r.nan_count, (Integers{0, 0, 0}));
                          });
}

TEST(CountNonzero, LeavesNanOut) {
  const float nan = std::nanf("");
  test::values_everywhere(CountNonzero{}, test::row_of<float>({nan, 0.0f, -0.0f, 1e-45f, -INFINITY, nan, 3.0f}),
                          [](const CountNonzero::Result& r) {
                            EXPECT_EQ(r.count, Integers{3});
                            EXPECT_EQ(r.nan_count, Integers{2});
                          });
}

TEST(CountNonzero, CountsEveryPixelOfManyChunks) {
  std::vector<std::uint16_t> samples(201 * 303);
  std::int64_t expected = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = i % 7 == 3 ? std::uint16_t(i | 1) : 0;
    expected += i % 7 == 3;
  }
  test::values_everywhere(CountNonzero{}, test::image_of<std::uint16_t>(201, 303, 1, samples),
                          [&](const CountNonzero::Result& r) { EXPECT_EQ(r.count, Integers{expected}); });
}

TEST(CountNonzero, RectanglesCountTheirOwnPixelsOnly) {
  std::vector<std::uint8_t> parent(24 * 12, 77);
  const View<std::uint8_t> view(parent.data() + 2 * 24 + 5, 6, 8, 1, 24);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 6; ++x) view.at(x, y) = std::uint8_t((x + y) % 2);
  EXPECT_EQ(apply(CountNonzero{}, view).count, Integers{24});
}

TEST(CountNonzero, OfNothingIsAnError) { EXPECT_THROW(apply(CountNonzero{}, Image(Format::u8, 0, 4)), Error); }

}  // namespace
}  // namespace zp
