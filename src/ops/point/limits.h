// The check of a pair of limits, which several operations share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_LIMITS_H
#define ZP_OPS_POINT_LIMITS_H

#include <cstdio>

#include "core/op.h"

namespace zp::detail_limits {

/// Limits of a window: beyond, the difference of two limits times white is no f32.
inline constexpr double kFarthest = 1e33;

inline std::string text_of(float v) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%g", static_cast<double>(v));
  return buffer;
}

/// "clamp: high = 3, allowed 5 (low) and up".
inline void require_ordered(std::string_view operation, float low, float high) {
  if (high < low) refuse(operation, "high = " + text_of(high) + ", allowed " + text_of(low) + " (low) and up");
}

}  // namespace zp::detail_limits

#endif
