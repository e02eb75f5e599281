// First derivatives from a 3x3 window, nearly the same in every direction.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_SCHARR_H
#define ZP_OPS_FILTER_SCHARR_H

#include "ops/filter/kernel.h"

namespace zp {

/// As sobel, with 3 10 3 across the derivative -1 0 1 (Scharr 2000, Optimal Operators in Digital Image Processing):
/// dx=1,dy=0 along x or dx=0,dy=1 along y. Summed in f32 in raster order (exact for integers), then * scale, then +
/// offset. f32 out, or the input's format, rounded and saturated. NaN and infinity reach the pixels that weigh them
/// with other than 0.
struct Scharr {
  using Shape = Stencil;
  static constexpr Info info{.name = "scharr",
                             .family = "filter",
                             .summary = "first derivatives from a 3x3 window, 3 10 3 across",
                             .output = Output::same_or_f32,
                             .opencv = "same as Scharr",
                             .scikit_image = "filters.scharr_h and scharr_v are a 16th of it, of images in 0..1",
                             .npp = "same as FilterScharrHoriz and Vert up to the sign of Vert"};
  int dx = 1, dy = 0;
  float scale = 1, offset = 0;
  Depth format = Depth::f32;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr auto parameters = std::tuple_cat(
      std::tuple{parameter("dx", &Scharr::dx, "order of the derivative along x", {.low = 0, .high = 1}),
                 parameter("dy", &Scharr::dy, "order of the derivative along y", {.low = 0, .high = 1})},
      derivative_parameters(&Scharr::scale, &Scharr::offset, &Scharr::format, &Scharr::border, &Scharr::value));
  static constexpr Case cases[] = {{""},
                                   {"dx=0,dy=1,border=wrap", kAnyFormat, 3},
                                   {"scale=0.125,offset=128,format=same", kIntegerFormats},
                                   {"dx=0,dy=1,border=constant,value=1"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (dx + dy != 1)
      refuse(info.name, "dx = " + std::to_string(dx) + " and dy = " + std::to_string(dy) +
                            ", one of them must be 1 and the other 0");
    return with_depth(in[0], format);
  }

  SmallKernel bind(const PlaneShape&) const {
    static constexpr int kOrders[2][3] = {{3, 10, 3}, {-1, 0, 1}};
    return small_kernel(kOrders[dy], kOrders[dx], scale, offset);
  }
};

}  // namespace zp

#endif
ZP_OP(Scharr)
