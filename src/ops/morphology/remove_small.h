// Small objects vanish.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_REMOVE_SMALL_H
#define ZP_OPS_MORPHOLOGY_REMOVE_SMALL_H

#include "core/op.h"
#include "ops/morphology/objects.h"

namespace zp {

/// Connected objects of fewer than `area` non-zero pixels become 0; the others keep their samples. NaN is not zero. One
/// channel, up to 2^32 - 1 pixels.
struct RemoveSmall {
  using Shape = Composite;
  static constexpr Info info{.name = "remove_small",
                             .family = "morphology",
                             .summary = "objects smaller than an area vanish",
                             .channels = kOneChannel,
                             .scikit_image =
                                 "same as morphology.remove_small_objects of a mask with max_size = area - "
                                 "1; connectivity 4 is 1 there (its default), 8 is 2"};
  int area = 64;
  int connectivity = 8;
  static constexpr std::tuple parameters{
      parameter("area", &RemoveSmall::area, "the smallest object that stays",
                {.low = 0, .high = 2147483647, .unit = "pixels"}),
      parameter("connectivity", &RemoveSmall::connectivity, "neighbours of a pixel: 4 or 8", {.low = 4, .high = 8})};
  static constexpr Case cases[] = {{""}, {"area=9,connectivity=4"}, {"area=300"}};
  static constexpr CaseInput case_input(int, const PlaneShape& first) { return {first, Pattern::mask}; }

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_connectivity(info.name, connectivity);
    components::require_numbered(info.name, in[0]);
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const objects::Scores scores = objects::join(exec, in, connectivity, std::uint32_t(area));
    exec.fill(scores.score, std::size_t(in.width) * std::size_t(in.height));
    exec.tiles(objects::CountPixels{scores}, components::tiles_across(in.width), components::tiles_down(in.height));
    objects::keep(exec, scores, in, operands.output<In>());
  }
};

}  // namespace zp

#endif
ZP_OP(RemoveSmall)
