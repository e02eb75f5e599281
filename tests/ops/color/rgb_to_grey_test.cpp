// RgbToGrey by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/rgb_to_grey.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

TEST(RgbToGrey, WeighsByStandard) {
  const Image image = colors_of<std::uint8_t>({255, 0, 0, 0, 255, 0, 0, 0, 255, 200, 100, 50});
  // 76.245, 149.685, 29.07, 124.2; and 54.213, 182.376, 18.411, 117.65.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(RgbToGrey{}, image)), (std::vector<std::uint8_t>{76, 150, 29, 124}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(RgbToGrey{RgbToGrey::Standard::bt709}, image)),
            (std::vector<std::uint8_t>{54, 182, 18, 118}));
}

TEST(RgbToGrey, KeepsTheFourthChannel) {
  const Image out = everywhere(RgbToGrey{}, colors_of<std::uint16_t>({65535, 65535, 65535, 9}, 4));
  EXPECT_EQ(out.channels(), 2);
  EXPECT_EQ(samples_of<std::uint16_t>(out), (std::vector<std::uint16_t>{65535, 9}));
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    everywhere(RgbToGrey{}, noise({67, 45, 3, format}));
}

}  // namespace
}  // namespace zp::test
