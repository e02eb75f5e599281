// Bits of every sample turned over.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_BITWISE_NOT_H
#define ZP_OPS_POINT_BITWISE_NOT_H

#include "core/op.h"

namespace zp {

/// ~v, which for whole formats is white - v.
struct BitwiseNot {
  using Shape = Point;
  static constexpr Info info{.name = "bitwise_not",
                             .family = "point",
                             .summary = "~v",
                             .formats = kIntegerFormats,
                             .opencv = "same as bitwise_not",
                             .scikit_image = "same as numpy.bitwise_not",
                             .npp = "same as Not"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  template <class V>
  ZP_HD V operator()(V v) const {
    return static_cast<V>(~v);
  }
};

}  // namespace zp

#endif
ZP_OP(BitwiseNot)
