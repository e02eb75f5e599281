// grey_to_rgb: three equal channels, alpha kept.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/grey_to_rgb.h"
#include "ops/layout/extract_channel.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::samples_of;

TEST(GreyToRgb, three_equal_channels) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(GreyToRgb{}, test::row_of<std::uint8_t>({0, 7, 255}))),
            (std::vector<std::uint8_t>{0, 0, 0, 7, 7, 7, 255, 255, 255}));
}

TEST(GreyToRgb, alpha_is_kept) {
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(GreyToRgb{}, image_of<std::uint16_t>(2, 1, 2, {1, 9, 65535, 8}))),
            (std::vector<std::uint16_t>{1, 1, 1, 9, 65535, 65535, 65535, 8}));
}

TEST(GreyToRgb, every_format) {
  for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32}) {
    const Image in = test::noise({31, 5, 1, format}), out = everywhere(GreyToRgb{}, in);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(hash(apply(ExtractChannel{c}, out).view()), hash(in.view()));
  }
  EXPECT_EQ(apply(GreyToRgb{}, Image(Format::u8, 0, 4)).channels(), 3);
}

TEST(GreyToRgb, refuses_colour) {
  try {
    apply(GreyToRgb{}, Image(Format::u8, 4, 4, 3));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "grey_to_rgb: does not take 3 channels, only 1, 2");
  }
}

}  // namespace
}  // namespace zp
