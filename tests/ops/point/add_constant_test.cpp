// add_constant: values by hand, in place, views.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/add_constant.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(AddConstant, rounds_half_to_even_and_saturates) {
  const std::vector<std::uint8_t> bytes{0, 1, 2, 254, 255};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddConstant{2.0f}, row_of(bytes))),
            (std::vector<std::uint8_t>{2, 3, 4, 255, 255}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddConstant{0.5f}, row_of(bytes))),
            (std::vector<std::uint8_t>{0, 2, 2, 254, 255}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddConstant{-1.75f}, row_of(bytes))),
            (std::vector<std::uint8_t>{0, 0, 0, 252, 253}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(AddConstant{-300}, row_of<std::uint16_t>({0, 300, 301, 65535}))),
            (std::vector<std::uint16_t>{0, 0, 1, 65235}));
}

TEST(AddConstant, follows_ieee_in_f32) {
  const auto out =
      samples_of<float>(everywhere(AddConstant{1}, row_of<float>({0.5f, -1, 16777216.0f, kInf, std::nanf("")})));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 4), (std::vector<float>{1.5f, 0, 16777216.0f, kInf}));
  EXPECT_TRUE(std::isnan(out[4]));
}

TEST(AddConstant, takes_every_channel_count_and_size) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (int channels = 1; channels <= 4; ++channels)
      for (const auto& [w, h] : {std::pair{1, 1}, {1, 9}, {7, 5}, {33, 17}, {0, 3}})
        EXPECT_EQ(everywhere(AddConstant{3}, test::noise({w, h, channels, format})).shape(),
                  (PlaneShape{w, h, channels, format}));
}

TEST(AddConstant, works_in_place_and_leaves_the_padding_alone) {
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    // A 5x3 rectangle at an odd offset in rows of 13 samples.
    Image parent(Format::u16, 13, 6);
    auto* p = static_cast<std::uint16_t*>(parent.data());
    for (int i = 0; i < 13 * 6; ++i) p[i] = std::uint16_t(i);
    const View<std::uint16_t> part = parent.as<std::uint16_t>().sub(3, 2, 5, 3);
    apply(AddConstant{1000}, part, part);
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 13; ++x) {
        const bool inside = x >= 3 && x < 8 && y >= 2 && y < 5;
        EXPECT_EQ(p[y * 13 + x], y * 13 + x + (inside ? 1000 : 0)) << x << ", " << y;
      }
  }
}

TEST(AddConstant, serves_raw_pointers) {
  std::vector<float> image(6, 1.0f);
  apply(AddConstant{2.0f}, image.data(), 3, 2);
  EXPECT_EQ(image, std::vector<float>(6, 3.0f));
}

TEST(AddConstant, refuses_a_constant_that_is_no_number) {
  try {
    apply(AddConstant{std::nanf("")}, row_of<float>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "add_constant: constant is not a number");
  }
}

}  // namespace
}  // namespace zp
