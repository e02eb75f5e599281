// Rotation, scale, shear and shift by a 2x3 matrix.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_WARP_AFFINE_H
#define ZP_OPS_GEOMETRY_WARP_AFFINE_H

#include "core/op.h"
#include "ops/geometry/warp.h"

namespace zp {

/// The matrix m0 m1 m2 / m3 m4 m5 takes source pixel (x, y) to (m0 x + m1 y + m2, m3 x + m4 y + m5) of the result,
/// integers being pixel centres; with `inverse` it takes the result's pixels to the source's. Borders, methods and
/// values as in Remap.
///
/// The matrix is inverted in double. Coordinates are 64-bit fixed point with up to 40 fraction bits, so that they are
/// exact sums on every machine and a matrix of small integers and halves moves pixels without any rounding; over 65536
/// pixels the error stays under 2^-23 pixel.
struct WarpAffine {
  using Shape = Gather;
  static constexpr Info info{
      .name = "warp_affine",
      .family = "geometry",
      .summary = "move pixels by a 2x3 matrix",
      .opencv = "as warpAffine, which rounds fractions to 1/32 (linear: before version 5); inverse is WARP_INVERSE_MAP",
      .scikit_image = "as warp with AffineTransform (inverse=true takes the same matrix)",
      .npp = "as WarpAffine; it leaves pixels outside unwritten"};
  std::vector<float> matrix = {1, 0, 0, 0, 1, 0};
  int width = 0, height = 0;
  bool inverse = false;
  Interpolation method = Interpolation::linear;
  Border border = Border::constant;
  float value = 0;
  static constexpr auto parameters =
      std::tuple_cat(std::tuple{parameter("matrix", &WarpAffine::matrix, "m0/m1/m2/m3/m4/m5, row by row",
                                          {.low = -1e9, .high = 1e9, .min_count = 6, .max_count = 6})},
                     matrix_parameters(&WarpAffine::width, &WarpAffine::height, &WarpAffine::inverse),
                     reading_parameters(&WarpAffine::method, &WarpAffine::border, &WarpAffine::value));
  static constexpr Case cases[] = {
      {"matrix=0.9/0.2/3/-0.1/1.1/2"},
      {"matrix=1/0/0.5/0/1/0.25,method=cubic,border=reflect101,inverse=true", kAnyFormat, 3},
      {"matrix=0/-1/40/1/0/0,method=nearest,width=41,height=30,value=7"},
      {"matrix=0.3/0/0/0/0.3/0,border=wrap"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    const PlaneShape out{width ? width : in[0].width, height ? height : in[0].height, in[0].channels, in[0].format};
    if (matrix.size() == 6) (void)places(out.width, out.height);
    return out;
  }

  /// Throws if the matrix has no inverse that fixed point can hold.
  AffinePlaces places(int out_width, int out_height) const {
    double m[6];
    for (std::size_t k = 0; k < 6; ++k) m[k] = double(matrix[k]);
    if (!inverse) {
      const double determinant = m[0] * m[4] - m[1] * m[3];
      const double a = m[4] / determinant, b = -m[1] / determinant, d = -m[3] / determinant, e = m[0] / determinant;
      const double c = -(a * m[2] + b * m[5]), f = -(d * m[2] + e * m[5]);
      m[0] = a, m[1] = b, m[2] = c, m[3] = d, m[4] = e, m[5] = f;
    }
    AffinePlaces found;
    if (!AffinePlaces::make(m, out_width, out_height, found))
      refuse(info.name,
             "matrix = " + numbers_text(matrix) + " has no usable inverse; the result would lie 2^37 pixels apart");
    return found;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    warp<In>(exec, operands, {method, border, float(to_sample<In>(value))},
             places(operands.out.shape.width, operands.out.shape.height));
  }
};

}  // namespace zp

#endif
ZP_OP(WarpAffine)
