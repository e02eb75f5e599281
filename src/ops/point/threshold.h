// White above a limit, black below, and its variants.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_THRESHOLD_H
#define ZP_OPS_POINT_THRESHOLD_H

#include "core/threshold.h"

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
  using Kind = ThresholdKind;

  float limit = 128;
  Kind kind = Kind::binary;
  float value = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("limit", &Threshold::limit, "largest value that is background", {.unit = "pixel value"}),
      parameter("kind", &Threshold::kind, "what foreground and background become", {.choices = kThresholdKinds}),
      parameter("value", &Threshold::value, "foreground of the binary kinds",
                {.unit = "pixel value", .automatic = "white of the format"})};
  static constexpr Case cases[] = {{"limit=100"},
                                   {"limit=20000,kind=binary_inverse,value=3", bit(Format::u16)},
                                   {"limit=0.5,kind=truncate"},
                                   {"limit=99,kind=to_zero"},
                                   {"limit=99,kind=to_zero_inverse"}};

  ThresholdSelect bind(const PlaneShape& in) const {
    return threshold_select(kind, limit, is_automatic(value) ? float(white_of(in.format)) : value, in.format);
  }
};

}  // namespace zp

#endif
ZP_OP(Threshold)
