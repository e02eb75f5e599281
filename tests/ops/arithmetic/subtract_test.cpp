// subtract: values by hand, and every pair of bytes.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/subtract.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

TEST(Subtract, stops_at_0_in_integers) {
  Image a(Format::u8, 256, 256), b(Format::u8, 256, 256);
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      a.as<std::uint8_t>().at(x, y) = std::uint8_t(x);
      b.as<std::uint8_t>().at(x, y) = std::uint8_t(y);
    }
  const Image out = everywhere(Subtract{}, {&a, &b});
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) ASSERT_EQ(out.as<std::uint8_t>().at(x, y), std::max(x - y, 0));
  const Image c = row_of<std::uint16_t>({0, 65535, 40000}), d = row_of<std::uint16_t>({65535, 0, 39999});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Subtract{}, {&c, &d})), (std::vector<std::uint16_t>{0, 65535, 1}));
}

TEST(Subtract, is_signed_in_f32) {
  const Image a = row_of<float>({0.25f, std::nanf("")}), b = row_of<float>({1, 1});
  const auto out = samples_of<float>(everywhere(Subtract{}, {&a, &b}));
  EXPECT_EQ(out[0], -0.75f);
  EXPECT_TRUE(std::isnan(out[1]));
}

TEST(Subtract, an_image_from_itself_is_0) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image a = test::noise({33, 5, 4, format});
    const Image out = everywhere(Subtract{}, {&a, &a});
    const auto* bytes = static_cast<const unsigned char*>(out.data());
    for (std::size_t i = 0; i < out.bytes(); ++i) ASSERT_EQ(bytes[i], 0);
  }
}

TEST(Subtract, one_channel_of_either_image_serves_all) {
  test::expect_one_channel_serves_all<std::uint8_t>(Subtract{});
  test::expect_one_channel_serves_all<std::uint16_t>(Subtract{});
  test::expect_one_channel_serves_all<float>(Subtract{});
}

}  // namespace
}  // namespace zp
