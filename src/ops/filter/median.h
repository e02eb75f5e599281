// Median of a square around each pixel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_MEDIAN_H
#define ZP_OPS_FILTER_MEDIAN_H

#include "core/op.h"
#include "ops/filter/selection.h"

namespace zp {

/// Exact median of (2 * radius + 1)^2 samples, for every format and radius. NaN sorts last: the result is NaN only
/// where more than half of the window is. The border is replicate by default; a constant image stays as it is.
struct Median {
  using Shape = Stencil;
  static constexpr Info info{.name = "median",
                             .family = "filter",
                             .summary = "median of a square around each pixel",
                             .opencv = "same as medianBlur, which takes u16 and f32 up to radius 2 only",
                             .scikit_image = "same as scipy.ndimage.median_filter with mode nearest",
                             .npp = "same as FilterMedianBorder with an odd square mask"};
  int radius = 1;
  Border border = Border::replicate;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("radius", &Median::radius, "half width of the window", {.low = 1, .high = 15, .unit = "pixels"}),
      parameter("border", &Median::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &Median::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{""},
                                   {"radius=2,border=reflect101", kAnyFormat, 3},
                                   {"radius=4"},
                                   {"radius=9,border=constant,value=1", kIntegerFormats}};

  int halo(const PlaneShape&) const { return radius; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const View<Out> out = operands.output<Out>();
    const int side = 2 * radius + 1;
    if (radius == 1)
      exec.stencil(NetworkMedian<1>{}, out, in, border, value);
    else if (radius == 2)
      exec.stencil(NetworkMedian<2>{}, out, in, border, value);
    else
      select_rank<In>(exec, in, out, radius, side * side / 2, border, value);
  }
};

}  // namespace zp

#endif
ZP_OP(Median)
