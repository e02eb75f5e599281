// Photographic negative.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_INVERT_H
#define ZP_OPS_POINT_INVERT_H

#include "core/op.h"

namespace zp {

/// white - v, saturating. Same as cv::bitwise_not for u8 and u16 with the default white.
struct Invert {
  using Shape = Point;
  static constexpr Info info{.name = "invert",
                             .family = "point",
                             .summary = "white - v",
                             .opencv = "same as bitwise_not for u8 and u16",
                             .scikit_image = "same as util.invert for u8, u16 and f32 in 0..1"};
  float white = kAutomatic;
  static constexpr std::tuple parameters{parameter("white", &Invert::white, "value that black maps to",
                                                   {.unit = "pixel value", .automatic = "white of the format"})};
  static constexpr Case cases[] = {{""}, {"white=200"}, {"white=4095", bit(Format::u16)}};

  Invert bind(const PlaneShape& in) const { return {is_automatic(white) ? float(white_of(in.format)) : white}; }
  ZP_HD float operator()(float v) const { return white - v; }
};

}  // namespace zp

#endif
ZP_OP(Invert)
