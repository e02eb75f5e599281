// window: values by hand, constant ranges, NaN.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/window.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Window, stretches_and_clamps) {
  // (v - 50) * 255 / 100: 50 -> 0, 51 -> 2.55, 52 -> 5.1, 60 -> 25.5 (to 26, even), 70 -> 51, 150 -> 255.
  EXPECT_EQ(samples_of<std::uint8_t>(
                everywhere(Window{50, 150}, row_of<std::uint8_t>({0, 50, 51, 52, 60, 70, 149, 150, 255}))),
            (std::vector<std::uint8_t>{0, 0, 3, 5, 26, 51, 252, 255, 255}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Window{0, 4095}, row_of<std::uint16_t>({0, 1, 4094, 4095, 9999}))),
            (std::vector<std::uint16_t>{0, 16, 65519, 65535, 65535}));
  EXPECT_EQ(samples_of<float>(everywhere(Window{0.25f, 0.75f}, row_of<float>({-kInf, 0, 0.25f, 0.5f, 0.75f, 2, kInf}))),
            (std::vector<float>{0, 0, 0, 0.5f, 1, 1, 1}));
}

TEST(Window, of_the_whole_range_is_the_image_itself) {
  std::vector<std::uint16_t> levels(65536);
  for (int v = 0; v < 65536; ++v) levels[std::size_t(v)] = std::uint16_t(v);
  const Image in = test::image_of(256, 256, 1, levels);
  EXPECT_EQ(hash(everywhere(Window{}, in).view()), hash(in.view()));
}

TEST(Window, of_a_constant_range_is_0) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Window{100, 100}, row_of<std::uint8_t>({0, 100, 255}))),
            (std::vector<std::uint8_t>{0, 0, 0}));
  EXPECT_EQ(samples_of<float>(everywhere(Window{0, 0}, row_of<float>({-1, 0, 1, kInf}))),
            (std::vector<float>{0, 0, 0, 0}));
}

TEST(Window, of_limits_far_out_does_not_overflow) {
  EXPECT_EQ(samples_of<float>(everywhere(Window{-1e33f, 1e33f}, row_of<float>({-3e38f, -1e33f, 0, 1e33f, 3e38f}))),
            (std::vector<float>{0, 0, 0.5f, 1, 1}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Window{-1e33f, 1e33f}, row_of<std::uint16_t>({0, 65535}))),
            (std::vector<std::uint16_t>{32768, 32768}));
  EXPECT_THROW(apply(Window{-2e33f, 3}, row_of<std::uint8_t>({1})), Error);
}

TEST(Window, keeps_nan_in_f32) {
  EXPECT_TRUE(std::isnan(samples_of<float>(everywhere(Window{}, row_of<float>({std::nanf("")})))[0]));
}

TEST(Window, refuses_limits_in_the_wrong_order_or_without_end) {
  try {
    apply(Window{5, 3}, row_of<std::uint8_t>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "window: high = 3, allowed 5 (low) and up");
  }
  EXPECT_THROW(apply(Window{-kInf, 3}, row_of<std::uint8_t>({1})), Error);
}

}  // namespace
}  // namespace zp
