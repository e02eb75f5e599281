// Derivatives from a 3x3 window.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_SOBEL_H
#define ZP_OPS_FILTER_SOBEL_H

#include "ops/filter/kernel.h"

namespace zp {

/// Correlation with the product of a column of order dy and a row of order dx: order 0 is 1 2 1, order 1 is -1 0 1,
/// order 2 is 1 -2 1. Summed in f32 in raster order (exact for integers), then * scale, then + offset. f32 out, or the
/// input's format, rounded and saturated. Samples of weight 0 are not read, so that NaN and infinity reach the others
/// only.
struct Sobel {
  using Shape = Stencil;
  static constexpr Info info{.name = "sobel",
                             .family = "filter",
                             .summary = "derivatives from a 3x3 window",
                             .output = Output::same_or_f32,
                             .opencv = "same as Sobel with ksize 3",
                             .scikit_image = "filters.sobel_h and sobel_v are a quarter of it, of images in 0..1",
                             .npp = "same as FilterSobelHoriz and Vert up to the sign of Vert"};
  using Depth = zp::Depth;
  int dx = 1, dy = 0;
  float scale = 1, offset = 0;
  Depth format = Depth::f32;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr auto parameters = std::tuple_cat(
      std::tuple{parameter("dx", &Sobel::dx, "order of the derivative along x", {.low = 0, .high = 2}),
                 parameter("dy", &Sobel::dy, "order of the derivative along y", {.low = 0, .high = 2})},
      derivative_parameters(&Sobel::scale, &Sobel::offset, &Sobel::format, &Sobel::border, &Sobel::value));
  static constexpr Case cases[] = {{""},
                                   {"dx=0,dy=1,border=replicate", kAnyFormat, 3},
                                   {"dx=1,dy=1,scale=0.5,offset=128,format=same", kIntegerFormats},
                                   {"dx=2,dy=0,border=constant,value=1"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (dx == 0 && dy == 0) refuse(info.name, "dx = 0 and dy = 0, at least one must be 1 or 2");
    return with_depth(in[0], format);
  }

  SmallKernel bind(const PlaneShape&) const {
    static constexpr int kOrders[3][3] = {{1, 2, 1}, {-1, 0, 1}, {1, -2, 1}};
    return small_kernel(kOrders[dy], kOrders[dx], scale, offset);
  }
};

}  // namespace zp

#endif
ZP_OP(Sobel)
