// Shifts of hue, saturation and value of an RGB image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_ADD_HSV_H
#define ZP_OPS_COLOR_ADD_HSV_H

#include <cmath>

#include "core/op.h"
#include "ops/color/hsv.h"

namespace zp {

/// RGB -> HSV, add, -> RGB in one pass, without rounding in between. Hue is in degrees and wraps; saturation and value
/// are on a scale of 0..1 of white and are clamped to it, also in f32, where white is 1. Grey has hue 0: added
/// saturation makes it red. A NaN channel makes all three NaN. A fourth channel is kept.
struct AddHsv {
  using Shape = Point;
  static constexpr Info info{.name = "add_hsv",
                             .family = "color",
                             .summary = "shift hue, saturation and value of RGB",
                             .channels = kColorChannels,
                             .opencv = "cvtColor RGB2HSV, add, cvtColor HSV2RGB in f32",
                             .scikit_image = "rgb2hsv, add, hsv2rgb"};
  float hue = 0, saturation = 0, value = 0;
  static constexpr std::tuple parameters{
      parameter("hue", &AddHsv::hue, "added to the hue", {.low = -36000, .high = 36000, .unit = "degrees"}),
      parameter("saturation", &AddHsv::saturation, "added to the saturation",
                {.low = -1, .high = 1, .unit = "of white"}),
      parameter("value", &AddHsv::value, "added to the value", {.low = -1, .high = 1, .unit = "of white"})};
  static constexpr Case cases[] = {
      {"hue=40"}, {"hue=-90,saturation=0.2,value=-0.1"}, {"saturation=-0.5", kAnyFormat, 4}};

  struct Body {
    static constexpr int in_channels = 3, out_channels = 3;
    float sixths, saturation, value, white;  ///< sixths in [0, 6)
    ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
      const Hsv q = hsv_of(p[0], p[1], p[2]);
      const float turned = (q.hue >= 6.0f ? 0.0f : q.hue) + sixths;
      const Pixel<float, 3> rgb =
          rgb_of({turned >= 6.0f ? turned - 6.0f : turned, clamped(q.saturation + saturation, 0.0f, 1.0f),
                  clamped(q.value + value, 0.0f, white)});
      constexpr float nan = __builtin_nanf("");
      const bool bad = any_nan(p);
      return {{bad ? nan : rgb[0], bad ? nan : rgb[1], bad ? nan : rgb[2]}};
    }
  };
  Body bind(const PlaneShape& in) const {
    const float white = float(white_of(in.format));
    double turn = std::fmod(double(hue), 360.0);
    if (turn < 0) turn += 360.0;
    const float sixths = float(turn / 60.0);
    return {sixths >= 6.0f ? 0.0f : sixths, saturation, value * white, white};
  }
};

}  // namespace zp

#endif
ZP_OP(AddHsv)
