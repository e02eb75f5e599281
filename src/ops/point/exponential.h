// Powers of e.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_EXPONENTIAL_H
#define ZP_OPS_POINT_EXPONENTIAL_H

#include "core/math.h"
#include "core/op.h"
#include "ops/point/table.h"

namespace zp {

/// e^v within 1 ulp of f32; integers round half to even and saturate, which u8 does from 6 on and u16 from 12 on.
struct Exponential {
  using Shape = Point;
  static constexpr Info info{.name = "exponential",
                             .family = "point",
                             .summary = "e^v",
                             .opencv = "same as exp within 1 ulp, which takes f32 only",
                             .scikit_image = "same as numpy.exp within 1 ulp; integers rounded to their own format",
                             .npp = "same as Exp within 1 ulp, with scale factor 0 for integers"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  struct Body {
    ZP_HD float operator()(float v) const { return math::exp(v); }
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
ZP_OP(Exponential)
