// Quotient of two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_DIVIDE_H
#define ZP_OPS_ARITHMETIC_DIVIDE_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// a * scale, rounded to f32, then / b, rounded again. Integers round half to even and saturate, and x / 0 = 0. In f32
/// IEEE 754 holds: x / 0 is infinite, 0 / 0 NaN. An image of one channel serves all channels of the other.
struct Divide {
  using Shape = Point;
  static constexpr Info info{
      .name = "divide",
      .family = "arithmetic",
      .summary = "a * scale / b; in integers x / 0 = 0",
      .min_inputs = 2,
      .max_inputs = 2,
      .opencv = "same as divide",
      .scikit_image = "numpy's quotient rounded to the format, with 0 for x / 0 in integers",
      .npp = "same as Div with scale factor 0 and the operands exchanged, but x / 0 is white there"};
  float scale = 1;
  static constexpr std::tuple parameters{parameter("scale", &Divide::scale, "what the first image is multiplied by")};
  static constexpr Case cases[] = {
      {""}, {"scale=255", bit(Format::u8), 3}, {"scale=0.3"}, {"scale=65535", bit(Format::u16)}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  template <class U, class T>
  ZP_HD U sample(T a, T b) const {
    const float scaled = static_cast<float>(a) * scale, divisor = static_cast<float>(b);
    const float quotient = scaled / divisor;
    if constexpr (std::is_same_v<U, float>) {
      return quotient;
    } else {
      return to_sample<U>(divisor == 0.0f ? 0.0f : quotient);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Divide)
