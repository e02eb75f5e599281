// Sum of two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_ADD_H
#define ZP_OPS_ARITHMETIC_ADD_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// a + b: integers saturate, f32 rounds once. An image of one channel serves all channels of the other.
struct Add {
  using Shape = Point;
  static constexpr Info info{.name = "add",
                             .family = "arithmetic",
                             .summary = "a + b, saturating",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as add",
                             .scikit_image = "numpy's sum, but saturating where that wraps",
                             .npp = "same as Add with scale factor 0"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  template <class V>
  ZP_HD V operator()(V a, V b) const {
    if constexpr (std::is_same_v<V, float>) {
      return a + b;
    } else {
      const V sum = static_cast<V>(a + b);
      return sum < a ? static_cast<V>(~V(0)) : sum;
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Add)
