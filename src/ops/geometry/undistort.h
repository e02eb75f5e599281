// Straight lines from a lens that bends them.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_UNDISTORT_H
#define ZP_OPS_GEOMETRY_UNDISTORT_H

#include "core/op.h"
#include "ops/geometry/warp.h"

namespace zp {

/// Undoes the distortion of a lens in one pass, without map images. The model is that of Brown (1966) and Conrady
/// (1919) in OpenCV's order of coefficients. With x = (u - cx) / fx, y = (v - cy) / fy and r2 = x^2 + y^2, pixel (u, v)
/// of the result is the image at
///
///   fx (x (1 + k1 r2 + k2 r2^2 + k3 r2^3) + 2 p1 x y + p2 (r2 + 2 x^2)) + cx,
///   fy (y (1 + k1 r2 + k2 r2^2 + k3 r2^3) + p1 (r2 + 2 y^2) + 2 p2 x y) + cy,
///
/// in double. The result keeps the size and the camera matrix. Borders, methods and values as in Remap.
struct Undistort {
  using Shape = Gather;
  static constexpr Info info{
      .name = "undistort",
      .family = "geometry",
      .summary = "undo the distortion of a lens",
      .opencv = "as undistort with the same camera matrix; it rounds fractions to 1/32 (linear: before version 5)",
      .scikit_image = "as warp with this formula as its inverse map",
      .npp = "as nppiRemap with this formula's maps"};
  float fx = kAutomatic, fy = kAutomatic, cx = kAutomatic, cy = kAutomatic;
  float k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0;
  Interpolation method = Interpolation::linear;
  Border border = Border::constant;
  float value = 0;
  static constexpr auto parameters = std::tuple_cat(
      std::tuple{parameter("fx", &Undistort::fx, "focal length along x",
                           {.low = 1e-3, .high = 1e9, .unit = "pixels", .automatic = "the larger side of the image"}),
                 parameter("fy", &Undistort::fy, "focal length along y",
                           {.low = 1e-3, .high = 1e9, .unit = "pixels", .automatic = "fx"}),
                 parameter("cx", &Undistort::cx, "x of the optical axis",
                           {.low = -1e9, .high = 1e9, .unit = "pixels", .automatic = "(width - 1) / 2"}),
                 parameter("cy", &Undistort::cy, "y of the optical axis",
                           {.low = -1e9, .high = 1e9, .unit = "pixels", .automatic = "(height - 1) / 2"}),
                 parameter("k1", &Undistort::k1, "radial coefficient of r^2", {.low = -1e6, .high = 1e6}),
                 parameter("k2", &Undistort::k2, "radial coefficient of r^4", {.low = -1e6, .high = 1e6}),
                 parameter("p1", &Undistort::p1, "first tangential coefficient", {.low = -1e6, .high = 1e6}),
                 parameter("p2", &Undistort::p2, "second tangential coefficient", {.low = -1e6, .high = 1e6}),
                 parameter("k3", &Undistort::k3, "radial coefficient of r^6", {.low = -1e6, .high = 1e6})},
      reading_parameters(&Undistort::method, &Undistort::border, &Undistort::value));
  static constexpr Case cases[] = {{"k1=-0.3,k2=0.1,p1=0.001,p2=-0.002,k3=0.02"},
                                   {"fx=90,fy=80,cx=60,cy=50,k1=0.2,method=cubic,border=reflect101", kAnyFormat, 3},
                                   {"k1=-0.5,method=nearest,value=7", kAnyFormat, 4},
                                   {"k1=0.4,p1=0.01,border=replicate"}};

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const PlaneShape& s = operands.in[0].shape;
    const auto given = [](float v, double automatic) { return is_automatic(v) ? automatic : double(v); };
    LensPlaces lens;
    lens.fx = given(fx, larger(s.width, s.height));
    lens.fy = given(fy, lens.fx);
    lens.cx = given(cx, (s.width - 1) * 0.5);
    lens.cy = given(cy, (s.height - 1) * 0.5);
    lens.k1 = double(k1), lens.k2 = double(k2), lens.k3 = double(k3), lens.p1 = double(p1), lens.p2 = double(p2);
    warp<In>(exec, operands, {method, border, float(to_sample<In>(value))}, lens);
  }
};

}  // namespace zp

#endif
ZP_OP(Undistort)
