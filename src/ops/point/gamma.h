// Gamma correction.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_GAMMA_H
#define ZP_OPS_POINT_GAMMA_H

#include "core/math.h"
#include "core/op.h"
#include "ops/point/table.h"

namespace zp {

/// white * (v / white)^(1 / gamma) in f32, operation by operation, with the exponent 1 / gamma rounded to f32. A gamma
/// above 1 brightens. Integers go through a table of the same values. In f32 the power follows IEEE 754: NaN for
/// negative samples unless 1 / gamma is an integer.
struct Gamma {
  using Shape = Point;
  static constexpr Info info{
      .name = "gamma",
      .family = "point",
      .summary = "white * (v / white)^(1 / gamma)",
      .opencv = "the usual table for LUT, for u16 too",
      .scikit_image = "exposure.adjust_gamma with the exponent 1 / gamma, rounded instead of truncated"};
  float gamma = 2.2f;
  static constexpr std::tuple parameters{
      parameter("gamma", &Gamma::gamma, "above 1 brightens", {.low = 0.01, .high = 100})};
  static constexpr Case cases[] = {{""}, {"gamma=0.45", kAnyFormat, 3}, {"gamma=1"}};

  struct Body {
    float white, exponent;
    ZP_HD float operator()(float v) const {
      const float part = v / white;
      return math::pow(part, exponent) * white;
    }
  };
  Body bind(const PlaneShape& in) const { return {float(white_of(in.format)), 1.0f / gamma}; }

  static constexpr FormatSet in_pieces = detail_table::kInPieces;

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const Body body = bind(operands.in[0].shape);
    detail_table::point_by_table(body, exec, operands.output<Out>(), operands.input<In>());
  }
};

}  // namespace zp

#endif
ZP_OP(Gamma)
