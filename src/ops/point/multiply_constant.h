// Every sample times a constant.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_MULTIPLY_CONSTANT_H
#define ZP_OPS_POINT_MULTIPLY_CONSTANT_H

#include "core/op.h"

namespace zp {

/// v * factor in f32, all channels alike; integers round half to even and saturate.
struct MultiplyConstant {
  using Shape = Point;
  static constexpr Info info{.name = "multiply_constant",
                             .family = "point",
                             .summary = "v * factor",
                             .opencv = "same as multiply with a scalar, which takes the factor in double",
                             .scikit_image = "numpy's product, but saturating where that wraps",
                             .npp = "same as MulC for whole factors; NPP has no others for integers"};
  float factor = 1;
  static constexpr std::tuple parameters{
      parameter("factor", &MultiplyConstant::factor, "what samples are multiplied by")};
  static constexpr Case cases[] = {
      {"factor=1.5"}, {"factor=0.1"}, {"factor=257", bit(Format::u16), 3}, {"factor=-2", kFloatFormat}};

  ZP_HD float operator()(float v) const { return v * factor; }
};

}  // namespace zp

#endif
ZP_OP(MultiplyConstant)
