// Samples raised to a power.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_POWER_H
#define ZP_OPS_POINT_POWER_H

#include "core/math.h"
#include "core/op.h"
#include "ops/point/table.h"

namespace zp {

/// v^exponent within 1 ulp of f32, in the format's own units (gamma works in parts of white). Integers round half to
/// even and saturate; 0 to a negative power is 0 there. In f32 C's pow holds: infinity for 0 to a negative power, NaN
/// for a negative sample unless the exponent is an integer.
struct Power {
  using Shape = Point;
  static constexpr Info info{.name = "power",
                             .family = "point",
                             .summary = "v^exponent",
                             .opencv = "same as pow for whole exponents; differs for others, where OpenCV takes |v|",
                             .scikit_image = "same as numpy.power within 1 ulp, but saturating where that wraps"};
  float exponent = 1;
  static constexpr std::tuple parameters{parameter("exponent", &Power::exponent, "what samples are raised to")};
  static constexpr Case cases[] = {{"exponent=2"}, {"exponent=0.5", kAnyFormat, 3}, {"exponent=-1"}, {"exponent=1.3"}};

  struct Body {
    float exponent;
    int has_pole;  ///< 0 stays 0
    ZP_HD float operator()(float v) const {
      const float power = math::pow(v, exponent);
      return (has_pole != 0) & (v == 0.0f) ? 0.0f : power;
    }
  };
  Body bind(const PlaneShape& in) const { return {exponent, in.format != Format::f32 && exponent < 0.0f}; }

  static constexpr FormatSet in_pieces = detail_table::kInPieces;

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const Body body = bind(operands.in[0].shape);
    detail_table::point_by_table(body, exec, operands.output<Out>(), operands.input<In>());
  }
};

}  // namespace zp

#endif
ZP_OP(Power)
