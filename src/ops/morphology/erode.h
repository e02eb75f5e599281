// Minimum over a structuring element.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_ERODE_H
#define ZP_OPS_MORPHOLOGY_ERODE_H

#include "core/op.h"
#include "ops/morphology/element.h"

namespace zp {

/// The smallest sample of the element around each pixel. Elements: box, 2 * radius + 1 pixels a side; cross, the row
/// and the column through its centre; disc, dx^2 + dy^2 <= radius^2. Outside the image is neutral: it never is the
/// result. Radius 0 copies. NaN reaches every pixel whose element holds it. The time for box and cross does not depend
/// on the radius, nor that for box on the iterations.
struct Erode {
  using Shape = Composite;
  static constexpr Info info{.name = "erode",
                             .family = "morphology",
                             .summary = "smallest sample of an element around each pixel",
                             .opencv =
                                 "same as erode with its default border; box and cross are MORPH_RECT and MORPH_CROSS, "
                                 "MORPH_ELLIPSE is not this disc",
                             .scikit_image = "same as erosion with footprint_rectangle or disk",
                             .npp = "same as Erode with such a mask inside the image"};
  Element element = Element::box;
  int radius = 1;
  int iterations = 1;
  static constexpr std::tuple parameters = element_parameters(&Erode::element, &Erode::radius, &Erode::iterations);
  static constexpr std::span<const Case> cases = kElementCases;

  int halo(const PlaneShape&) const { return radius * iterations; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    morph<Lowest, In>(exec, operands.input<In>(), operands.output<In>(), element, radius, iterations);
  }
};

}  // namespace zp

#endif
ZP_OP(Erode)
