// Distance between two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_ABSOLUTE_DIFFERENCE_H
#define ZP_OPS_ARITHMETIC_ABSOLUTE_DIFFERENCE_H

#include <cmath>

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// |a - b|: exact in integers, rounded once in f32. An image of one channel serves all channels of the other.
struct AbsoluteDifference {
  using Shape = Point;
  static constexpr Info info{.name = "absolute_difference",
                             .family = "arithmetic",
                             .summary = "|a - b|",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as absdiff",
                             .scikit_image = "numpy.abs(a - b), but right where integers wrap there",
                             .npp = "same as AbsDiff"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  template <class V>
  ZP_HD V operator()(V a, V b) const {
    if constexpr (std::is_same_v<V, float>) {
      return fabsf(a - b);
    } else {
      return static_cast<V>(larger(a, b) - smaller(a, b));
    }
  }
};

}  // namespace zp

#endif
ZP_OP(AbsoluteDifference)
