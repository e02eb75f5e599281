// Hue, saturation and value to RGB.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_HSV_TO_RGB_H
#define ZP_OPS_COLOR_HSV_TO_RGB_H

#include "core/op.h"
#include "ops/color/hsv.h"

namespace zp {

/// The inverse of RgbToHsv, with its units. Any hue is taken modulo the circle; a saturation outside 0..1 is clamped in
/// f32. A NaN channel makes all three NaN, and so does an infinite hue. A fourth channel is kept.
struct HsvToRgb {
  using Shape = Point;
  static constexpr Info info{
      .name = "hsv_to_rgb",
      .family = "color",
      .summary = "hue, saturation, value to RGB",
      .channels = kColorChannels,
      .opencv = "half: as cvtColor HSV2RGB within 1; full: HSV2RGB_FULL counts 255 steps, not 256; u16: it has none",
      .scikit_image = "as hsv2rgb, whose hue is 0..1",
      .npp = "as HSVToRGB with hue=full within 1"};
  HueScale hue = HueScale::half;
  static constexpr std::tuple parameters{parameter(
      "hue", &HsvToRgb::hue, "u8 only: 360 degrees are 180 (half) or 256 (full) steps", {.choices = kHueScaleNames})};
  static constexpr Case cases[] = {{""}, {"hue=full"}, {"", kAnyFormat, 4}};

  struct Body {
    static constexpr int in_channels = 3, out_channels = 3;
    float circle, white;
    ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
      const Hsv q{wrapped_sixths(p[0] * 6.0f / circle), clamped(p[1] / white, 0.0f, 1.0f), p[2]};
      const Pixel<float, 3> rgb = rgb_of(q);
      constexpr float nan = __builtin_nanf("");
      const bool bad = any_nan(p);
      return {{bad ? nan : rgb[0], bad ? nan : rgb[1], bad ? nan : rgb[2]}};
    }
  };
  Body bind(const PlaneShape& in) const { return {hue_circle(in.format, hue), float(white_of(in.format))}; }
};

}  // namespace zp

#endif
ZP_OP(HsvToRgb)
