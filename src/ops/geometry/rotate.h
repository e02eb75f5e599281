// Rotation about a point by any angle.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_ROTATE_H
#define ZP_OPS_GEOMETRY_ROTATE_H

#include <cmath>

#include "core/op.h"
#include "ops/geometry/warp.h"

namespace zp {
namespace detail_rotate {

/// Sine and cosine of an angle in degrees by their Taylor series around the nearest quarter turn: the same bits on
/// every machine, error under 2^-52, exact at multiples of 90.
struct Turn {
  double sine, cosine;

  static Turn of(double degrees) {
    const double quarter = std::floor(degrees / 90.0 + 0.5);
    const double r = (degrees - 90.0 * quarter) * (3.14159265358979323846 / 180.0), r2 = r * r;
    double sine = 0, cosine = 0;
    for (int n = 17; n >= 3; n -= 2) sine = (1 - sine) * r2 / double(n * (n - 1));
    for (int n = 18; n >= 2; n -= 2) cosine = (1 - cosine) * r2 / double(n * (n - 1));
    sine = r * (1 - sine);
    cosine = 1 - cosine;
    switch (static_cast<int>(quarter - 4.0 * std::floor(quarter / 4.0))) {
      case 0:
        return {sine, cosine};
      case 1:
        return {cosine, -sine};
      case 2:
        return {-sine, -cosine};
      default:
        return {-cosine, sine};
    }
  }
};

}  // namespace detail_rotate

/// Turns the picture counter-clockwise as it is seen, about the centre of the image or a given point, and scales it.
/// Pixel centres are integers, hence the centre is at ((width - 1) / 2, (height - 1) / 2). The result keeps the image's
/// size; with `expand` it is the smallest that holds every turned pixel, and the point does not matter.
///
/// At multiples of 90 degrees with scale 1 pixels are copied without any rounding, wherever they meet pixels: with
/// `expand`, by half turns, or where width and height are both even or both odd. Coordinates, methods, borders and
/// values as in WarpAffine.
struct Rotate {
  using Shape = Gather;
  static constexpr Info info{
      .name = "rotate",
      .family = "geometry",
      .summary = "turn by an angle about a point",
      .opencv =
          "as warpAffine with getRotationMatrix2D, which rounds fractions to 1/32 (linear: before version 5); it has "
          "no expand",
      .scikit_image =
          "as transform.rotate (resize = expand, mode constant); centre and angle "
          "are the same",
      .npp = "as Rotate, which turns about pixel (0, 0)"};
  float angle = 0;
  std::vector<float> centre = {};
  float scale = 1;
  bool expand = false;
  Interpolation method = Interpolation::linear;
  Border border = Border::constant;
  float value = 0;
  static constexpr auto parameters = std::tuple_cat(
      std::tuple{parameter("angle", &Rotate::angle, "counter-clockwise", {.low = -1e6, .high = 1e6, .unit = "degrees"}),
                 parameter("centre", &Rotate::centre, "x/y of the point that stays",
                           {.low = -1e9,
                            .high = 1e9,
                            .unit = "pixels",
                            .automatic = "the centre of the image",
                            .min_count = 2,
                            .max_count = 2}),
                 parameter("scale", &Rotate::scale, "factor of lengths", {.low = 1e-3, .high = 1e3}),
                 parameter("expand", &Rotate::expand, "make the result as large as the turned image")},
      reading_parameters(&Rotate::method, &Rotate::border, &Rotate::value));
  static constexpr Case cases[] = {{"angle=30"},
                                   {"angle=90,expand=true", kAnyFormat, 3},
                                   {"angle=-37.5,expand=true,scale=0.7,method=cubic,border=reflect101", kAnyFormat, 4},
                                   {"angle=180,method=nearest,centre=40/30.5,value=9"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    if (expand && !out.empty()) {
      const detail_rotate::Turn turn = detail_rotate::Turn::of(double(angle));
      const double s = std::abs(turn.sine) * double(scale), c = std::abs(turn.cosine) * double(scale);
      out.width = side("width", c * in[0].width + s * in[0].height);
      out.height = side("height", s * in[0].width + c * in[0].height);
    }
    return out;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const PlaneShape &in = operands.in[0].shape, &out = operands.out.shape;
    warp<In>(exec, operands, {method, border, float(to_sample<In>(value))}, places(in, out));
  }

 private:
  /// A thousandth of a pixel more than a whole number is rounding.
  static int side(std::string_view name, double exact) {
    const double pixels = std::ceil(exact - 1e-3);
    if (!(pixels <= kLargestSide))
      refuse(info.name,
             "the " + std::string(name) + " would be " + std::to_string(pixels) + " pixels, allowed 1 to 1073741824");
    return pixels < 1 ? 1 : int(pixels);
  }

  AffinePlaces places(const PlaneShape& in, const PlaneShape& out) const {
    const detail_rotate::Turn turn = detail_rotate::Turn::of(double(angle));
    double from_x = (in.width - 1) * 0.5, from_y = (in.height - 1) * 0.5;
    double to_x = (out.width - 1) * 0.5, to_y = (out.height - 1) * 0.5;
    if (!expand && !centre.empty()) {
      from_x = to_x = double(centre[0]);
      from_y = to_y = double(centre[1]);
    }
    const double s = turn.sine / double(scale), c = turn.cosine / double(scale);
    AffinePlaces found;
    if (!AffinePlaces::make({c, -s, from_x - (c * to_x - s * to_y), s, c, from_y - (s * to_x + c * to_y)}, out.width,
                            out.height, found))
      refuse(info.name, "scale = " + std::to_string(scale) + ", centre = " + numbers_text(centre) +
                            " lead to places 2^37 pixels away");
    return found;
  }
};

}  // namespace zp

#endif
ZP_OP(Rotate)
