// What the operations with a structuring element share: its parameters, erosion and dilation, opening and closing.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_ELEMENT_H
#define ZP_OPS_MORPHOLOGY_ELEMENT_H

#include "core/op.h"
#include "ops/morphology/sliding.h"

namespace zp {

/// Structuring elements: box, 2 * radius + 1 pixels a side; cross, the row and the column through its centre; disc,
/// dx^2 + dy^2 <= radius^2.
enum class Element : int { box, cross, disc };
inline constexpr std::string_view kElementNames[] = {"box", "cross", "disc"};

/// The parameters of an operation with an element; each has the three members under these names.
template <class Op>
constexpr auto element_parameters(Element Op::*element, int Op::*radius, int Op::*iterations) {
  return std::tuple{parameter("element", element, "shape of the neighbourhood", {.choices = kElementNames}),
                    parameter("radius", radius, "reach of the element", {.low = 0, .high = 1024, .unit = "pixels"}),
                    parameter("iterations", iterations, "how often", {.low = 1, .high = 1024})};
}
inline constexpr Case kElementCases[] = {
    {""}, {"radius=7,iterations=3", kAnyFormat, 3}, {"element=cross,radius=2,iterations=2"}, {"element=disc,radius=4"}};

/// What erosion and dilation share: the extremum over an element, several times. `in` and `out` share no bytes.
template <class Order, class T, class Exec>
void morph(Exec& exec, View<const T> in, const View<T>& out, Element element, int radius, int iterations) {
  if (element == Element::box) {
    // Boxes add up, and so do their parts inside the image.
    slide_box<Order>(exec, in, out, std::int64_t(radius) * iterations);
    return;
  }
  const View<T> spare = iterations > 1 ? exec.template plane<T>(in.width, in.height, in.channels) : View<T>{};
  for (int left = iterations; left > 0; --left) {
    const View<T> to = left % 2 == 1 ? out : spare;
    if (element == Element::cross)
      slide_cross<Order>(exec, in, to, radius);
    else
      exec.stencil(DiscFold<Order>{radius}, to, in, Border::constant, Order::neutral);
    in = to;
  }
}

/// First the one, then the other: an opening where First is Lowest, a closing where it is Highest.
template <class First, class Second, class T, class Exec>
void morph_twice(Exec& exec, const View<const T>& in, const View<T>& out, Element element, int radius, int iterations) {
  const View<T> between = exec.template plane<T>(in.width, in.height, in.channels);
  morph<First>(exec, in, between, element, radius, iterations);
  morph<Second>(exec, View<const T>(between), out, element, radius, iterations);
}

/// a - b of samples of which a is never the smaller.
struct HatDifference {
  template <class V>
  ZP_HD V operator()(V a, V b) const {
    return static_cast<V>(a - b);
  }
};

}  // namespace zp

#endif
