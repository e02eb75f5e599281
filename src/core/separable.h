// Weighted sums along one axis: the two passes of separable filters.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_SEPARABLE_H
#define ZP_CORE_SEPARABLE_H

#include "core/op.h"

namespace zp {

/// Correlation with 2 * reach + 1 weights along x or y, summed in f32 from the lowest index up, then + offset. Weights
/// of 0 are left out, so that NaN and infinity reach the others only.
struct AxisWeights {
  const float* weights;  ///< at the executor's address
  int reach;
  bool vertical;
  float offset = 0.0f;
  static constexpr std::tuple pointers{&AxisWeights::weights};

  ZP_HD Extent radius() const { return vertical ? Extent{0, reach} : Extent{reach, 0}; }
  template <class T>
  ZP_HD float begin(T) const {
    return 0.0f;
  }
  template <class T>
  ZP_HD float step(float acc, int dx, int dy, T v) const {
    const float w = weights[(vertical ? dy : dx) + reach];
    return w == 0.0f ? acc : acc + w * static_cast<float>(v);
  }
  float weight(int dx, int dy) const { return weights[(vertical ? dy : dx) + reach]; }
  ZP_HD float end(float acc) const { return acc + offset; }
};

/// A stencil along x, then one along y, with samples of V between them.
template <class V, class F, class G, class In, class Out, class Exec>
void stencil_pair(Exec& exec, const F& along_x, const G& along_y, const View<const In>& in, const View<Out>& out,
                  Border border, float outside, float outside_between) {
  if constexpr (requires {
                  exec.template stencil_pair<V>(along_x, along_y, out, in, border, outside, outside_between);
                }) {
    exec.template stencil_pair<V>(along_x, along_y, out, in, border, outside, outside_between);
  } else {
    const View<V> between = exec.template plane<V>(in.width, in.height, in.channels);
    exec.stencil(along_x, between, in, border, outside);
    exec.stencil(along_y, out, View<const V>(between), border, outside_between);
  }
}

/// What the first pass makes of a row that lies outside and holds `value` everywhere.
inline float weighted_outside(const std::vector<float>& weights, float value) {
  float acc = 0.0f;
  for (const float w : weights) acc = w == 0.0f ? acc : acc + w * value;
  return acc;
}

/// Along x into an f32 plane, then along y, then + offset; odd counts of weights.
template <class In, class Out, class Exec>
void convolve_axes(Exec& exec, const View<const In>& in, const View<Out>& out, const std::vector<float>& along_x,
                   const std::vector<float>& along_y, Border border, float value, float offset = 0.0f) {
  const AxisWeights x{exec.upload(along_x), int(along_x.size() / 2), false};
  const AxisWeights y{exec.upload(along_y), int(along_y.size() / 2), true, offset};
  stencil_pair<float>(exec, x, y, in, out, border, value, weighted_outside(along_x, float(to_sample<In>(value))));
}

}  // namespace zp

#endif
