// Sum of each channel.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/sum.h"

#include "support/everywhere.h"

namespace zp {
namespace {

TEST(CaseA4, SumOfRectanglesAtEveryOffset) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    for (int x = 0; x < 10; ++x)
      for (int width = 1; width <= 9; ++width) {
        Image parent(Format::u8, 24, 12);
        std::memset(parent.data(), 77, parent.bytes());
        const View<std::uint8_t> view = parent.as<std::uint8_t>().sub(x, 2, width, 8);
        for (int y = 0; y < 8; ++y) std::memset(view.row(y), 1, std::size_t(width));
        ASSERT_EQ(apply(Sum{}, view).sum[0], 8.0 * width) << place.text() << ' ' << x;
      }
  }
}

TEST(Sum, IsExactWhereAFloatIsNot) {
  // 2^24 ones and one more need 25 bits; 300 x 65535 stays exact too.
  Image image(Format::u8, 4097, 4096);
  std::memset(image.data(), 1, image.bytes());
  EXPECT_EQ(apply(Sum{}, image).sum[0], 4097.0 * 4096.0);
  test::values_everywhere(Sum{}, test::image_of<std::uint16_t>(100, 3, 1, std::vector<std::uint16_t>(300, 65535)),
                          [](const Sum::Result& r) { EXPECT_EQ(r.sum[0], 19660500.0); });
  // In f32 the ones would vanish beside 2^25.
  test::values_everywhere(Sum{}, test::row_of<float>({33554432.0f, 1, 1, std::nanf(""), -33554432.0f}),
                          [](const Sum::Result& r) {
                            EXPECT_EQ(r.sum[0], 2.0);
                            EXPECT_EQ(r.nan_count[0], 1);
                          });
}

}  // namespace
}  // namespace zp
