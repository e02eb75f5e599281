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
};

}  // namespace zp

#endif
