// Length of the gradient.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_GRADIENT_MAGNITUDE_H
#define ZP_OPS_FILTER_GRADIENT_MAGNITUDE_H

#include <cmath>

#include "ops/filter/kernel.h"

namespace zp {

/// sqrt(gx^2 + gy^2) * scale + offset, where gx and gy are what sobel or scharr with scale 1 gives along x and y; all
/// in f32, each operation rounded. f32 out, or the input's format, rounded and saturated. Derivatives beyond 1.8e19
/// give infinity. NaN reaches the 8 neighbours, and its own pixel is not read.
struct GradientMagnitude {
  using Shape = Stencil;
  static constexpr Info info{.name = "gradient_magnitude",
                             .family = "filter",
                             .summary = "length of the gradient",
                             .output = Output::same_or_f32,
                             .opencv = "same as magnitude of the two results of Sobel or Scharr in f32",
                             .scikit_image =
                                 "filters.sobel is it with scale 0.25 / sqrt(2), filters.scharr with "
                                 "0.0625 / sqrt(2), of images in 0..1 and border=reflect",
                             .npp = "as GradientVectorSobelBorder with the L2 norm"};
  enum class Kind : int { sobel, scharr };
  static constexpr std::string_view kKinds[] = {"sobel", "scharr"};
  Kind kind = Kind::sobel;
  float scale = 1, offset = 0;
  Depth format = Depth::f32;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr auto parameters = std::tuple_cat(
      std::tuple{parameter("kind", &GradientMagnitude::kind, "of the derivatives", {.choices = kKinds})},
      derivative_parameters(&GradientMagnitude::scale, &GradientMagnitude::offset, &GradientMagnitude::format,
                            &GradientMagnitude::border, &GradientMagnitude::value));
  static constexpr Case cases[] = {{""},
                                   {"kind=scharr,border=replicate", kAnyFormat, 3},
                                   {"scale=0.25,offset=1,format=same"},
                                   {"kind=scharr,scale=0.0625,format=same,border=constant,value=1", kIntegerFormats}};

  PlaneShape output(std::span<const PlaneShape> in) const { return with_depth(in[0], format); }

  struct Body {
    float edge, middle, scale, offset;
    ZP_HD Extent radius() const { return {1, 1}; }
    template <class W>
    ZP_HD float operator()(const W& w) const {
      const float a = edge * static_cast<float>(w(-1, -1)), b = static_cast<float>(w(0, -1)),
                  c = edge * static_cast<float>(w(1, -1)), d = static_cast<float>(w(-1, 0)),
                  f = static_cast<float>(w(1, 0)), g = edge * static_cast<float>(w(-1, 1)),
                  h = static_cast<float>(w(0, 1)), i = edge * static_cast<float>(w(1, 1));
      // In raster order, as sobel and scharr add.
      const float gx = ((((c - a) - middle * d) + middle * f) - g) + i;
      const float gy = ((((-a - middle * b) - c) + g) + middle * h) + i;
      const float length = std::sqrt(gx * gx + gy * gy);
      return length * scale + offset;
    }
  };
  Body bind(const PlaneShape&) const {
    return kind == Kind::sobel ? Body{1, 2, scale, offset} : Body{3, 10, scale, offset};
  }
};

}  // namespace zp

#endif
ZP_OP(GradientMagnitude)
