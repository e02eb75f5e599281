// Mirror images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_FLIP_H
#define ZP_OPS_GEOMETRY_FLIP_H

#include "core/op.h"
#include "ops/geometry/mirrored.h"

namespace zp {

/// Exact mirror: `horizontal` swaps left and right, `vertical` top and bottom.
struct Flip {
  using Shape = Gather;
  static constexpr Info info{.name = "flip",
                             .family = "geometry",
                             .summary = "mirror left-right, top-bottom or both",
                             .opencv = "same as flip (horizontal = 1, vertical = 0, both = -1)",
                             .npp = "same as Mirror"};
  enum class Axis : int { horizontal, vertical, both };
  static constexpr std::string_view kAxes[] = {"horizontal", "vertical", "both"};
  Axis axis = Axis::horizontal;
  static constexpr std::tuple parameters{
      parameter("axis", &Flip::axis, "direction in which pixels move", {.choices = kAxes})};
  static constexpr Case cases[] = {{""}, {"axis=vertical"}, {"axis=both", kAnyFormat, 3}};

  Mirrored bind(const PlaneShape&) const { return {axis != Axis::vertical, axis != Axis::horizontal}; }
};

}  // namespace zp

#endif
ZP_OP(Flip)
