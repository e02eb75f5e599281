// Every sample times itself.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_SQUARE_H
#define ZP_OPS_POINT_SQUARE_H

#include "core/op.h"

namespace zp {

/// v * v: integers saturate, f32 rounds once.
struct Square {
  using Shape = Point;
  static constexpr Info info{.name = "square",
                             .family = "point",
                             .summary = "v * v, saturating",
                             .opencv = "same as pow with 2, whose products of u16 wrap from 2^31 on",
                             .scikit_image = "numpy.square, but saturating where that wraps",
                             .npp = "same as Sqr with scale factor 0"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  template <class V>
  ZP_HD V operator()(V v) const {
    if constexpr (std::is_same_v<V, float>) {
      return v * v;
    } else {
      constexpr V kWhite = static_cast<V>(~V(0)), kLast = sizeof(V) == 1 ? 15 : 255;  // the last whose square fits
      return v > kLast ? kWhite : static_cast<V>(unsigned(v) * v);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Square)
