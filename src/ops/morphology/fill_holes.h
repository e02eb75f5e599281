// Holes of objects filled.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_FILL_HOLES_H
#define ZP_OPS_MORPHOLOGY_FILL_HOLES_H

#include "core/components.h"
#include "core/op.h"
#include "ops/morphology/reconstruction.h"

namespace zp {

/// In a mask: background that is not connected with the border of the image becomes foreground. In a grey image: each
/// pixel becomes the least level at which water that stands there would run off over the border, that is the smallest
/// maximum of all paths from it to the border: dark hollows are filled to their rim (reconstruction by erosion). The
/// connectivity is that of the background, of the paths: with 4, the default, objects that touch at corners enclose a
/// hole, as belongs to objects of connectivity 8; with 8 water leaks through corners. Channels are independent. NaN is
/// a wall and stays NaN; what only NaN encloses becomes NaN.
struct FillHoles {
  using Shape = Composite;
  static constexpr Info info{
      .name = "fill_holes",
      .family = "morphology",
      .summary = "fill what is enclosed: holes in masks, hollows in grey images",
      .scikit_image =
          "same as scipy.ndimage.binary_fill_holes (connectivity 4 is its default structure); grey images as "
          "morphology.reconstruction by erosion from the border"};
  int connectivity = 4;
  static constexpr std::tuple parameters{parameter("connectivity", &FillHoles::connectivity,
                                                   "neighbours of a pixel of the background: 4 or 8",
                                                   {.low = 4, .high = 8})};
  static constexpr Case cases[] = {{""}, {"connectivity=8"}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_connectivity(info.name, connectivity);
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace reconstruction;
    const View<const In> in = operands.input<In>();
    using Key = KeyOf<In>;
    const View<Key> state = exec.template plane<Key>(in.width, in.height, in.channels);
    const View<Key> limit = exec.template plane<Key>(in.width, in.height, in.channels);
    exec.point(ToKey{true}, limit, in);
    exec.fill(state.data, std::size_t(in.width) * std::size_t(in.height) * std::size_t(in.channels));
    using Seed = SeedBorder<Key>;
    exec.tiles(Seed{state.data, limit.data, in.width, in.height, in.channels},
               (larger(in.width, in.height) - 1) / Seed::threads + 1, 1);
    solve(exec, state, limit, connectivity);
    exec.point(FromKey{true}, operands.output<In>(), View<const Key>(state));
  }
};

}  // namespace zp

#endif
ZP_OP(FillHoles)
