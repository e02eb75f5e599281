// Product of two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_MULTIPLY_H
#define ZP_OPS_ARITHMETIC_MULTIPLY_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// a * b, rounded to f32, then * scale, rounded again; integers round half to even and saturate. An image of
/// one channel serves all channels of the other. A mask of one image by another is scale = 1 / white.
struct Multiply {
  using Shape = Point;
  static constexpr Info info{.name = "multiply",
                             .family = "arithmetic",
                             .summary = "a * b * scale, saturating",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as multiply, whose products of u16 wrap from 2^31 on",
                             .scikit_image = "numpy's product, but saturating where that wraps",
                             .npp = "same as Mul with scale factor 0 for scale = 1"};
  float scale = 1;
  static constexpr std::tuple parameters{parameter("scale", &Multiply::scale, "what products are multiplied by")};
  static constexpr Case cases[] = {{""},
                                   {"scale=0.00392156862745098", bit(Format::u8), 3},
                                   {"scale=0.5"},
                                   {"scale=0.0000152590218967", bit(Format::u16)}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  ZP_HD float operator()(float a, float b) const {
    const float product = a * b;
    return product * scale;
  }
};

}  // namespace zp

#endif
ZP_OP(Multiply)
