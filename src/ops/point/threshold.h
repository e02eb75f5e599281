// White above a limit, black below, and its variants.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_THRESHOLD_H
#define ZP_OPS_POINT_THRESHOLD_H

#include <cmath>

#include "core/op.h"

namespace zp {

/// Foreground is v > limit. Kinds as cv::threshold: binary (value or 0), binary_inverse (0 or value), truncate (limit
/// or v), to_zero (v or 0), to_zero_inverse (0 or v). NaN is not above any limit.
struct Threshold {
  using Shape = Point;
  static constexpr Info info{.name = "threshold",
                             .family = "point",
                             .summary = "white where v > limit, else 0",
                             .opencv = "same as threshold",
                             .scikit_image = "the mask v > limit",
                             .npp = "same as Threshold_GTVal and LTVal for their kinds"};
  enum class Kind : int { binary, binary_inverse, truncate, to_zero, to_zero_inverse };
  static constexpr std::string_view kKinds[] = {"binary", "binary_inverse", "truncate", "to_zero", "to_zero_inverse"};

  float limit = 128;
  Kind kind = Kind::binary;
  float value = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("limit", &Threshold::limit, "largest value that is background", {.unit = "pixel value"}),
      parameter("kind", &Threshold::kind, "what foreground and background become", {.choices = kKinds}),
      parameter("value", &Threshold::value, "foreground of the binary kinds",
                {.unit = "pixel value", .automatic = "white of the format"})};
  static constexpr Case cases[] = {{"limit=100"},
                                   {"limit=20000,kind=binary_inverse,value=3", bit(Format::u16)},
                                   {"limit=0.5,kind=truncate"},
                                   {"limit=99,kind=to_zero"},
                                   {"limit=99,kind=to_zero_inverse"}};

  /// One select per sample: each side keeps the sample or becomes a value.
  struct Body {
    float limit;
    int last;                      ///< for integers: the largest level that is background
    int keeps_above, keeps_below;  ///< all bits or none, with a value of 0 where the sample is kept
    float above, below;
    template <class V>
    ZP_HD V operator()(V v) const {
      if constexpr (std::is_same_v<V, float>) {
        const float high = keeps_above ? v : above, low = keeps_below ? v : below;
        return v > limit ? high : low;
      } else {
        const V high = static_cast<V>((v & static_cast<V>(keeps_above)) | to_sample<V>(above));
        const V low = static_cast<V>((v & static_cast<V>(keeps_below)) | to_sample<V>(below));
        return v > static_cast<V>(last) ? high : low;
      }
    }
  };
  Body bind(const PlaneShape& in) const {
    const float white = float(white_of(in.format)), foreground = is_automatic(value) ? white : value;
    Body body{limit, 0, 0, 0, 0, 0};
    switch (kind) {
      case Kind::binary:
        body.above = foreground;
        break;
      case Kind::binary_inverse:
        body.below = foreground;
        break;
      case Kind::truncate:
        body.above = limit, body.keeps_below = -1;
        break;
      case Kind::to_zero:
        body.keeps_above = -1;
        break;
      case Kind::to_zero_inverse:
        body.keeps_below = -1;
        break;
    }
    if (in.format != Format::f32) {
      // Every level is above a limit below 0, which no level can say; both sides are the foreground then.
      if (limit < 0) body.keeps_below = body.keeps_above, body.below = body.above;
      body.last = int(std::floor(clamped(limit, 0.0f, white)));
    }
    return body;
  }
};

}  // namespace zp

#endif
ZP_OP(Threshold)
