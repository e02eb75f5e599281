// Image minus its opening.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_TOP_HAT_H
#define ZP_OPS_MORPHOLOGY_TOP_HAT_H

#include "core/op.h"
#include "ops/morphology/element.h"

namespace zp {

/// The image minus its opening (the white top-hat): bright details smaller than the element, without the background
/// that they lie on. Elements, border and NaN as in open. Integers never wrap; f32 rounds once, and infinity less
/// infinity is NaN.
struct TopHat {
  using Shape = Composite;
  static constexpr Info info{.name = "top_hat",
                             .family = "morphology",
                             .summary = "image minus its opening: small bright details",
                             .opencv =
                                 "same as morphologyEx with MORPH_TOPHAT and its default border; box and cross are "
                                 "MORPH_RECT and MORPH_CROSS, MORPH_ELLIPSE is not this disc",
                             .scikit_image = "same as white_tophat with footprint_rectangle or disk",
                             .npp = "same as the image less an Erode and a Dilate inside the image"};
  Element element = Element::box;
  int radius = 1;
  int iterations = 1;
  static constexpr std::tuple parameters = element_parameters(&TopHat::element, &TopHat::radius, &TopHat::iterations);
  static constexpr std::span<const Case> cases = kElementCases;

  int halo(const PlaneShape&) const { return 2 * radius * iterations; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const View<In> out = operands.output<In>();
    const View<In> opened = exec.template plane<In>(in.width, in.height, in.channels);
    morph_twice<Lowest, Highest>(exec, in, opened, element, radius, iterations);
    exec.point(HatDifference{}, out, in, View<const In>(opened));
  }
};

}  // namespace zp

#endif
ZP_OP(TopHat)
