// Channels in another order.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_REORDER_CHANNELS_H
#define ZP_OPS_LAYOUT_REORDER_CHANNELS_H

#include "core/op.h"
#include "ops/layout/selected_channels.h"

namespace zp {

/// Channel k of the result is channel order[k] of the image, counted from 0; exact, NaN included. Channels may repeat
/// and may be left out, so the result has as many channels as `order` has numbers. Not given, the order is reversed:
/// RGB becomes BGR. A channel that the image does not have is an error.
struct ReorderChannels {
  using Shape = Gather;
  static constexpr Info info{.name = "reorder_channels",
                             .family = "layout",
                             .summary = "channels in another order",
                             .formats = kAnyFormat,
                             .opencv = "same as mixChannels on one image; order=2/1/0: cvtColor RGB2BGR",
                             .scikit_image = "same as image[..., order]",
                             .npp = "same as SwapChannels (C3R, C4R, C4C3R, C3C4R without its constant)"};
  std::vector<float> order;
  static constexpr std::tuple parameters{
      parameter("order", &ReorderChannels::order, "one to four channels, counted from 0",
                {.low = 0, .high = 3, .automatic = "reversed", .min_count = 1, .max_count = 4})};
  static constexpr Case cases[] = {{"", kAnyFormat, 3},
                                   {"order=0/0/0", kAnyFormat, 1},
                                   {"order=1/0", kAnyFormat, 3},
                                   {"order=2", kAnyFormat, 4},
                                   {"order=3/0/1/2", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    out.channels = resolved(in[0]).count;
    return out;
  }

  int halo(const PlaneShape&) const { return 0; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    select_channels(exec, operands.output<Out>(), operands.input<In>(), resolved(operands.in[0].shape));
  }

 private:
  ChannelOrder resolved(const PlaneShape& in) const {
    if (!order.empty()) return channel_order(info.name, order, in);
    ChannelOrder reversed;
    for (; reversed.count < in.channels; ++reversed.count)
      reversed.index[std::size_t(reversed.count)] = in.channels - 1 - reversed.count;
    return reversed;
  }
};

}  // namespace zp

#endif
ZP_OP(ReorderChannels)
