// RGB to hue, saturation and value.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_RGB_TO_HSV_H
#define ZP_OPS_COLOR_RGB_TO_HSV_H

#include "core/op.h"
#include "ops/color/hsv.h"

namespace zp {

/// V = largest channel, S = white (V - smallest) / V, H = angle on the hexcone (Smith, SIGGRAPH 1978). Units: u8 H
/// 0..179 (half: 2 degrees each) or 0..255 (full), S and V 0..255; u16 H 0..65535 for 360 degrees, S and V 0..65535;
/// f32 H in [0, 360) degrees, S 0..1, V as the channels. A hue that rounds to the full circle is 0. Grey has H = 0 and
/// S = 0, and so has a pixel whose largest channel is not above 0. A NaN channel makes all three NaN. A fourth channel
/// is kept.
struct RgbToHsv {
  using Shape = Point;
  static constexpr Info info{
      .name = "rgb_to_hsv",
      .family = "color",
      .summary = "RGB to hue, saturation, value",
      .channels = kColorChannels,
      .opencv = "as cvtColor RGB2HSV (half) and RGB2HSV_FULL within 1 (fixed-point tables there); u16: it has none",
      .scikit_image = "as rgb2hsv, whose hue is 0..1",
      .npp = "as RGBToHSV with hue=full within 1"};
  HueScale hue = HueScale::half;
  static constexpr std::tuple parameters{parameter(
      "hue", &RgbToHsv::hue, "u8 only: 360 degrees are 180 (half) or 256 (full) steps", {.choices = kHueScaleNames})};
  static constexpr Case cases[] = {{""}, {"hue=full"}, {"", kAnyFormat, 4}};

  struct Body {
    static constexpr int in_channels = 3, out_channels = 3;
    float circle, white;
    float rounding;  ///< 2^23 leaves no fraction bits, half to even: what comes to the full circle is 0; 0 leaves all
    ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
      const Hsv q = hsv_of(p[0], p[1], p[2]);
      const float exact = q.hue * circle / 6.0f;
      // Rounded here, because the sample that it becomes must not reach the circle.
      const float hue = (exact + rounding) - rounding;
      const Pixel<float, 3> hsv{{hue >= circle ? 0.0f : hue, q.saturation * white, q.value}};
      constexpr float nan = __builtin_nanf("");
      const bool bad = any_nan(p);
      return {{bad ? nan : hsv[0], bad ? nan : hsv[1], bad ? nan : hsv[2]}};
    }
  };
  Body bind(const PlaneShape& in) const {
    return {hue_circle(in.format, hue), float(white_of(in.format)), in.format != Format::f32 ? 8388608.0f : 0.0f};
  }
};

}  // namespace zp

#endif
ZP_OP(RgbToHsv)
