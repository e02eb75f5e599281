// Medians of small windows: keys that order samples, and a network.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_MEDIAN_NETWORK_H
#define ZP_CORE_MEDIAN_NETWORK_H

#include <bit>

#include "core/op.h"

namespace zp {

/// Unsigned integers that order as the samples do; -0 comes before +0, and every NaN last.
template <class T>
struct OrderKey {
  using Key = T;
  static constexpr int bits = int(sizeof(T)) * 8;
  ZP_HD static Key of(T v) { return v; }
  ZP_HD static T value(Key k) { return k; }
};
template <>
struct OrderKey<float> {
  using Key = std::uint32_t;
  static constexpr int bits = 32;
  ZP_HD static Key of(float v) {
    const Key b = v != v ? 0x7fc00000u : std::bit_cast<Key>(v);
    return b ^ (b >> 31 ? 0xffffffffu : 0x80000000u);
  }
  ZP_HD static float value(Key k) { return std::bit_cast<float>(k ^ (k >> 31 ? 0x80000000u : 0xffffffffu)); }
};

/// Median of an odd window by forgetful selection: of the first Count / 2 + 2 samples the smallest and the largest
/// cannot be the median; they go, the next sample comes in, and so on until one is left. Loops are unrolled by
/// recursion, so that every index is a constant and the samples stay in registers.
template <class Key, int Count>
struct ForgetfulMedian {
  static constexpr int kHeld = Count / 2 + 2;
  Key v[kHeld];

  template <int I, int J>
  ZP_HD void exchange() {
    const Key a = v[I], b = v[J];
    v[I] = smaller(a, b);
    v[J] = larger(a, b);
  }
  template <int N, int I>
  ZP_HD void pairs() {
    if constexpr (I < N / 2) {
      exchange<I, N - 1 - I>();
      pairs<N, I + 1>();
    }
  }
  template <int N, int I>
  ZP_HD void ends() {
    if constexpr (I < (N + 1) / 2) {
      exchange<0, I>();
      exchange<N - 1 - I, N - 1>();
      ends<N, I + 1>();
    }
  }
  template <int N, int Next, class Load>
  ZP_HD Key forget(const Load& load) {
    pairs<N, 0>();
    ends<N, 1>();
    if constexpr (N == 3) {
      return v[1];
    } else {
      v[0] = load.template at<Next>();
      return forget<N - 1, Next + 1>(load);
    }
  }
  template <int I, class Load>
  ZP_HD void first(const Load& load) {
    if constexpr (I < kHeld) {
      v[I] = load.template at<I>();
      first<I + 1>(load);
    }
  }
  template <class Load>
  ZP_HD Key select(const Load& load) {
    first<0>(load);
    return forget<kHeld, kHeld>(load);
  }
};

/// Median of a square window of a fixed radius.
template <int Radius>
struct NetworkMedian {
  static constexpr int kSide = 2 * Radius + 1;
  template <class W>
  struct Load {
    const W& window;
    template <int I>
    ZP_HD auto at() const {
      return OrderKey<typename W::Sample>::of(window(I % kSide - Radius, I / kSide - Radius));
    }
  };
  ZP_HD Extent radius() const { return {Radius, Radius}; }
  template <class W>
  ZP_HD auto operator()(const W& window) const {
    using Order = OrderKey<typename W::Sample>;
    ForgetfulMedian<typename Order::Key, kSide * kSide> median;
    return Order::value(median.select(Load<W>{window}));
  }
};

}  // namespace zp

#endif
