// Dilation, then erosion.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_CLOSE_H
#define ZP_OPS_MORPHOLOGY_CLOSE_H

#include "core/op.h"
#include "ops/morphology/element.h"

namespace zp {

/// Erosion of the dilation, each `iterations` times: dark details smaller than the element vanish, all else keeps its
/// shape. Never below the image. Elements, border and NaN as in erode and dilate: the outside is neutral to both, so
/// that what touches the edge is measured by its part inside.
struct Close {
  using Shape = Composite;
  static constexpr Info info{.name = "close",
                             .family = "morphology",
                             .summary = "dilation, then erosion: small dark details vanish",
                             .opencv =
                                 "same as morphologyEx with MORPH_CLOSE and its default border; box and cross are "
                                 "MORPH_RECT and MORPH_CROSS, MORPH_ELLIPSE is not this disc",
                             .scikit_image = "same as closing with footprint_rectangle or disk",
                             .npp = "same as a Dilate and an Erode inside the image"};
  Element element = Element::box;
  int radius = 1;
  int iterations = 1;
  static constexpr std::tuple parameters = element_parameters(&Close::element, &Close::radius, &Close::iterations);
  static constexpr std::span<const Case> cases = kElementCases;

  int halo(const PlaneShape&) const { return 2 * radius * iterations; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    morph_twice<Highest, Lowest, In>(exec, operands.input<In>(), operands.output<In>(), element, radius, iterations);
  }
};

}  // namespace zp

#endif
ZP_OP(Close)
