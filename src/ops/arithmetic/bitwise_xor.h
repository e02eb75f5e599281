// Bits set in one of two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_BITWISE_XOR_H
#define ZP_OPS_ARITHMETIC_BITWISE_XOR_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// a ^ b, bit by bit. An image of one channel serves all channels of the other.
struct BitwiseXor {
  using Shape = Point;
  static constexpr Info info{.name = "bitwise_xor",
                             .family = "arithmetic",
                             .summary = "a ^ b",
                             .formats = kIntegerFormats,
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as bitwise_xor",
                             .scikit_image = "same as numpy.bitwise_xor",
                             .npp = "same as Xor"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  template <class V>
  ZP_HD V operator()(V a, V b) const {
    return static_cast<V>(a ^ b);
  }
};

}  // namespace zp

#endif
ZP_OP(BitwiseXor)
