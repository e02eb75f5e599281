// A mask of the samples within two limits.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_IN_RANGE_H
#define ZP_OPS_POINT_IN_RANGE_H

#include <cmath>

#include "core/op.h"
#include "ops/point/limits.h"

namespace zp {

/// White where low <= v <= high, else 0, in the image's own format; channels each on their own. NaN lies in no range. A
/// high below low is an error.
struct InRange {
  using Shape = Point;
  static constexpr Info info{
      .name = "in_range",
      .family = "point",
      .summary = "white where low <= v <= high, else 0",
      .opencv = "same as inRange for one channel of u8; OpenCV's mask is always u8, and one for all channels",
      .scikit_image = "the mask (low <= v) & (v <= high)"};
  float low = 0, high = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("low", &InRange::low, "smallest value inside", {.unit = "pixel value"}),
      parameter("high", &InRange::high, "largest value inside",
                {.unit = "pixel value", .automatic = "white of the format"})};
  static constexpr Case cases[] = {
      {"low=20,high=100"}, {"low=0.25,high=0.5", kFloatFormat, 3}, {"low=1000.5,high=40000", bit(Format::u16), 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    detail_limits::require_ordered(info.name, low, is_automatic(high) ? float(white_of(in[0].format)) : high);
    return in[0];
  }

  struct Body {
    float low, high;
    int first, last;  ///< for integers: the levels inside
    int white;        ///< 0 if no level lies inside
    template <class V>
    ZP_HD V operator()(V v) const {
      if constexpr (std::is_same_v<V, float>) {
        return (v >= low) & (v <= high) ? 1.0f : 0.0f;
      } else {
        const V above = static_cast<V>(v - static_cast<V>(first));
        return above <= static_cast<V>(last - first) ? static_cast<V>(white) : V(0);
      }
    }
  };
  Body bind(const PlaneShape& in) const {
    const float white = float(white_of(in.format)), top = is_automatic(high) ? white : high;
    Body body{low, top, 0, 0, 0};
    if (in.format != Format::f32 && low <= white && top >= 0.0f) {
      body.first = int(std::ceil(clamped(low, 0.0f, white)));
      body.last = int(std::floor(clamped(top, 0.0f, white)));
      body.white = int(white);
      // Limits between two neighbours: no level inside.
      if (body.last < body.first) body.white = 0, body.last = body.first;
    }
    return body;
  }
};

}  // namespace zp

#endif
ZP_OP(InRange)
