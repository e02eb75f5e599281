// Quarter turns.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_ROTATE90_H
#define ZP_OPS_GEOMETRY_ROTATE90_H

#include "core/op.h"
#include "ops/geometry/mirrored.h"
#include "ops/geometry/transposed.h"

namespace zp {

/// Turns by 90, 180 or 270 degrees counter-clockwise; negative turns go clockwise. Odd turns swap width and height.
/// Exact in every format.
struct Rotate90 {
  using Shape = Gather;
  static constexpr Info info{.name = "rotate90",
                             .family = "geometry",
                             .summary = "turn by multiples of 90 degrees",
                             .formats = kAnyFormat,
                             .opencv = "same as rotate (turns 1 = ROTATE_90_COUNTERCLOCKWISE)",
                             .scikit_image = "same as numpy.rot90",
                             .npp = "same as Rotate by multiples of 90 with matching shifts"};
  int turns = 1;
  static constexpr std::tuple parameters{parameter("turns", &Rotate90::turns, "quarter turns, counter-clockwise",
                                                   {.low = -3, .high = 3, .unit = "quarter turns"})};
  static constexpr Case cases[] = {{""}, {"turns=2"}, {"turns=-1", kAnyFormat, 3}, {"turns=3"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    if (turns % 2 != 0) {
      out.width = in[0].height;
      out.height = in[0].width;
    }
    return out;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const int quarter = (turns % 4 + 4) % 4;
    if (quarter % 2 == 0)
      exec.gather(Mirrored{quarter == 2, quarter == 2}, operands.output<In>(), operands.input<In>());
    else
      transpose_plane<In>(exec, operands.output<In>(), operands.input<In>(), quarter == 1, quarter == 3);
  }
};

}  // namespace zp

#endif
ZP_OP(Rotate90)
