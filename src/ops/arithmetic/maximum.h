// Larger of two images' samples.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_MAXIMUM_H
#define ZP_OPS_ARITHMETIC_MAXIMUM_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// The larger of a and b. In f32 as IEEE 754-2019's maximum: NaN if either is NaN, and 0 is above -0, so that the order
/// of the images never counts. An image of one channel serves all channels of the other.
struct Maximum {
  using Shape = Point;
  static constexpr Info info{.name = "maximum",
                             .family = "arithmetic",
                             .summary = "larger of a and b",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as max, which for NaN gives one of the two",
                             .scikit_image = "same as numpy.maximum",
                             .npp = "same as MaxEvery"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  template <class V>
  ZP_HD V operator()(V a, V b) const {
    const V selected = larger(a, b);
    if constexpr (std::is_same_v<V, float>) {
      const float zero = a + b, ordered = (a == 0.0f) & (b == 0.0f) ? zero : selected;
      return (a == a) & (b == b) ? ordered : a + b;
    } else {
      return selected;
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Maximum)
