// Weighted sum of two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_BLEND_H
#define ZP_OPS_ARITHMETIC_BLEND_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// alpha * a + beta * b + offset in f32, from left to right, each operation rounded; integers round half to even and
/// saturate. An image of one channel serves all channels of the other.
struct Blend {
  using Shape = Point;
  static constexpr Info info{.name = "blend",
                             .family = "arithmetic",
                             .summary = "alpha * a + beta * b + offset",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "addWeighted, which may fuse the roundings: within 1 for integers",
                             .npp = "AlphaCompC with two constant alphas blends alike within 1"};
  float alpha = 0.5f, beta = kAutomatic, offset = 0;
  static constexpr std::tuple parameters{
      parameter("alpha", &Blend::alpha, "weight of the first image"),
      parameter("beta", &Blend::beta, "weight of the second image", {.automatic = "1 - alpha"}),
      parameter("offset", &Blend::offset, "what is added", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{""}, {"alpha=0.3", kAnyFormat, 3}, {"alpha=2,beta=-1,offset=10"}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  Blend bind(const PlaneShape&) const { return {alpha, is_automatic(beta) ? 1.0f - alpha : beta, offset}; }
  ZP_HD float operator()(float a, float b) const {
    const float first = alpha * a, second = beta * b;
    const float sum = first + second;
    return sum + offset;
  }
};

}  // namespace zp

#endif
ZP_OP(Blend)
