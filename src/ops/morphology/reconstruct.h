// Morphological reconstruction of a mask from a marker.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_RECONSTRUCT_H
#define ZP_OPS_MORPHOLOGY_RECONSTRUCT_H

#include "core/components.h"
#include "core/op.h"
#include "ops/morphology/reconstruction.h"

namespace zp {

/// kind=dilation: the marker, cut to the mask where it lies above it, is dilated by a pixel and cut to the mask again,
/// until nothing changes (Vincent 1993): peaks of the mask that hold no marker sink to the level at which they join one
/// that does. kind=erosion is the same upside down. Both images have one shape; channels are independent. The result is
/// the only stable one that such steps reach, so neither order nor machine show. NaN in the mask is a wall and stays
/// NaN; NaN in the marker is no marker; what no marker reaches is NaN (or, among integers, keeps the lowest value of
/// its marker). The time grows with the turns of the way that values have to take from tile to tile of 64 pixels, not
/// with its length.
struct Reconstruct {
  using Shape = Composite;
  static constexpr Info info{
      .name = "reconstruct",
      .family = "morphology",
      .summary = "marker that grows under a mask until nothing changes",
      .min_inputs = 2,
      .max_inputs = 2,
      .scikit_image =
          "same as morphology.reconstruction, which refuses a marker beyond the mask; connectivity 4 is a "
          "cross as footprint, 8 the default"};
  static constexpr std::string_view input_names[] = {"marker", "mask"};
  enum class Kind : int { dilation, erosion };
  static constexpr std::string_view kKinds[] = {"dilation", "erosion"};
  Kind kind = Kind::dilation;
  int connectivity = 8;
  static constexpr std::tuple parameters{
      parameter("kind", &Reconstruct::kind, "the marker grows up to the mask, or sinks down to it",
                {.choices = kKinds}),
      parameter("connectivity", &Reconstruct::connectivity, "neighbours of a pixel: 4 or 8", {.low = 4, .high = 8})};
  static constexpr Case cases[] = {
      {""}, {"connectivity=4"}, {"kind=erosion"}, {"kind=erosion,connectivity=4", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_connectivity(info.name, connectivity);
    require_equal_inputs(info.name, in);
    if (in[0].channels != in[1].channels)
      refuse(info.name, "the marker is " + describe(in[0]) + ", the mask " + describe(in[1]));
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace reconstruction;
    const View<const In> marker = operands.input<In>(), mask = operands.input<In>(1);
    using Key = KeyOf<In>;
    const bool reversed = kind == Kind::erosion;
    const View<Key> state = exec.template plane<Key>(mask.width, mask.height, mask.channels);
    const View<Key> limit = exec.template plane<Key>(mask.width, mask.height, mask.channels);
    exec.point(ToKey{reversed}, limit, mask);
    exec.point(ToKey{reversed}, state, marker, mask);
    solve(exec, state, limit, connectivity);
    exec.point(FromKey{reversed}, operands.output<In>(), View<const Key>(state));
  }
};

}  // namespace zp

#endif
ZP_OP(Reconstruct)
