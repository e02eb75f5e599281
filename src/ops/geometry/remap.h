// Each output pixel from a place that two maps give.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_REMAP_H
#define ZP_OPS_GEOMETRY_REMAP_H

#include "core/op.h"
#include "ops/geometry/warp.h"

namespace zp {

/// Output pixel (x, y) is the image at (map_x(x, y), map_y(x, y)), in pixels, integers being pixel centres. Inputs: the
/// image, map_x and map_y; the maps are f32 with one channel and give the output's size.
///
/// Neighbours outside the image follow `border`: with `constant` they are `value`, so that within one pixel of the edge
/// (two for cubic) the picture fades into it. A coordinate that is NaN, or 2^30 or more from 0, gives `value` with
/// every border. `nearest` is floor(v + 0.5). Fractions keep all bits of f32. A neighbour of weight 0 is not taken, so
/// an integer coordinate copies the pixel whatever lies beside it; else NaN spreads. Cubic: Keys, IEEE ASSP 29 (1981),
/// a = -0.75; integer results clamp.
struct Remap {
  using Shape = Gather;
  static constexpr Info info{
      .name = "remap",
      .family = "geometry",
      .summary = "take each pixel from where two maps say",
      .min_inputs = 3,
      .max_inputs = 3,
      .opencv = "as remap, which rounds fractions to 1/32 (linear: before version 5) and ties of nearest to even",
      .scikit_image = "as warp with a coordinate array; its cubic is a spline or Catmull-Rom",
      .npp = "as Remap; it leaves pixels with outside coordinates unwritten"};
  static constexpr std::string_view input_names[] = {"image", "map_x", "map_y"};
  static constexpr CaseInput case_input(int k, const PlaneShape& first) {
    if (k == 0) return {first, Pattern::picture};
    return {{first.width, first.height, 1, Format::f32}, k == 1 ? Pattern::coordinates_x : Pattern::coordinates_y};
  }
  Interpolation method = Interpolation::linear;
  Border border = Border::constant;
  float value = 0;
  static constexpr auto parameters = reading_parameters(
      &Remap::method, &Remap::border, &Remap::value, "outside value of the constant border and of unknown coordinates");
  static constexpr Case cases[] = {{""},
                                   {"method=nearest,border=replicate"},
                                   {"method=cubic,border=reflect101", kAnyFormat, 3},
                                   {"value=9,border=wrap"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    for (std::size_t k = 1; k < 3; ++k)
      if (in[k].format != Format::f32 || in[k].channels != 1)
        refuse(info.name,
               std::string(k == 1 ? "map_x" : "map_y") + " is " + describe(in[k]) + ", a map is f32 with 1 channel");
    if (in[1].width != in[2].width || in[1].height != in[2].height)
      refuse(info.name,
             "map_x is " + describe(in[1]) + ", but map_y is " + describe(in[2]) + "; their sizes must be equal");
    return {in[1].width, in[1].height, in[0].channels, in[0].format};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    warp<In>(exec, operands, {method, border, float(to_sample<In>(value))}, operands.input<float>(1),
             operands.input<float>(2));
  }
};

}  // namespace zp

#endif
ZP_OP(Remap)
