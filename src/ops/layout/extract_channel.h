// One channel as an image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_EXTRACT_CHANNEL_H
#define ZP_OPS_LAYOUT_EXTRACT_CHANNEL_H

#include "core/op.h"

namespace zp {

/// Channel `index`, counted from 0, as an image of one channel; exact, NaN included. An index that the image does not
/// have is an error.
struct ExtractChannel {
  using Shape = Gather;
  static constexpr Info info{.name = "extract_channel",
                             .family = "layout",
                             .summary = "one channel as an image",
                             .formats = kAnyFormat,
                             .opencv = "same as extractChannel",
                             .scikit_image = "same as image[..., index]",
                             .npp = "same as Copy with one source channel (C3C1R, C4C1R)"};
  int index = 0;
  static constexpr std::tuple parameters{
      parameter("index", &ExtractChannel::index, "channel, counted from 0", {.low = 0, .high = 3})};
  static constexpr Case cases[] = {{"", kAnyFormat, 3}, {"index=1", kAnyFormat, 2}, {"index=3", kAnyFormat, 4}};

  int halo(const PlaneShape&) const { return 0; }

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (index >= in[0].channels)
      refuse(info.name, "index = " + std::to_string(index) + ", allowed 0 to " + std::to_string(in[0].channels - 1) +
                            " for " + describe(in[0]));
    PlaneShape out = in[0];
    out.channels = 1;
    return out;
  }

  template <class Source>
  ZP_HD Pixel<typename Source::Sample, 1> operator()(const Source& in, int x, int y) const {
    const auto p = in.at(x, y);
    auto v = p[0];
    for (int c = 1; c < Source::channels; ++c) v = c == index ? p[c] : v;
    return {{v}};
  }
};

}  // namespace zp

#endif
ZP_OP(ExtractChannel)
