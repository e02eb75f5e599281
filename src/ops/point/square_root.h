// Square roots.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_SQUARE_ROOT_H
#define ZP_OPS_POINT_SQUARE_ROOT_H

#include <cmath>

#include "core/op.h"
#include "ops/point/table.h"

namespace zp {

/// The square root, rounded once: integers half to even, so that u8 gives 0..16 and u16 0..256. In f32 a negative
/// sample gives NaN and -0 stays -0, as IEEE 754 has it.
struct SquareRoot {
  using Shape = Point;
  static constexpr Info info{.name = "square_root",
                             .family = "point",
                             .summary = "square root of v",
                             .opencv = "same as sqrt, which takes f32 only",
                             .scikit_image = "same as numpy.sqrt in f32; integers rounded to their own format",
                             .npp = "same as Sqrt with scale factor 0"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  struct Body {
    ZP_HD float operator()(float v) const { return sqrtf(v); }
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
ZP_OP(SquareRoot)
