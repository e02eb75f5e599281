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

  /// A chunk, for the CPU: the values first, then where they are.
  template <class>
  struct Lanes {
    explicit Lanes(const Extremes& f) : extremes_(f), found_(f.zero()) {}
    void lift(int, int n, const T* samples, std::int64_t pixel) {
      if (n < kReduceLanes || extremes_.finite) {
        for (int j = 0; j < n; ++j) extremes_.lift(found_, samples[j], pixel + j);
        return;
      }
      constexpr int kSide = 64;
      T low[kSide], high[kSide];
      int nans = 0;
      for (int j = 0; j < kSide; ++j) low[j] = high[j] = samples[j];
      for (int i = kSide; i < kReduceLanes; i += kSide)
        for (int j = 0; j < kSide; ++j) {
          low[j] = low[j] <= samples[i + j] ? low[j] : samples[i + j];
          high[j] = high[j] >= samples[i + j] ? high[j] : samples[i + j];
        }
      if constexpr (std::is_same_v<T, float>)
        for (int j = 0; j < kReduceLanes; ++j) nans += samples[j] != samples[j] ? 1 : 0;
      if (nans) {
        for (int j = 0; j < n; ++j) extremes_.lift(found_, samples[j], pixel + j);
        return;
      }
      for (int step = kSide / 2; step > 0; step /= 2)
        for (int j = 0; j < step; ++j) {
          low[j] = smaller(low[j], low[j + step]);
          high[j] = larger(high[j], high[j + step]);
        }
      if (found_.low_pixel == kNowhere || low[0] < found_.low) {
        found_.low_pixel = pixel + first(samples, low[0]);
        found_.low = samples[found_.low_pixel - pixel];
      }
      if (found_.high_pixel == kNowhere || high[0] > found_.high) {
        found_.high_pixel = pixel + first(samples, high[0]);
        found_.high = samples[found_.high_pixel - pixel];
      }
    }
    Value value() const { return found_; }

   private:
    static int first(const T* samples, T v) {
      int j = 0;
      while (samples[j] != v) ++j;
      return j;
    }
    Extremes extremes_;
    Value found_;
  };
};

}  // namespace zp

#endif
