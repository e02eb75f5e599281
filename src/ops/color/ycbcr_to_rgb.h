// Luma and colour differences to RGB.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_YCBCR_TO_RGB_H
#define ZP_OPS_COLOR_YCBCR_TO_RGB_H

#include "core/op.h"
#include "ops/color/ycbcr.h"

namespace zp {

/// The inverse of RgbToYcbcr, with its standards and ranges: R = Y' + a (Cr - neutral), G = (Y' - b (Cb - neutral)) - c
/// (Cr - neutral), B = Y' + d (Cb - neutral) in f32, where Y' is Y without its black and range. Integers saturate; f32
/// is not clamped. A fourth channel is kept.
struct YcbcrToRgb {
  using Shape = Point;
  static constexpr Info info{
      .name = "ycbcr_to_rgb",
      .family = "color",
      .summary = "luma and colour differences to RGB",
      .channels = kColorChannels,
      .opencv =
          "bt601, full: as cvtColor YCrCb2RGB within 1, with Cb and Cr in the other order and factors of 3 digits",
      .scikit_image = "bt601, limited: as ycbcr2rgb, which takes 16..235 as floating point",
      .npp = "bt601, limited: as YCbCrToRGB within 1"};
  YcbcrStandard standard = YcbcrStandard::bt601;
  YcbcrRange range = YcbcrRange::full;
  static constexpr std::tuple parameters{
      parameter("standard", &YcbcrToRgb::standard, "luma weights", {.choices = kYcbcrStandardNames}),
      parameter("range", &YcbcrToRgb::range, "of luma and chroma", {.choices = kYcbcrRangeNames})};
  static constexpr Case cases[] = {{""}, {"standard=bt709,range=limited"}, {"range=limited", kAnyFormat, 4}};

  YcbcrToRgbBody bind(const PlaneShape& in) const { return ycbcr_to_rgb_body(standard, range, in.format); }
};

}  // namespace zp

#endif
ZP_OP(YcbcrToRgb)
