// A range of values stretched to black .. white.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_WINDOW_H
#define ZP_OPS_POINT_WINDOW_H

#include "core/math.h"
#include "core/op.h"
#include "ops/point/limits.h"

namespace zp {

/// (v - low) * white / (high - low) in f32, operation by operation; 0 at low and below, white at high and above. With
/// low = high every sample becomes 0. NaN stays NaN. A high below low is an error.
struct Window {
  using Shape = Point;
  static constexpr Info info{.name = "window",
                             .family = "point",
                             .summary = "low .. high stretched to 0 .. white",
                             .opencv = "normalize with NORM_MINMAX, for given limits; a constant range gives 0",
                             .scikit_image = "same as exposure.rescale_intensity with in_range = (low, high)"};
  float low = 0, high = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("low", &Window::low, "value that becomes black",
                {.low = -detail_limits::kFarthest, .high = detail_limits::kFarthest, .unit = "pixel value"}),
      parameter("high", &Window::high, "value that becomes white",
                {.low = -detail_limits::kFarthest,
                 .high = detail_limits::kFarthest,
                 .unit = "pixel value",
                 .automatic = "white of the format"})};
  static constexpr Case cases[] = {{"low=20,high=200", kAnyFormat, 3},
                                   {"low=0.1,high=0.7", kFloatFormat},
                                   {"low=500,high=4095", bit(Format::u16)},
                                   {"low=100,high=100"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    const Body body = bind(in[0]);
    detail_limits::require_ordered(info.name, body.low, body.high);
    return in[0];
  }

  struct Body {
    float low, high, white, range;
    ZP_HD float operator()(float v) const {
      const float above = v - low;
      const float scaled = above * white;
      const float inside = scaled / range;
      const float bounded = v >= high ? white : inside;
      return v <= low ? 0.0f : bounded;
    }
  };
  Body bind(const PlaneShape& in) const {
    const float white = float(white_of(in.format)), top = is_automatic(high) ? white : high;
    // A constant range: no sample is above a high of infinity, and the quotient is 0.
    if (low == top) return {math::kInfinity, math::kInfinity, white, 1.0f};
    return {low, top, white, top - low};
  }
};

}  // namespace zp

#endif
ZP_OP(Window)
