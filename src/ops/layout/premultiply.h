// Colours times their alpha.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_PREMULTIPLY_H
#define ZP_OPS_LAYOUT_PREMULTIPLY_H

#include "core/op.h"

namespace zp {

/// Four channels: the first three become c * alpha / white, the fourth, alpha, is kept. Integers: exact arithmetic,
/// rounded once to the nearest (there are no ties). f32: one product; alpha is taken as it is, also outside 0..1.
struct Premultiply {
  using Shape = Gather;
  static constexpr Info info{.name = "premultiply",
                             .family = "layout",
                             .summary = "colours times their alpha",
                             .channels = 0b10000,
                             .opencv = "same as cvtColor RGBA2mRGBA (u8); u16 and f32: it has none",
                             .npp = "as AlphaPremul within 1"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}};

  int halo(const PlaneShape&) const { return 0; }
  static constexpr int channels = 4;

  template <class Source>
  ZP_HD auto operator()(const Source& in, int x, int y) const {
    using T = typename Source::Sample;
    Pixel<T, 4> p = in.at(x, y);
    for (int c = 0; c < 3; ++c) p[c] = product(p[c], p[3]);
    return p;
  }

 private:
  template <class T>
  ZP_HD static T product(T v, T alpha) {
    if constexpr (std::is_same_v<T, float>) {
      return v * alpha;
    } else {
      constexpr auto white = static_cast<std::uint32_t>(white_of(format_of<T>));
      return static_cast<T>((std::uint32_t(v) * std::uint32_t(alpha) + white / 2) / white);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Premultiply)
