// Uneven illumination taken away: the white top-hat with a disc.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_SUBTRACT_BACKGROUND_H
#define ZP_OPS_MORPHOLOGY_SUBTRACT_BACKGROUND_H

#include "core/op.h"
#include "ops/morphology/element.h"
#include "ops/morphology/polygon.h"

namespace zp {

/// The image minus its opening with a disc: bright objects narrower than the disc stay, the background that varies
/// more slowly goes. Up to a radius of 3 pixels the disc is dx^2 + dy^2 <= radius^2, exactly. Beyond, a polygon with 16
/// edges stands for it (8, where the radius is small), made of lines in eight directions (Adams 1993), so that the time
/// does not depend on the radius: it reaches `radius` pixels along rows and columns, holds the disc of 0.98 * radius
/// and lies in that of 1.02 * radius + 0.5. As in open, the outside of the image is neutral to both steps. Each
/// channel by itself. Never negative; f32 rounds once; NaN reaches all pixels of a disc's disc.
struct SubtractBackground {
  using Shape = Composite;
  static constexpr Info info{.name = "subtract_background",
                             .family = "morphology",
                             .summary = "image minus its opening with a disc: even illumination",
                             .opencv = "differs: morphologyEx with MORPH_TOPHAT takes any element, slower",
                             .scikit_image =
                                 "differs: white_tophat with disk(radius) has the exact disc, slower; "
                                 "rolling_ball has a ball",
                             .npp = {}};
  int radius = 50;
  static constexpr std::tuple parameters{parameter("radius", &SubtractBackground::radius,
                                                   "reach of the disc; larger than the objects that shall stay",
                                                   {.low = 1, .high = 1024, .unit = "pixels"})};
  static constexpr Case cases[] = {{""}, {"radius=3"}, {"radius=9", kAnyFormat, 3}, {"radius=25"}};

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const View<In> eroded = exec.template plane<In>(in.width, in.height, in.channels);
    const View<In> opened = exec.template plane<In>(in.width, in.height, in.channels);
    if (radius <= 3) {
      morph<Lowest>(exec, in, eroded, Element::disc, radius, 1);
      morph<Highest>(exec, View<const In>(eroded), opened, Element::disc, radius, 1);
    } else {
      // A disc that holds the whole image from each of its pixels need not grow further.
      const std::int64_t whole = (std::int64_t(in.width) + in.height) * 11 / 10 + 10;
      const Polygon polygon = polygon_of(int(smaller<std::int64_t>(radius, whole)));
      slide_polygon<Lowest>(exec, in, eroded, polygon);
      slide_polygon<Highest>(exec, View<const In>(eroded), opened, polygon);
    }
    exec.point(HatDifference{}, operands.output<In>(), in, View<const In>(opened));
  }
};

}  // namespace zp

#endif
ZP_OP(SubtractBackground)
