// Sum of two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_ADD_H
#define ZP_OPS_ARITHMETIC_ADD_H

#include "core/op.h"

namespace zp {

/// a + b, saturating.
struct Add {
  using Shape = Point;
  static constexpr Info info{.name = "add",
                             .family = "arithmetic",
                             .summary = "a + b, saturating",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as add",
                             .npp = "same as Add with scale factor 0"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}};
  ZP_HD float operator()(float a, float b) const { return a + b; }
};

}  // namespace zp

#endif
ZP_OP(Add)
