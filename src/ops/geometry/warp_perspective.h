// A plane seen from elsewhere: pixels moved by a 3x3 matrix.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_WARP_PERSPECTIVE_H
#define ZP_OPS_GEOMETRY_WARP_PERSPECTIVE_H

#include <cmath>

#include "core/op.h"
#include "ops/geometry/warp.h"

namespace zp {

/// The matrix takes source pixel (x, y) to (X / W, Y / W) of the result, where (X, Y, W) is the matrix times (x, y, 1)
/// and integers are pixel centres; with `inverse` it takes the result's pixels to the source's. A multiple of the
/// matrix is the same matrix, a negative one too. Borders, methods and values as in Remap.
///
/// The matrix is inverted, and places are computed, in double, with a division for each pixel. Where the W of a pixel
/// of the result is 0 (on the horizon) or the place is 2^30 pixels or more away, the pixel is `value` with every
/// border; where W has the other sign (beyond the horizon) the formula holds, as in OpenCV. A singular matrix is
/// refused, with `inverse` too.
struct WarpPerspective {
  using Shape = Gather;
  static constexpr Info info{
      .name = "warp_perspective",
      .family = "geometry",
      .summary = "move pixels by a 3x3 matrix",
      .opencv =
          "as warpPerspective, which rounds fractions to 1/32 (linear: before version 5); inverse is "
          "WARP_INVERSE_MAP",
      .scikit_image = "as warp with ProjectiveTransform (inverse=true takes the same matrix)",
      .npp = "as WarpPerspective; it leaves pixels outside unwritten"};
  std::vector<float> matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int width = 0, height = 0;
  bool inverse = false;
  Interpolation method = Interpolation::linear;
  Border border = Border::constant;
  float value = 0;
  static constexpr auto parameters =
      std::tuple_cat(std::tuple{parameter("matrix", &WarpPerspective::matrix, "m0/m1/m2/m3/m4/m5/m6/m7/m8, row by row",
                                          {.low = -1e9, .high = 1e9, .min_count = 9, .max_count = 9})},
                     matrix_parameters(&WarpPerspective::width, &WarpPerspective::height, &WarpPerspective::inverse),
                     reading_parameters(&WarpPerspective::method, &WarpPerspective::border, &WarpPerspective::value,
                                        "outside value of the constant border and of pixels without a place"));
  static constexpr Case cases[] = {
      {"matrix=0.9/0.2/3/-0.1/1.1/2/0.001/0.002/1"},
      {"matrix=1/0.1/0.5/0/1/0.25/-0.002/0.001/1,method=cubic,border=reflect101,inverse=true", kAnyFormat, 3},
      {"matrix=0/-1/40/1/0/0/0/0/1,method=nearest,width=41,height=30,value=7"},
      {"matrix=1/0/0/0/1/0/0/-0.02/1,inverse=true,border=wrap,value=5"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (matrix.size() == 9) (void)places();
    return {width ? width : in[0].width, height ? height : in[0].height, in[0].channels, in[0].format};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    warp<In>(exec, operands, {method, border, float(to_sample<In>(value))}, places());
  }

 private:
  PerspectivePlaces places() const {
    double m[9], adjugate[9], largest = 0;
    for (std::size_t k = 0; k < 9; ++k) m[k] = double(matrix[k]);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        adjugate[i * 3 + j] = m[j1 * 3 + i1] * m[j2 * 3 + i2] - m[j1 * 3 + i2] * m[j2 * 3 + i1];
      }
    const double terms[] = {m[0] * adjugate[0], m[1] * adjugate[3], m[2] * adjugate[6]};
    const double products[] = {m[0] * m[4] * m[8], m[0] * m[5] * m[7], m[1] * m[5] * m[6],
                               m[1] * m[3] * m[8], m[2] * m[3] * m[7], m[2] * m[4] * m[6]};
    for (const double p : products) largest = larger(largest, std::abs(p));
    // Smaller than this, and it is the rounding of its own sum.
    const double determinant = terms[0] + terms[1] + terms[2];
    if (!(std::abs(determinant) > 1e-14 * largest))
      refuse(info.name, "matrix = " + numbers_text(matrix) + " is singular: it has no inverse");
    PerspectivePlaces found;
    for (int k = 0; k < 9; ++k) found.m[k] = inverse ? m[k] : adjugate[k] / determinant;
    return found;
  }
};

}  // namespace zp

#endif
ZP_OP(WarpPerspective)
