// Three equal channels from one.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_GREY_TO_RGB_H
#define ZP_OPS_LAYOUT_GREY_TO_RGB_H

#include "core/op.h"
#include "ops/layout/selected_channels.h"

namespace zp {

/// Red, green and blue are the grey channel; exact, NaN included. A second channel (alpha) is kept as the fourth.
struct GreyToRgb {
  using Shape = Gather;
  static constexpr Info info{.name = "grey_to_rgb",
                             .family = "layout",
                             .summary = "three equal channels from one",
                             .formats = kAnyFormat,
                             .channels = 0b00110,
                             .opencv = "same as cvtColor GRAY2RGB",
                             .scikit_image = "same as gray2rgb",
                             .npp = "same as Dup (C1C3R)"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 2}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    out.channels = in[0].channels + 2;
    return out;
  }

  int halo(const PlaneShape&) const { return 0; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<Out> out = operands.output<Out>();
    select_channels(exec, out, operands.input<In>(), ChannelOrder{{0, 0, 0, 1}, out.channels});
  }
};

}  // namespace zp

#endif
ZP_OP(GreyToRgb)
