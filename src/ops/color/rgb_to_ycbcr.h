// RGB to luma and colour differences.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_RGB_TO_YCBCR_H
#define ZP_OPS_COLOR_RGB_TO_YCBCR_H

#include "core/op.h"
#include "ops/color/ycbcr.h"

namespace zp {

/// Channels Y, Cb, Cr. Y is the weighted sum of red, green and blue, 0.299, 0.587, 0.114 (ITU-R BT.601-7) or 0.2126,
/// 0.7152, 0.0722 (BT.709-6); Cb and Cr are B - Y and R - Y, scaled to 0.5 of their largest value to each side.
///
///   range full      u8: Y 0..255, Cb and Cr 128 +- 127.5 (JPEG); u16: Y 0..65535, 32768 +- 32767.5; f32: Y 0..1, 0.5
///                   +- 0.5
///   range limited   u8: Y 16..235, Cb and Cr 16..240; u16: 256 times these; f32: these divided by 255
///
/// In f32, factors rounded to f32 once. Integers saturate (only full chroma can reach that). A fourth channel is kept.
struct RgbToYcbcr {
  using Shape = Point;
  static constexpr Info info{
      .name = "rgb_to_ycbcr",
      .family = "color",
      .summary = "RGB to luma and colour differences",
      .channels = kColorChannels,
      .opencv =
          "bt601, full: as cvtColor RGB2YCrCb within 1, with Cb and Cr in the other order and factors of 3 digits",
      .scikit_image = "bt601, limited: as rgb2ycbcr, which returns 16..235 as floating point",
      .npp = "bt601, limited: as RGBToYCbCr within 1"};
  YcbcrStandard standard = YcbcrStandard::bt601;
  YcbcrRange range = YcbcrRange::full;
  static constexpr std::tuple parameters{
      parameter("standard", &RgbToYcbcr::standard, "luma weights", {.choices = kYcbcrStandardNames}),
      parameter("range", &RgbToYcbcr::range, "of luma and chroma", {.choices = kYcbcrRangeNames})};
  static constexpr Case cases[] = {{""}, {"standard=bt709,range=limited"}, {"range=limited", kAnyFormat, 4}};

  RgbToYcbcrBody bind(const PlaneShape& in) const { return rgb_to_ycbcr_body(standard, range, in.format); }
};

}  // namespace zp

#endif
ZP_OP(RgbToYcbcr)
