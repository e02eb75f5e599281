// Half and double size by the 5-tap binomial 1 4 6 4 1: what pyramid_down and pyramid_up share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_PYRAMID_H
#define ZP_OPS_GEOMETRY_PYRAMID_H

#include "core/op.h"

namespace zp::detail_pyramid {

/// Columns of five (down) or three (up) samples are joined into a line, then the line. Whole numbers for integers.
template <class T, int Threads>
struct Tile {
  using Sum = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;  // 256 * 65535 < 2^24
  static constexpr int threads = Threads, phases = 2;
  static constexpr int kWide = 256;                  // pixels of the result
  static constexpr int kLine = (2 * kWide + 4) * 4;  // samples of the image
  struct Shared {
    Sum line[kLine];
  };
  View<T> out;
  View<const T> in;
  bool up;
  static constexpr std::tuple pointers{&Tile::out, &Tile::in};

  template <int P>
  ZP_HD void phase(Block2 block, Shared& s) const {
    const int x0 = block.x * kWide, n = smaller(kWide, out.width - x0), channels = in.channels;
    // Pixels [first, last) of the image, both beyond it by as much as the window reaches; in an image of the result's
    // size with zeros between, where it grows.
    const int first = up ? x0 / 2 - 1 : 2 * x0 - 2, last = up ? (x0 + n - 1) / 2 + 2 : 2 * (x0 + n - 1) + 3;
    if constexpr (P == 0) {
      const int begin = larger(first, 0), end = smaller(last, in.width);
      join_rows(block.y, begin, (end - begin) * channels, block.thread, s.line + (begin - first) * channels);
      for (int c = block.thread; c < channels; c += Threads) {
        for (int x = first; x < begin; ++x)
          s.line[(x - first) * channels + c] = joined(block.y, std::ptrdiff_t(inside(x, in.width)) * channels + c);
        for (int x = end; x < last; ++x)
          s.line[(x - first) * channels + c] = joined(block.y, std::ptrdiff_t(inside(x, in.width)) * channels + c);
      }
    } else {
      T* to = out.row(block.y) + std::ptrdiff_t(x0) * channels;
      for (int c = 0; c < channels; ++c)
        if (up)
          grow(s.line + c, n, channels, block.thread, to + c);
        else
          shrink(s.line + c, n, channels, block.thread, to + c);
    }
  }

 private:
  /// The index that stands for i: reflected about the edge pixels of the image, or of the image with zeros between.
  ZP_HD int inside(int i, int n) const {
    return up ? border_index(2 * i, 2 * n, Border::reflect101) / 2 : border_index(i, n, Border::reflect101);
  }
  ZP_HD static Sum five(Sum a, Sum b, Sum c, Sum d, Sum e) { return (Sum(6) * c + Sum(4) * (b + d)) + (a + e); }
  ZP_HD static Sum three(Sum a, Sum b, Sum c) { return Sum(6) * b + (a + c); }
  ZP_HD static Sum two(Sum a, Sum b) { return Sum(4) * (a + b); }
  /// Division by a power of two is exact, so that this is the only rounding of an integer.
  ZP_HD T scaled(Sum sum) const { return to_sample<T>(static_cast<float>(sum) * (up ? 0.015625f : 0.00390625f)); }

  /// One column, anywhere.
  ZP_HD Sum joined(int y, std::ptrdiff_t i) const {
    const auto at = [&](int j) { return Sum(in.row(inside(j, in.height))[i]); };
    if (!up) return five(at(2 * y - 2), at(2 * y - 1), at(2 * y), at(2 * y + 1), at(2 * y + 2));
    return y % 2 ? two(at(y / 2), at(y / 2 + 1)) : three(at(y / 2 - 1), at(y / 2), at(y / 2 + 1));
  }

  ZP_HD void join_rows(int y, int x, int samples, int thread, Sum* __restrict line) const {
    const auto row = [&](int j) { return in.row(inside(j, in.height)) + std::ptrdiff_t(x) * in.channels; };
    if (!up) {
      const T *a = row(2 * y - 2), *b = row(2 * y - 1), *c = row(2 * y), *d = row(2 * y + 1), *e = row(2 * y + 2);
      for (int i = thread; i < samples; i += Threads) line[i] = five(a[i], b[i], c[i], d[i], e[i]);
    } else if (y % 2) {
      const T *a = row(y / 2), *b = row(y / 2 + 1);
      for (int i = thread; i < samples; i += Threads) line[i] = two(a[i], b[i]);
    } else {
      const T *a = row(y / 2 - 1), *b = row(y / 2), *c = row(y / 2 + 1);
      for (int i = thread; i < samples; i += Threads) line[i] = three(a[i], b[i], c[i]);
    }
  }

  ZP_HD void shrink(const Sum* line, int n, int channels, int thread, T* __restrict to) const {
    for (int i = thread; i < n; i += Threads) {
      const Sum* p = line + 2 * i * channels;
      to[i * channels] = scaled(five(p[0], p[channels], p[2 * channels], p[3 * channels], p[4 * channels]));
    }
  }
  ZP_HD void grow(const Sum* line, int n, int channels, int thread, T* __restrict to) const {
    for (int i = thread; i < (n + 1) / 2; i += Threads) {
      const Sum* p = line + i * channels;
      to[2 * i * channels] = scaled(three(p[0], p[channels], p[2 * channels]));
      if (2 * i + 1 < n) to[(2 * i + 1) * channels] = scaled(two(p[channels], p[2 * channels]));
    }
  }
};

template <class T, class Exec>
void launch(Exec& exec, const Operands& operands, bool up) {
  using Body = Tile<T, Exec::name == "cpu" ? 1 : 256>;
  const View<T> out = operands.output<T>();
  exec.tiles(Body{out, operands.input<T>(), up}, (out.width + Body::kWide - 1) / Body::kWide, out.height);
}

}  // namespace zp::detail_pyramid

#endif
