// fill: one value, one per channel, rounding, refusals.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/fill.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::samples_of;

TEST(Fill, one_number_serves_all_channels) {
  for (int channels = 1; channels <= 4; ++channels) {
    for (const std::uint8_t v :
         samples_of<std::uint8_t>(everywhere(Fill{{7}}, test::noise({9, 5, channels, Format::u8}))))
      ASSERT_EQ(v, 7);
    for (const float v : samples_of<float>(everywhere(Fill{}, test::noise({9, 5, channels, Format::f32}))))
      ASSERT_EQ(v, 0.0f);
  }
}

TEST(Fill, one_number_for_each_channel_rounded_and_saturated) {
  const auto bytes =
      samples_of<std::uint8_t>(everywhere(Fill{{0.5f, 1.5f, 300, -1}}, test::noise({3, 2, 4, Format::u8})));
  for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], (std::array{0, 2, 255, 0})[i % 4]);
  const auto words = samples_of<std::uint16_t>(everywhere(Fill{{65534.5f, 1e9f}}, test::noise({3, 2, 2, Format::u16})));
  for (std::size_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], i % 2 ? 65535 : 65534);
  const auto reals = samples_of<float>(everywhere(Fill{{0.1f, -2, 1e30f}}, test::noise({3, 2, 3, Format::f32})));
  for (std::size_t i = 0; i < reals.size(); ++i) ASSERT_EQ(reals[i], (std::array{0.1f, -2.0f, 1e30f})[i % 3]);
  const auto labels = samples_of<std::uint32_t>(everywhere(Fill{{70000}}, test::noise({3, 2, 1, Format::u32})));
  for (const std::uint32_t v : labels) ASSERT_EQ(v, 70000u);
}

TEST(Fill, a_rectangle_of_a_plane) {
  std::vector<std::uint8_t> bytes(6 * 4, 9);
  const View<std::uint8_t> part = View<std::uint8_t>(bytes.data(), 6, 4).sub(1, 1, 3, 2);
  apply(Fill{{5}}, part, part);
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{9, 9, 9, 9, 9, 9, 9, 5, 5, 5, 9, 9, 9, 5, 5, 5, 9, 9, 9, 9, 9, 9, 9, 9}));
}

TEST(Fill, refuses_a_number_of_values_that_does_not_fit) {
  const auto message = [](const std::vector<float>& value, int channels) -> std::string {
    try {
      apply(Fill{value}, Image(Format::u8, 4, 4, channels));
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  EXPECT_EQ(message({1, 2}, 3), "fill: value has 2 numbers, allowed 1 or 3 for u8 4x4x3");
  EXPECT_EQ(message({1, 2}, 1), "fill: value has 2 numbers, allowed 1 for u8 4x4");
  EXPECT_EQ(message({}, 1), "fill: value has 0 numbers, allowed 1 to 4");
  EXPECT_EQ(message({std::nanf("")}, 1), "fill: value is not a number");
}

}  // namespace
}  // namespace zp
