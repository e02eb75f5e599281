// Samples limited to a range.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_CLAMP_H
#define ZP_OPS_POINT_CLAMP_H

#include "core/op.h"
#include "ops/point/limits.h"

namespace zp {

/// low where v < low, high where v > high, else v. For integers a limit that is no integer is rounded half to even, and
/// limits outside the format saturate. NaN stays NaN. A high below low is an error.
struct Clamp {
  using Shape = Point;
  static constexpr Info info{.name = "clamp",
                             .family = "point",
                             .summary = "v limited to low .. high",
                             .opencv = "same as min and max with scalars",
                             .scikit_image = "same as numpy.clip",
                             .npp = "same as Threshold_LTValGTVal with the limits as values"};
  float low = 0, high = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("low", &Clamp::low, "smallest value that stays", {.unit = "pixel value"}),
      parameter("high", &Clamp::high, "largest value that stays",
                {.unit = "pixel value", .automatic = "white of the format"})};
  static constexpr Case cases[] = {
      {"low=20,high=100"}, {"low=0.25", kFloatFormat, 3}, {"low=1000,high=40000", bit(Format::u16)}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    const Body body = bind(in[0]);
    detail_limits::require_ordered(info.name, body.low, body.high);
    return in[0];
  }

  struct Body {
    float low, high;
    template <class V>
    ZP_HD V operator()(V v) const {
      return clamped(v, to_sample<V>(low), to_sample<V>(high));
    }
  };
  Body bind(const PlaneShape& in) const { return {low, is_automatic(high) ? float(white_of(in.format)) : high}; }
};

}  // namespace zp

#endif
ZP_OP(Clamp)
