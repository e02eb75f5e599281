// A constant added to every sample.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_ADD_CONSTANT_H
#define ZP_OPS_POINT_ADD_CONSTANT_H

#include "core/op.h"

namespace zp {

/// v + constant in f32, all channels alike; integers round half to even and saturate.
struct AddConstant {
  using Shape = Point;
  static constexpr Info info{.name = "add_constant",
                             .family = "point",
                             .summary = "v + constant",
                             .opencv = "same as add with a scalar whose channels are equal",
                             .scikit_image = "numpy's sum, but saturating where that wraps",
                             .npp = "same as AddC with scale factor 0"};
  float constant = 0;
  static constexpr std::tuple parameters{
      parameter("constant", &AddConstant::constant, "what is added", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{"constant=40"}, {"constant=-20.5"}, {"constant=3000", bit(Format::u16), 3}};

  ZP_HD float operator()(float v) const { return v + constant; }
};

}  // namespace zp

#endif
ZP_OP(AddConstant)
