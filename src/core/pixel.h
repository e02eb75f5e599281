// Samples and pixels: the only place where a float becomes a sample.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_PIXEL_H
#define ZP_CORE_PIXEL_H

#include <cstdint>
#include <type_traits>

#include "zeroplane/view.h"

namespace zp {

/// A whole number from 0 to white < 2^23: NaN -> 0, clamp, round half to even.
ZP_HD float whole(float v, float white) {
  v = v > 0.0f ? v : 0.0f;
  v = v < white ? v : white;
  // Adding and subtracting 2^23 rounds to an integer, half to even.
  return (v + 8388608.0f) - 8388608.0f;
}

/// NaN -> 0, clamp to the format, round half to even. For f32 the value itself.
template <class T>
ZP_HD T to_sample(float v) {
  if constexpr (std::is_same_v<T, float>) {
    return v;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    v = v > 0.0f ? v : 0.0f;
    if (v >= 4294967296.0f) return 0xffffffffu;
    return static_cast<std::uint32_t>(v < 8388608.0f ? (v + 8388608.0f) - 8388608.0f : v);
  } else {
    return static_cast<T>(static_cast<std::int32_t>(whole(v, static_cast<float>(white_of(format_of<T>)))));
  }
}

/// N samples of one pixel.
template <class T, int N>
struct Pixel {
  using Sample = T;
  static constexpr int channels = N;
  T v[N];
  ZP_HD T& operator[](int c) { return v[c]; }
  ZP_HD const T& operator[](int c) const { return v[c]; }
};

template <class V>
ZP_HD V smaller(V a, V b) {
  return b < a ? b : a;
}
template <class V>
ZP_HD V larger(V a, V b) {
  return a < b ? b : a;
}
template <class V>
ZP_HD V clamped(V v, V low, V high) {
  return v < low ? low : (high < v ? high : v);
}

/// A parameter that was not given: the operation chooses by format or image.
inline constexpr float kAutomatic = __builtin_nanf("");
ZP_HD bool is_automatic(float v) { return v != v; }

}  // namespace zp

#endif
