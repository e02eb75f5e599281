// Channels of an image by a list of their numbers: what the operations that move whole channels share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_SELECTED_CHANNELS_H
#define ZP_OPS_LAYOUT_SELECTED_CHANNELS_H

#include <array>
#include <cmath>

#include "core/op.h"

namespace zp {

/// Numbers of channels; the first `count` are in use.
struct ChannelOrder {
  std::array<int, 4> index{0, 1, 2, 3};
  int count = 0;
};

/// The order that a parameter `order` lists, checked against an image of `in`.
inline ChannelOrder channel_order(std::string_view operation, const std::vector<float>& order, const PlaneShape& in) {
  ChannelOrder checked;
  for (const float v : order) {
    if (!(v >= 0.0f && v < float(in.channels)) || v != std::floor(v)) {
      char number[32];
      std::snprintf(number, sizeof(number), "%g", double(v));
      refuse(operation, "order = " + std::string(number) + ", allowed whole numbers 0 to " +
                            std::to_string(in.channels - 1) + " for " + describe(in));
    }
    checked.index[std::size_t(checked.count++)] = int(v);
  }
  return checked;
}

namespace detail_selected_channels {

template <class T, int Count>
struct Body {
  static constexpr int channels = 1;  ///< pixels are read here, whatever their channels
  View<const T> in;
  int index[4];
  static constexpr std::tuple pointers{&Body::in};
  template <class Source>
  ZP_HD Pixel<T, Count> operator()(const Source&, int x, int y) const {
    const T* p = in.row(y) + std::ptrdiff_t(x) * in.channels;
    Pixel<T, Count> q;
    for (int c = 0; c < Count; ++c) q[c] = p[index[c]];
    return q;
  }
};

template <class T, int Count, class Exec>
void gather(Exec& exec, View<T> out, View<const T> in, const ChannelOrder& order) {
  exec.gather(Body<T, Count>{in, {order.index[0], order.index[1], order.index[2], order.index[3]}}, out, in);
}

}  // namespace detail_selected_channels

/// Channel k of the output is channel order.index[k] of the input.
template <class T, class Exec>
void select_channels(Exec& exec, View<T> out, View<const T> in, const ChannelOrder& order) {
  switch (order.count) {
    case 1:
      return detail_selected_channels::gather<T, 1>(exec, out, in, order);
    case 2:
      return detail_selected_channels::gather<T, 2>(exec, out, in, order);
    case 3:
      return detail_selected_channels::gather<T, 3>(exec, out, in, order);
    default:
      return detail_selected_channels::gather<T, 4>(exec, out, in, order);
  }
}

}  // namespace zp

#endif
