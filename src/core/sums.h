// Sums over a channel: what sum, mean, deviation and white balance share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_SUMS_H
#define ZP_CORE_SUMS_H

#include "core/op.h"

namespace zp {

/// Sum and count of the samples that are not NaN: 64-bit integers for u8, u16 and u32, double for f32.
template <class T>
struct SampleSum {
  struct Value {
    std::conditional_t<std::is_same_v<T, float>, double, std::uint64_t> sum;
    std::int64_t count;
  };
  ZP_HD Value zero() const { return {0, 0}; }
  ZP_HD void lift(Value& v, T sample, std::int64_t) const {
    if (sample != sample) return;
    v.sum += sample;
    v.count += 1;
  }
  ZP_HD Value join(const Value& a, const Value& b) const { return {a.sum + b.sum, a.count + b.count}; }

  /// The lanes of a chunk side by side, for the CPU.
  template <class>
  struct Lanes {
    explicit Lanes(const SampleSum&) {}
    void lift(int t, int n, const T* samples, std::int64_t) {
      if constexpr (std::is_same_v<T, float>) {
        double* to = sum + t;
#pragma GCC ivdep
        for (int j = 0; j < n; ++j) {
          const double next = to[j] + static_cast<double>(samples[j]);
          to[j] = samples[j] == samples[j] ? next : to[j];
        }
        int numbers = 0;
        for (int j = 0; j < n; ++j) numbers += samples[j] == samples[j] ? 1 : 0;
        count += numbers;
      } else {
        using Partial = std::conditional_t<sizeof(T) <= 2, std::uint32_t, std::uint64_t>;
        Partial partial = 0;
        for (int j = 0; j < n; ++j) partial += samples[j];
        sum[0] += partial;
        count += n;
      }
    }
    Value value() {
      if constexpr (std::is_same_v<T, float>)
        for (int step = kReduceLanes / 2; step > 0; step /= 2)
          for (int t = 0; t < step; ++t) sum[t] += sum[t + step];
      return {sum[0], count};
    }
    decltype(Value::sum) sum[std::is_same_v<T, float> ? kReduceLanes : 1] = {};
    std::int64_t count = 0;
  };
};

}  // namespace zp

#endif
