// Objects that the border cuts vanish.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_CLEAR_BORDER_H
#define ZP_OPS_MORPHOLOGY_CLEAR_BORDER_H

#include "core/op.h"
#include "ops/morphology/objects.h"

namespace zp {

/// Connected objects of non-zero pixels that hold a pixel of the first or last row or column become 0; the others keep
/// their samples. NaN is not zero. One channel, up to 2^32 - 1 pixels.
struct ClearBorder {
  using Shape = Composite;
  static constexpr Info info{.name = "clear_border",
                             .family = "morphology",
                             .summary = "objects that touch the border vanish",
                             .channels = kOneChannel,
                             .scikit_image =
                                 "same as segmentation.clear_border of a mask, whose connectivity is 8; "
                                 "labels that touch each other are one object here"};
  int connectivity = 8;
  static constexpr std::tuple parameters{
      parameter("connectivity", &ClearBorder::connectivity, "neighbours of a pixel: 4 or 8", {.low = 4, .high = 8})};
  static constexpr Case cases[] = {{""}, {"connectivity=4"}};
  static constexpr CaseInput case_input(int, const PlaneShape& first) { return {first, Pattern::mask}; }

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_connectivity(info.name, connectivity);
    components::require_numbered(info.name, in[0]);
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const objects::Scores scores = objects::join(exec, in, connectivity, 1);
    exec.fill(scores.score, std::size_t(in.width) * std::size_t(in.height), 0xff);
    exec.tiles(objects::MarkBorder{scores}, (larger(in.width, in.height) - 1) / objects::MarkBorder::threads + 1, 1);
    objects::keep(exec, scores, in, operands.output<In>());
  }
};

}  // namespace zp

#endif
ZP_OP(ClearBorder)
