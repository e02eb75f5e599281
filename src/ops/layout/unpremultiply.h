// Colours divided by their alpha.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_UNPREMULTIPLY_H
#define ZP_OPS_LAYOUT_UNPREMULTIPLY_H

#include "core/op.h"

namespace zp {

/// Four channels: the first three become c * white / alpha, or 0 where alpha is 0; the fourth, alpha, is kept.
/// Integers: exact arithmetic, rounded once, half to even; a colour above its alpha becomes white. f32: one quotient,
/// which is not clamped.
struct Unpremultiply {
  using Shape = Gather;
  static constexpr Info info{.name = "unpremultiply",
                             .family = "layout",
                             .summary = "colours divided by their alpha",
                             .channels = 0b10000,
                             .opencv = "as cvtColor mRGBA2RGBA (u8) within 1: it rounds halves up"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}};

  int halo(const PlaneShape&) const { return 0; }
  static constexpr int channels = 4;

  template <class Source>
  ZP_HD auto operator()(const Source& in, int x, int y) const {
    using T = typename Source::Sample;
    Pixel<T, 4> p = in.at(x, y);
    for (int c = 0; c < 3; ++c) p[c] = quotient(p[c], p[3]);
    return p;
  }

 private:
  template <class T>
  ZP_HD static T quotient(T v, T alpha) {
    if constexpr (std::is_same_v<T, float>) {
      const float q = v / (alpha == 0.0f ? 1.0f : alpha);
      return alpha == 0.0f ? 0.0f : q;
    } else {
      constexpr auto white = static_cast<std::int32_t>(white_of(format_of<T>));
      const std::int32_t a = alpha, d = a > 0 ? a : 1, n = v < d ? v : d;
      // The quotient in f32 is wrong by less than 1/2, so one step to either side makes it the nearest integer.
      const auto q = static_cast<std::int32_t>(static_cast<float>(n) * float(white) / static_cast<float>(d) + 0.5f);
      const auto rest = static_cast<std::int32_t>(
          2u * (std::uint32_t(n) * std::uint32_t(white) - std::uint32_t(q) * std::uint32_t(d)));
      const std::int32_t odd = q & 1;  // a tie goes to the even neighbour
      const std::int32_t up = rest + odd > d ? 1 : 0, down = rest - odd < -d ? 1 : 0;
      return static_cast<T>(a > 0 ? q + up - down : 0);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Unpremultiply)
