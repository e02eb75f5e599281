// CIE L*a*b* to RGB.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_LAB_TO_RGB_H
#define ZP_OPS_COLOR_LAB_TO_RGB_H

#include "core/op.h"
#include "ops/color/lab.h"

namespace zp {

/// The inverse of RgbToLab: f32 to sRGB in f32, 0..1. Colours that sRGB does not have come out below 0 or above 1: they
/// are not clamped, so that nothing is lost before `clamp` or `convert`. A NaN makes all three NaN. A fourth channel
/// is kept.
struct LabToRgb {
  using Shape = Point;
  static constexpr Info info{.name = "lab_to_rgb",
                             .family = "color",
                             .summary = "CIE L*a*b* to RGB",
                             .formats = kFloatFormat,
                             .channels = kColorChannels,
                             .opencv = "as cvtColor Lab2RGB of f32, which clamps to 0..1",
                             .scikit_image = "as lab2rgb, which clamps to 0..1; its matrix and white are rounded apart",
                             .npp = "as LabToRGB (u8), whose L is L * 2.55 and a is a + 128"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 4}};

  struct Body {
    static constexpr int in_channels = 3, out_channels = 3;
    LinearOfLab linear;
    ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
      const Pixel<float, 3> q = linear(p);
      return {{LinearToSrgb{}(q[0]), LinearToSrgb{}(q[1]), LinearToSrgb{}(q[2])}};
    }
  };
  Body bind(const PlaneShape&) const { return {LinearOfLab{rounded_rows(kRgbOfXyz)}}; }
};

}  // namespace zp

#endif
ZP_OP(LabToRgb)
