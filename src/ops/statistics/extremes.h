// Smallest and largest sample of a channel and where they come first: what min_max and histogram share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_EXTREMES_H
#define ZP_OPS_STATISTICS_EXTREMES_H

#include <limits>

#include "core/op.h"

namespace zp {

/// Of equal samples the first in raster order counts; NaN counts as none. With `finite` set, infinities count as none
/// too.
template <class T>
struct Extremes {
  static constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::max();
  struct Value {
    T low, high;
    std::int64_t low_pixel, high_pixel, nan_count;  ///< pixels kNowhere where there is no sample
  };
  bool finite = false;

  ZP_HD Value zero() const { return {T(0), T(0), kNowhere, kNowhere, 0}; }
  ZP_HD void lift(Value& v, T sample, std::int64_t pixel) const {
    if (sample != sample) {
      v.nan_count += 1;
      return;
    }
    if constexpr (std::is_same_v<T, float>)
      if (finite && sample - sample != 0.0f) return;
    v = join(v, {sample, sample, pixel, pixel, 0});
  }
  ZP_HD Value join(const Value& a, const Value& b) const {
    const bool low = b.low_pixel != kNowhere &&
                     (a.low_pixel == kNowhere || b.low < a.low || (b.low == a.low && b.low_pixel < a.low_pixel));
    const bool high = b.high_pixel != kNowhere && (a.high_pixel == kNowhere || b.high > a.high ||
                                                   (b.high == a.high && b.high_pixel < a.high_pixel));
    return {low ? b.low : a.low, high ? b.high : a.high, low ? b.low_pixel : a.low_pixel,
            high ? b.high_pixel : a.high_pixel, a.nan_count + b.nan_count};
  }
};

}  // namespace zp

#endif
