// The next larger level of a pyramid.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_PYRAMID_UP_H
#define ZP_OPS_GEOMETRY_PYRAMID_UP_H

#include "core/op.h"
#include "ops/geometry/pyramid.h"
#include "ops/geometry/sample.h"

namespace zp {

/// Zeros between the pixels and between the rows, 2 width by 2 height pixels, filtered with 1 4 6 4 1 / 8 along both
/// axes (Burt and Adelson, IEEE Trans. Communications 31, 1983). The picture with zeros is reflected about its edge
/// pixels. Integers: an exact sum, rounded once, half to even. f32: 6 b + (a + c) or 4 (a + b) down the columns, then
/// along the row, then / 64.
struct PyramidUp {
  using Shape = Gather;
  static constexpr Info info{.name = "pyramid_up",
                             .family = "geometry",
                             .summary = "double the size through the 5-tap binomial filter",
                             .opencv = "same as pyrUp; ties of integers, which it rounds up, go to the even number",
                             .scikit_image = "as pyramid_expand, which resamples and filters with a Gaussian",
                             .npp = "as FilterGaussPyramidLayerUpBorder with this kernel"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}, {"", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (double(in[0].width) * 2 > kLargestSide || double(in[0].height) * 2 > kLargestSide)
      refuse(info.name, "the image is " + describe(in[0]) + ", allowed up to 536870912 pixels to a side");
    return {in[0].width * 2, in[0].height * 2, in[0].channels, in[0].format};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    detail_pyramid::launch<In>(exec, operands, true);
  }
};

}  // namespace zp

#endif
ZP_OP(PyramidUp)
