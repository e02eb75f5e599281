// Rows become columns.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_TRANSPOSE_H
#define ZP_OPS_GEOMETRY_TRANSPOSE_H

#include "core/op.h"
#include "ops/geometry/transposed.h"

namespace zp {

/// Output pixel (x, y) is input pixel (y, x): a mirror at the diagonal through the first pixel. Width and height are
/// swapped. Exact in every format.
struct Transpose {
  using Shape = Gather;
  static constexpr Info info{.name = "transpose",
                             .family = "geometry",
                             .summary = "swap rows and columns",
                             .formats = kAnyFormat,
                             .opencv = "same as transpose",
                             .scikit_image = "numpy.swapaxes(image, 0, 1)",
                             .npp = "same as Transpose"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}, {"", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    return {in[0].height, in[0].width, in[0].channels, in[0].format};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    transpose_plane<In>(exec, operands.output<In>(), operands.input<In>(), false, false);
  }
};

}  // namespace zp

#endif
ZP_OP(Transpose)
