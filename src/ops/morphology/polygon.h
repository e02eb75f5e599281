// Polygons with up to 16 edges that stand for a disc: cost independent of the radius.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_POLYGON_H
#define ZP_OPS_MORPHOLOGY_POLYGON_H

#include <cmath>

#include "ops/morphology/sliding.h"

namespace zp {

/// The sum of lines in eight directions (Adams, Radial decomposition of discs and spheres, 1993): `straight` steps to
/// each side along (1, 0) and (0, 1), `diagonal` along (1, 1) and (1, -1), `oblique` along (2, 1), (2, -1), (1, 2) and
/// (1, -2). `straight` is at least 1, which leaves no holes. It reaches straight + 2 * diagonal + 6 * oblique pixels
/// along rows and columns.
struct Polygon {
  int straight, diagonal, oblique;
};

/// The polygon that reaches `radius` along rows and columns and whose corners and edges deviate least from the circle.
inline Polygon polygon_of(int radius) {
  Polygon best{radius, 0, 0};
  double least = std::numeric_limits<double>::infinity();
  // In the best ones diagonal and oblique are about a tenth of the radius.
  const int tenth = radius / 10;
  for (int oblique = larger(0, tenth - 2); oblique <= tenth + 2; ++oblique)
    for (int diagonal = larger(0, tenth - 3); diagonal <= tenth + 3; ++diagonal) {
      const int straight = radius - 2 * diagonal - 6 * oblique;
      if (straight < 1) continue;
      const double r = radius, a = straight, b = a + 4.0 * oblique, c = r - 2.0 * oblique;
      // Corners lie at (a, r) and (b, c); edges there lie across (1, 2) and (1, 1).
      const double corner = std::sqrt(larger(a * a + r * r, b * b + c * c));
      const double edge = smaller((a + 2.0 * r) / std::sqrt(5.0), (b + c) / std::sqrt(2.0));
      const double deviation = larger(corner - r, r - edge);
      if (deviation < least) {
        least = deviation;
        best = {straight, diagonal, oblique};
      }
    }
  return best;
}

/// The extremum of the pixels of a polygon that lie inside the image.
template <class Order, class T, class Exec>
void slide_polygon(Exec& exec, const View<const T>& in, const View<T>& out, const Polygon& polygon) {
  if (polygon.diagonal == 0 && polygon.oblique == 0) return slide_box<Order>(exec, in, out, polygon.straight);
  // On its way from one pixel of the image to another, a sum of lines leaves the image by no more than this.
  const int margin = larger(polygon.diagonal, 2 * polygon.oblique);
  const auto wide = [&] { return exec.template plane<T>(in.width + 2 * margin, in.height + 2 * margin, in.channels); };
  View<T> from = wide(), to = wide();
  slide_lines<Order>(exec, in, to, polygon.straight, 0, 1, -margin);
  slide_rows<Order>(exec, View<const T>(to), from, polygon.straight);
  const auto slide = [&](int steps, int step_x, int step_y) {
    if (steps == 0) return;
    slide_lines<Order>(exec, View<const T>(from), to, steps, step_x, step_y);
    const View<T> t = from;
    from = to;
    to = t;
  };
  slide(polygon.oblique, 1, 2);
  slide(polygon.oblique, -1, 2);
  slide(polygon.oblique, 2, 1);
  if (polygon.diagonal == 0) {
    slide_lines<Order>(exec, View<const T>(from), out, polygon.oblique, -2, 1, margin);
    return;
  }
  slide(polygon.oblique, -2, 1);
  slide(polygon.diagonal, 1, 1);
  slide_lines<Order>(exec, View<const T>(from), out, polygon.diagonal, -1, 1, margin);
}

}  // namespace zp

#endif
