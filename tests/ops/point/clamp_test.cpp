// clamp: limits in and out of the format.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/clamp.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Clamp, keeps_what_is_inside) {
  const std::vector<std::uint8_t> bytes{0, 9, 10, 11, 100, 101, 255};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Clamp{10, 100}, row_of(bytes))),
            (std::vector<std::uint8_t>{10, 10, 10, 11, 100, 100, 100}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Clamp{-5, 1000}, row_of(bytes))), bytes);
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Clamp{}, row_of(bytes))), bytes);
  // 10.5 becomes 10, the even neighbour, as the rounded value of every clamped byte does.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Clamp{10.5f, 100.5f}, row_of(bytes))),
            (std::vector<std::uint8_t>{10, 10, 10, 11, 100, 100, 100}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Clamp{256, 4095}, row_of<std::uint16_t>({0, 4095, 4096}))),
            (std::vector<std::uint16_t>{256, 4095, 4095}));
}

TEST(Clamp, white_of_f32_is_1_and_nan_stays) {
  const auto out =
      samples_of<float>(everywhere(Clamp{}, row_of<float>({-kInf, -0.5f, 0.25f, 1.5f, kInf, std::nanf("")})));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 5), (std::vector<float>{0, 0, 0.25f, 1, 1}));
  EXPECT_TRUE(std::isnan(out[5]));
  EXPECT_EQ(samples_of<float>(everywhere(Clamp{-kInf, 0.5f}, row_of<float>({-kInf, 9}))),
            (std::vector<float>{-kInf, 0.5f}));
}

TEST(Clamp, refuses_limits_in_the_wrong_order) {
  try {
    apply(Clamp{5, 3}, row_of<std::uint8_t>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "clamp: high = 3, allowed 5 (low) and up");
  }
}

}  // namespace
}  // namespace zp
