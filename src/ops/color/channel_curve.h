// A curve on every channel: by a table for integers, computed for f32.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_CHANNEL_CURVE_H
#define ZP_OPS_COLOR_CHANNEL_CURVE_H

#include "core/op.h"

namespace zp {

/// f(curve(r), curve(g), curve(b)) of pixels of T, where curve takes v / white. A fourth channel becomes v / white.
template <class T, class Curve, class F, int N>
struct CurvedPixel {
  static constexpr int in_channels = N, out_channels = N;
  const float* table;  ///< curve(v / white) of each level; none for f32
  Curve curve;
  F f;
  static constexpr std::tuple pointers{&CurvedPixel::table};

  ZP_HD float curved(float v) const {
    if constexpr (std::is_same_v<T, float>)
      return curve(v);
    else
      return table[static_cast<int>(v)];
  }
  ZP_HD Pixel<float, N> operator()(const Pixel<float, N>& p) const {
    const Pixel<float, 3> q = f(Pixel<float, 3>{{curved(p[0]), curved(p[1]), curved(p[2])}});
    Pixel<float, N> out;
    for (int c = 0; c < 3; ++c) out[c] = q[c];
    if constexpr (N == 4) out[3] = p[3] / static_cast<float>(white_of(format_of<T>));
    return out;
  }
};

/// The table of CurvedPixel, 256 levels a row.
template <class T, class Curve>
struct CurveOfLevels {
  static constexpr int channels = 1;  ///< nothing is read
  Curve curve;
  template <class Source>
  ZP_HD Pixel<float, 1> operator()(const Source&, int x, int y) const {
    return {{curve(static_cast<float>(y * 256 + x) / static_cast<float>(white_of(format_of<T>)))}};
  }
};

template <class T, class Curve, class F, class Exec>
void curved_pixels(Exec& exec, const Curve& curve, const F& f, View<float> out, View<const T> in) {
  if (in.width == 0 || in.height == 0) return;
  const float* table = nullptr;
  if constexpr (!std::is_same_v<T, float>) {
    const View<float> levels = exec.template plane<float>(256, sizeof(T) == 1 ? 1 : 256);
    exec.gather(CurveOfLevels<T, Curve>{curve}, levels, in);
    table = levels.data;
  }
  if (in.channels == 3)
    exec.point(CurvedPixel<T, Curve, F, 3>{table, curve, f}, out, in);
  else
    exec.point(CurvedPixel<T, Curve, F, 4>{table, curve, f}, out, in);
}

}  // namespace zp

#endif
