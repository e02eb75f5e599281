// Tests of equalize.
// SPDX-License-Identifier: Apache-2.0
#include "ops/contrast/equalize.h"

#include <gtest/gtest.h>

#include "ops/contrast/pictures.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;

// Sums of OpenCV 5.0's equalizeHist.
TEST(Equalize, EqualsOpenCv) {
  const Image small = test::image_of(37, 29, 1, test::slope<std::uint8_t>(37, 29));
  EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(Equalize{}, small))), 83430607u);
  const Image large = test::image_of(300, 211, 1, test::slope<std::uint8_t>(300, 211));
  EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(Equalize{}, large))), 262117989351u);
}

TEST(Equalize, ByHand) {
  // Darkest 5 twice; of the other 5 pixels, 1, 3 and 5 lie up to 9, 40 and 200: 255 / 5 each.
  const Image bytes = test::row_of<std::uint8_t>({40, 5, 200, 9, 40, 5, 200});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Equalize{}, bytes)), (Bytes{153, 0, 255, 51, 153, 0, 255}));
  // 65535 / 2 = 32767.5, rounded to even.
  const Image words = test::row_of<std::uint16_t>({300, 65535, 301, 300});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Equalize{}, words)), (Words{0, 65535, 32768, 0}));
}

TEST(Equalize, U16AtFullResolution) {
  // Twice each level of a range of the length of white + 1: level v has 2 * (v - first) others up to it.
  Words samples;
  for (int k = 0; k < 2; ++k)
    for (int v = 20000; v < 20000 + 4370; ++v) samples.push_back(std::uint16_t(v));
  const Words result = samples_of<std::uint16_t>(everywhere(Equalize{}, test::image_of(437, 20, 1, samples)));
  for (std::size_t i = 0; i < samples.size(); ++i)
    ASSERT_EQ(result[i], (samples[i] - 20000) * 15) << i;  // 65535 / 4369 = 15
}

TEST(Equalize, ConstantStays) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Equalize{}, test::row_of<std::uint8_t>({77, 77, 77}))), Bytes(3, 77));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Equalize{}, test::row_of<std::uint16_t>({0}))), Words(1, 0));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Equalize{}, test::image_of(1, 9, 1, Words(9, 65535)))),
            Words(9, 65535));
}

TEST(Equalize, EachChannelOnItsOwnAndViews) {
  const Words grey = test::slope<std::uint16_t>(61, 43);
  const Words expected = samples_of<std::uint16_t>(apply(Equalize{}, test::image_of(61, 43, 1, grey)));
  Words color;
  for (const std::uint16_t v : grey) color.insert(color.end(), {v, 5, v});
  const Words result = samples_of<std::uint16_t>(everywhere(Equalize{}, test::image_of(61, 43, 3, color)));
  Words parent(80u * 50u, 1234), out(70u * 50u, 4321);
  for (std::size_t i = 0; i < grey.size(); ++i) {
    ASSERT_EQ(result[3 * i], expected[i]);
    ASSERT_EQ(result[3 * i + 1], 5);
    ASSERT_EQ(result[3 * i + 2], expected[i]);
    parent[(i / 61 + 3) * 80 + i % 61 + 7] = grey[i];
  }
  apply(Equalize{}, View<const std::uint16_t>(parent.data() + 3 * 80 + 7, 61, 43, 1, 160),
        View<std::uint16_t>(out.data() + 70 + 1, 61, 43, 1, 140));
  for (std::size_t i = 0; i < grey.size(); ++i) ASSERT_EQ(out[(i / 61 + 1) * 70 + i % 61 + 1], expected[i]);
  EXPECT_EQ(out[70 + 62], 4321);
}

TEST(Equalize, Refusals) {
  EXPECT_NE(test::refusal(Equalize{}, Image(Format::f32, 2, 2)).find("equalize: does not take f32"), std::string::npos);
  EXPECT_TRUE(apply(Equalize{}, Image(Format::u8, 5, 0)).empty());
}

}  // namespace
}  // namespace zp
