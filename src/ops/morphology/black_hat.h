// Closing minus the image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_BLACK_HAT_H
#define ZP_OPS_MORPHOLOGY_BLACK_HAT_H

#include "core/op.h"
#include "ops/morphology/element.h"

namespace zp {

/// The closing minus the image (the black top-hat): dark details smaller than the element, without the background that
/// they lie in. Elements, border and NaN as in close. Integers never wrap; f32 rounds once, and infinity less infinity
/// is NaN.
struct BlackHat {
  using Shape = Composite;
  static constexpr Info info{.name = "black_hat",
                             .family = "morphology",
                             .summary = "closing minus image: small dark details",
                             .opencv =
                                 "same as morphologyEx with MORPH_BLACKHAT and its default border; box and cross are "
                                 "MORPH_RECT and MORPH_CROSS, MORPH_ELLIPSE is not this disc",
                             .scikit_image = "same as black_tophat with footprint_rectangle or disk",
                             .npp = "same as a Dilate and an Erode less the image inside the image"};
  Element element = Element::box;
  int radius = 1;
  int iterations = 1;
  static constexpr std::tuple parameters =
      element_parameters(&BlackHat::element, &BlackHat::radius, &BlackHat::iterations);
  static constexpr std::span<const Case> cases = kElementCases;

  int halo(const PlaneShape&) const { return 2 * radius * iterations; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const View<In> out = operands.output<In>();
    const View<In> closed = exec.template plane<In>(in.width, in.height, in.channels);
    morph_twice<Highest, Lowest>(exec, in, closed, element, radius, iterations);
    exec.point(HatDifference{}, out, View<const In>(closed), in);
  }
};

}  // namespace zp

#endif
ZP_OP(BlackHat)
