// The next smaller level of a pyramid.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_PYRAMID_DOWN_H
#define ZP_OPS_GEOMETRY_PYRAMID_DOWN_H

#include "core/op.h"
#include "ops/geometry/pyramid.h"

namespace zp {

/// Every second pixel of every second row of the image filtered with 1 4 6 4 1 / 16 along both axes (Burt and Adelson,
/// IEEE Trans. Communications 31, 1983): (width + 1) / 2 by (height + 1) / 2 pixels, the first of them at the first
/// pixel of the image. The image is reflected about its edge pixels. Integers: an exact sum, rounded once, half to
/// even. f32: 6 c + 4 (b + d) + (a + e) down the columns, then along the row, then / 256.
struct PyramidDown {
  using Shape = Gather;
  static constexpr Info info{.name = "pyramid_down",
                             .family = "geometry",
                             .summary = "half the size through the 5-tap binomial filter",
                             .opencv = "same as pyrDown; ties of integers, which it rounds up, go to the even number",
                             .scikit_image = "as pyramid_reduce, which filters with a Gaussian and resamples",
                             .npp = "as FilterGaussPyramidLayerDownBorder with this kernel"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}, {"", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    return {in[0].width / 2 + in[0].width % 2, in[0].height / 2 + in[0].height % 2, in[0].channels, in[0].format};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    detail_pyramid::launch<In>(exec, operands, false);
  }
};

}  // namespace zp

#endif
ZP_OP(PyramidDown)
