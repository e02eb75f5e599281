// Absolute values.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_ABSOLUTE_H
#define ZP_OPS_POINT_ABSOLUTE_H

#include <cmath>

#include "core/op.h"

namespace zp {

/// |v|: integers as they are, f32 without its sign, NaN stays NaN.
struct Absolute {
  using Shape = Point;
  static constexpr Info info{.name = "absolute",
                             .family = "point",
                             .summary = "|v|",
                             .opencv = "same as abs",
                             .scikit_image = "same as numpy.abs",
                             .npp = "same as Abs"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  template <class V>
  ZP_HD V operator()(V v) const {
    if constexpr (std::is_same_v<V, float>) {
      return fabsf(v);
    } else {
      return v;
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Absolute)
