// A 3x3 matrix on the channels.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_COLOR_MATRIX_H
#define ZP_OPS_COLOR_COLOR_MATRIX_H

#include "core/op.h"

namespace zp {

/// Row k of the matrix gives channel k: ((m0 r + m1 g) + m2 b) + offset k, in f32; integers saturate. A fourth channel
/// is kept.
struct ColorMatrix {
  using Shape = Point;
  static constexpr Info info{.name = "color_matrix",
                             .family = "color",
                             .summary = "3x3 matrix and offset on RGB",
                             .channels = kColorChannels,
                             .opencv = "same as transform with a 3x4 matrix, ties half to even",
                             .scikit_image = "numpy: image @ matrix.T + offset",
                             .npp = "as ColorTwist with a 3x4 matrix"};
  std::vector<float> matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<float> offset = {0, 0, 0};
  static constexpr std::tuple parameters{
      parameter("matrix", &ColorMatrix::matrix, "nine numbers, row by row", {.min_count = 9, .max_count = 9}),
      parameter("offset", &ColorMatrix::offset, "added to each channel",
                {.unit = "pixel value", .min_count = 3, .max_count = 3})};
  static constexpr Case cases[] = {{"matrix=0.393/0.769/0.189/0.349/0.686/0.168/0.272/0.534/0.131"},
                                   {"matrix=0/0/1/0/1/0/1/0/0,offset=1/-2/0.5"},
                                   {"matrix=1.6/-0.4/-0.2/-0.3/1.5/-0.2/0/-0.5/1.5", kAnyFormat, 4}};

  struct Body {
    static constexpr int in_channels = 3, out_channels = 3;
    float m[9], o[3];
    ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
      Pixel<float, 3> q;
      for (int k = 0; k < 3; ++k) q[k] = ((m[3 * k] * p[0] + m[3 * k + 1] * p[1]) + m[3 * k + 2] * p[2]) + o[k];
      return q;
    }
  };
  Body bind(const PlaneShape&) const {
    Body body{};
    for (std::size_t k = 0; k < 9; ++k) body.m[k] = matrix[k];
    for (std::size_t k = 0; k < 3; ++k) body.o[k] = offset[k];
    return body;
  }
};

}  // namespace zp

#endif
ZP_OP(ColorMatrix)
