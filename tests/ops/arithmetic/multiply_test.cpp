// multiply: values by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/multiply.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

TEST(Multiply, saturates_and_rounds_half_to_even) {
  const Image a = row_of<std::uint8_t>({0, 3, 16, 15, 255}), b = row_of<std::uint8_t>({9, 5, 16, 17, 255});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Multiply{}, {&a, &b})),
            (std::vector<std::uint8_t>{0, 15, 255, 255, 255}));
  // 15 / 2 = 7.5 to 8, 256 / 2 = 128, 255 / 2 = 127.5 to 128.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Multiply{0.5f}, {&a, &b})),
            (std::vector<std::uint8_t>{0, 8, 128, 128, 255}));
}

TEST(Multiply, by_a_mask_of_white_is_the_image_itself) {
  const Image a = test::noise({31, 9, 3, Format::u8});
  Image mask(Format::u8, 31, 9);
  std::memset(mask.data(), 255, mask.bytes());
  EXPECT_EQ(hash(everywhere(Multiply{1 / 255.0f}, {&a, &mask}).view()), hash(a.view()));
}

TEST(Multiply, rounds_twice_in_f32) {
  const Image a = test::noise({31, 9, 2, Format::f32}), b = test::noise({31, 9, 2, Format::f32}, 5);
  const auto out = samples_of<float>(everywhere(Multiply{0.3f}, {&a, &b})), p = samples_of<float>(a),
             q = samples_of<float>(b);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], float(double(float(double(p[i]) * q[i])) * 0.3f));
}

TEST(Multiply, one_channel_of_either_image_serves_all) {
  test::expect_one_channel_serves_all<std::uint8_t>(Multiply{0.01f});
  test::expect_one_channel_serves_all<std::uint16_t>(Multiply{0.01f});
  test::expect_one_channel_serves_all<float>(Multiply{0.01f});
}

}  // namespace
}  // namespace zp
