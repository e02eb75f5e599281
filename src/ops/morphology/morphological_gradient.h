// Dilation minus erosion.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_MORPHOLOGICAL_GRADIENT_H
#define ZP_OPS_MORPHOLOGY_MORPHOLOGICAL_GRADIENT_H

#include "core/op.h"
#include "ops/morphology/element.h"

namespace zp {

/// Dilation minus erosion, each `iterations` times: outlines of about 2 * radius pixels. Elements, border and NaN as in
/// erode and dilate. Integers never wrap; f32 rounds once, and infinity less infinity is NaN.
struct MorphologicalGradient {
  using Shape = Composite;
  static constexpr Info info{.name = "morphological_gradient",
                             .family = "morphology",
                             .summary = "dilation minus erosion: outlines",
                             .opencv =
                                 "same as morphologyEx with MORPH_GRADIENT and its default border; box and cross are "
                                 "MORPH_RECT and MORPH_CROSS, MORPH_ELLIPSE is not this disc",
                             .scikit_image = "same as dilation - erosion",
                             .npp = "same as a Dilate less an Erode inside the image"};
  Element element = Element::box;
  int radius = 1;
  int iterations = 1;
  static constexpr std::tuple parameters = element_parameters(
      &MorphologicalGradient::element, &MorphologicalGradient::radius, &MorphologicalGradient::iterations);
  static constexpr std::span<const Case> cases = kElementCases;

  int halo(const PlaneShape&) const { return radius * iterations; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const View<In> out = operands.output<In>();
    const View<In> low = exec.template plane<In>(in.width, in.height, in.channels);
    const View<In> high = exec.template plane<In>(in.width, in.height, in.channels);
    morph<Lowest>(exec, in, low, element, radius, iterations);
    morph<Highest>(exec, in, high, element, radius, iterations);
    exec.point(HatDifference{}, out, View<const In>(high), View<const In>(low));
  }
};

}  // namespace zp

#endif
ZP_OP(MorphologicalGradient)
