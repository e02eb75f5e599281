// RGB to CIE L*a*b*.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_RGB_TO_LAB_H
#define ZP_OPS_COLOR_RGB_TO_LAB_H

#include "core/op.h"
#include "ops/color/channel_curve.h"
#include "ops/color/lab.h"

namespace zp {

/// CIE 1976 L*a*b* (CIE 15) of the white D65 in f32: L 0..100, a and b about -110..110. RGB is sRGB (IEC 61966-2-1):
/// the samples divided by white, its curve to linear light, the matrix of its primaries and D65 (0.3127, 0.3290)
/// without rounding to digits, so that greys have a = b = 0 within 1e-4. f32 input beyond 0..1 goes on along the
/// curves. A NaN makes all three NaN. A fourth channel becomes v / white.
struct RgbToLab {
  using Shape = Composite;
  static constexpr Info info{.name = "rgb_to_lab",
                             .family = "color",
                             .summary = "RGB to CIE L*a*b*",
                             .channels = kColorChannels,
                             .output = Output::f32,
                             .opencv = "as cvtColor RGB2Lab of f32, which interpolates in tables",
                             .scikit_image = "as rgb2lab within 0.016: its matrix and white are rounded apart",
                             .npp = "as RGBToLab (u8), which stores L * 2.55 and a + 128"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    out.format = Format::f32;
    return out;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    curved_pixels(exec, SrgbToLinear{}, LabOfLinear{rounded_rows(kXyzOfRgb)}, operands.output<Out>(),
                  operands.input<In>());
  }
};

}  // namespace zp

#endif
ZP_OP(RgbToLab)
