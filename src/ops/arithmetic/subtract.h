// Difference of two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_SUBTRACT_H
#define ZP_OPS_ARITHMETIC_SUBTRACT_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// a - b: integers stop at 0, f32 rounds once. An image of one channel serves all channels of the other.
struct Subtract {
  using Shape = Point;
  static constexpr Info info{.name = "subtract",
                             .family = "arithmetic",
                             .summary = "a - b, saturating",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as subtract",
                             .scikit_image = "numpy's difference, but 0 where that wraps",
                             .npp = "same as Sub with scale factor 0 and the operands exchanged"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  template <class V>
  ZP_HD V operator()(V a, V b) const {
    if constexpr (std::is_same_v<V, float>) {
      return a - b;
    } else {
      return a > b ? static_cast<V>(a - b) : V(0);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Subtract)
