// Natural logarithms.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_LOGARITHM_H
#define ZP_OPS_POINT_LOGARITHM_H

#include "core/math.h"
#include "core/op.h"
#include "ops/point/table.h"

namespace zp {

/// ln v within 1 ulp of f32. Integers round half to even and stop at 0, which 0 itself gives too: u8 has 0..6, u16
/// 0..11; convert to f32 before for more. In f32 zero gives -infinity and negative samples NaN, as IEEE 754 has it.
struct Logarithm {
  using Shape = Point;
  static constexpr Info info{.name = "logarithm",
                             .family = "point",
                             .summary = "natural logarithm of v",
                             .opencv = "same as log within 1 ulp, which takes f32 only",
                             .scikit_image = "same as numpy.log within 1 ulp; integers rounded to their own format",
                             .npp = "same as Ln within 1 ulp, with scale factor 0 for integers"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  struct Body {
    ZP_HD float operator()(float v) const { return math::log(v); }
  };
  Body bind(const PlaneShape&) const { return {}; }

  static constexpr FormatSet in_pieces = detail_table::kInPieces;

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    detail_table::point_by_table(Body{}, exec, operands.output<Out>(), operands.input<In>());
  }
};

}  // namespace zp

#endif
ZP_OP(Logarithm)
