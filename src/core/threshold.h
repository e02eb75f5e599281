// What thresholds make of background and foreground.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_THRESHOLD_H
#define ZP_CORE_THRESHOLD_H

#include <cmath>

#include "core/op.h"

namespace zp {

/// Foreground is v > limit. As cv::threshold: binary (value or 0), binary_inverse (0 or value), truncate (limit or v),
/// to_zero (v or 0), to_zero_inverse (0 or v). NaN is not above any limit.
enum class ThresholdKind : int { binary, binary_inverse, truncate, to_zero, to_zero_inverse };
inline constexpr std::string_view kThresholdKinds[] = {"binary", "binary_inverse", "truncate", "to_zero",
                                                       "to_zero_inverse"};

/// A Point functor, one select per sample: each side keeps the sample or becomes a value.
struct ThresholdSelect {
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

/// `foreground`: of the binary kinds.
inline ThresholdSelect threshold_select(ThresholdKind kind, float limit, float foreground, Format format) {
  ThresholdSelect body{limit, 0, 0, 0, 0, 0};
  switch (kind) {
    case ThresholdKind::binary:
      body.above = foreground;
      break;
    case ThresholdKind::binary_inverse:
      body.below = foreground;
      break;
    case ThresholdKind::truncate:
      body.above = limit, body.keeps_below = -1;
      break;
    case ThresholdKind::to_zero:
      body.keeps_above = -1;
      break;
    case ThresholdKind::to_zero_inverse:
      body.keeps_below = -1;
      break;
  }
  if (format != Format::f32) {
    // Every level is above a limit below 0, which no level can say; both sides are the foreground then.
    if (limit < 0) body.keeps_below = body.keeps_above, body.below = body.above;
    body.last = int(std::floor(clamped(limit, 0.0f, float(white_of(format)))));
  }
  return body;
}

}  // namespace zp

#endif
