// Erosion, then dilation.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_OPEN_H
#define ZP_OPS_MORPHOLOGY_OPEN_H

#include "core/op.h"
#include "ops/morphology/element.h"

namespace zp {

/// Dilation of the erosion, each `iterations` times: bright details smaller than the element vanish, all else keeps its
/// shape. Never above the image. Elements, border and NaN as in erode and dilate: the outside is neutral to both, so
/// that what touches the edge is measured by its part inside.
struct Open {
  using Shape = Composite;
  static constexpr Info info{.name = "open",
                             .family = "morphology",
                             .summary = "erosion, then dilation: small bright details vanish",
                             .opencv =
                                 "same as morphologyEx with MORPH_OPEN and its default border; box and cross are "
                                 "MORPH_RECT and MORPH_CROSS, MORPH_ELLIPSE is not this disc",
                             .scikit_image = "same as opening with footprint_rectangle or disk",
                             .npp = "same as an Erode and a Dilate inside the image"};
  Element element = Element::box;
  int radius = 1;
  int iterations = 1;
  static constexpr std::tuple parameters = element_parameters(&Open::element, &Open::radius, &Open::iterations);
  static constexpr std::span<const Case> cases = kElementCases;

  int halo(const PlaneShape&) const { return 2 * radius * iterations; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    morph_twice<Lowest, Highest, In>(exec, operands.input<In>(), operands.output<In>(), element, radius, iterations);
  }
};

}  // namespace zp

#endif
ZP_OP(Open)
