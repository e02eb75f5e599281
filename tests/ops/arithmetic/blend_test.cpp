// blend: values by hand, automatic weight.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/blend.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

TEST(Blend, weights) {
  const Image a = row_of<std::uint8_t>({0, 10, 11, 255, 100}), b = row_of<std::uint8_t>({0, 20, 20, 255, 200});
  // 15.5 goes to 16.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Blend{}, {&a, &b})), (std::vector<std::uint8_t>{0, 15, 16, 255, 150}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Blend{0.25f}, {&a, &b})),
            (std::vector<std::uint8_t>{0, 18, 18, 255, 175}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Blend{2, -1, 7}, {&a, &b})),
            (std::vector<std::uint8_t>{7, 7, 9, 255, 7}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Blend{1, 1}, {&a, &b})),
            (std::vector<std::uint8_t>{0, 30, 31, 255, 255}));
}

TEST(Blend, of_1_is_the_first_and_of_0_the_second) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image a = test::noise({27, 8, 3, format}), b = test::noise({27, 8, 3, format}, 9);
    EXPECT_EQ(hash(everywhere(Blend{1}, {&a, &b}).view()), hash(a.view()));
    EXPECT_EQ(hash(everywhere(Blend{0}, {&a, &b}).view()), hash(b.view()));
  }
}

TEST(Blend, one_channel_serves_all) {
  const Image a = test::image_of<float>(1, 1, 3, {1, 2, 3}), b = row_of<float>({5});
  EXPECT_EQ(samples_of<float>(everywhere(Blend{}, {&a, &b})), (std::vector<float>{3, 3.5f, 4}));
}

TEST(Blend, one_channel_of_either_image_serves_all) {
  test::expect_one_channel_serves_all<std::uint8_t>(Blend{0.3f});
  test::expect_one_channel_serves_all<std::uint16_t>(Blend{0.3f});
  test::expect_one_channel_serves_all<float>(Blend{0.3f});
}

}  // namespace
}  // namespace zp
