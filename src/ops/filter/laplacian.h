// Sum of the second derivatives along x and y.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_LAPLACIAN_H
#define ZP_OPS_FILTER_LAPLACIAN_H

#include "ops/filter/kernel.h"

namespace zp {

/// Correlation with 0 1 0 / 1 -4 1 / 0 1 0 (aperture 1), or 2 0 2 / 0 -8 0 / 2 0 2 (aperture 3: the two second
/// derivatives of Sobel added). Summed in f32 in raster order (exact for integers), then * scale, then + offset. f32
/// out, or the input's format, rounded and saturated. NaN and infinity reach the pixels that weigh them with other
/// than 0.
struct Laplacian {
  using Shape = Stencil;
  static constexpr Info info{.name = "laplacian",
                             .family = "filter",
                             .summary = "sum of the second derivatives along x and y",
                             .output = Output::same_or_f32,
                             .opencv = "same as Laplacian with ksize 1 or 3",
                             .scikit_image =
                                 "aperture=1,border=reflect: same as scipy.ndimage.laplace; "
                                 "filters.laplace has the opposite sign",
                             .npp = "differs: FilterLaplaceBorder 3x3 weighs all eight neighbours, with opposite sign"};
  int aperture = 1;
  float scale = 1, offset = 0;
  Depth format = Depth::f32;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr auto parameters =
      std::tuple_cat(std::tuple{parameter("aperture", &Laplacian::aperture, "1 (4 neighbours) or 3 (the diagonal ones)",
                                          {.low = 1, .high = 3})},
                     derivative_parameters(&Laplacian::scale, &Laplacian::offset, &Laplacian::format,
                                           &Laplacian::border, &Laplacian::value));
  static constexpr Case cases[] = {{""},
                                   {"aperture=3,border=replicate", kAnyFormat, 3},
                                   {"scale=-0.5,offset=128,format=same", kIntegerFormats},
                                   {"aperture=3,scale=0.25,border=constant,value=1"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (aperture == 2) refuse(info.name, "aperture = 2, allowed 1 and 3");
    return with_depth(in[0], format);
  }

  SmallKernel bind(const PlaneShape&) const {
    if (aperture == 1) return {{0, 1, 0, 1, -4, 1, 0, 1, 0}, scale, offset};
    return {{2, 0, 2, 0, -8, 0, 2, 0, 2}, scale, offset};
  }
};

}  // namespace zp

#endif
ZP_OP(Laplacian)
