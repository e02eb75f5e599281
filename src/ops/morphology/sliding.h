// Extremum over a sliding line: cost independent of its length, along rows and along columns.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_SLIDING_H
#define ZP_OPS_MORPHOLOGY_SLIDING_H

#include <algorithm>
#include <limits>

#include "core/op.h"

namespace zp {

/// The larger of two samples; NaN wins. The neutral value is what lies outside.
struct Highest {
  template <class T>
  ZP_HD static T join(T a, T b) {
    if constexpr (std::is_same_v<T, float>) {
      const bool second = (a < b) | (b != b);
      return second ? b : a;
    } else {
      return larger(a, b);
    }
  }
  static constexpr float neutral = -std::numeric_limits<float>::infinity();
};
/// The smaller of two samples; NaN wins.
struct Lowest {
  template <class T>
  ZP_HD static T join(T a, T b) {
    if constexpr (std::is_same_v<T, float>) {
      const bool second = (b < a) | (b != b);
      return second ? b : a;
    } else {
      return smaller(a, b);
    }
  }
  static constexpr float neutral = std::numeric_limits<float>::infinity();
};

template <class Order>
struct JoinSamples {
  template <class T>
  ZP_HD T operator()(T a, T b) const {
    return Order::join(a, b);
  }
};

/// Along x. A tile holds a span of one row and its halo; windows of 1, 2, 4, ... samples are joined from two of half
/// the width, and the last step overlaps two windows of the largest power of two.
template <class T, class Order, int Threads>
struct SlideRow {
  static constexpr int kSpan = 1024, kReach = 128;  // samples; a longer line is slid in several passes
  static constexpr int kSamples = kSpan + 2 * kReach;
  View<T> out;
  View<const T> in;
  int radius;  // pixels; radius * channels <= kReach
  static constexpr std::tuple pointers{&SlideRow::out, &SlideRow::in};

  struct Shared {
    T line[2][kSamples];
  };
  static constexpr int threads = Threads, phases = 10;  // load, 8 doublings (2^8 <= 2 * kReach + 1), store

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int channels = in.channels, reach = radius * channels, length = 2 * radius + 1;
    const std::int64_t first = std::int64_t(b.x) * kSpan, row = std::int64_t(in.width) * channels;
    const int n = int(row - first < kSpan ? row - first : kSpan);
    if constexpr (P == 0) {
      const T outside = to_sample<T>(Order::neutral);
      const T* p = in.row(b.y) + (first - reach);
      T* line = s.line[0];
      // Only the ends of a row lie outside.
      const int begin = int(first < reach ? reach - first : 0);
      const int end = int(row - first + reach < n + 2 * reach ? row - first + reach : n + 2 * reach);
      for (int i = b.thread; i < begin; i += Threads) line[i] = outside;
      for (int i = begin + b.thread; i < end; i += Threads) line[i] = p[i];
      for (int i = end + b.thread; i < n + 2 * reach; i += Threads) line[i] = outside;
    } else if constexpr (P <= 8) {
      // Doubling P makes windows of 2^P samples, where the line is that long.
      constexpr int half = 1 << (P - 1);
      if (2 * half > length) return;
      const T* from = s.line[(P - 1) & 1];
      T* to = s.line[P & 1];
      const int last = n + 2 * reach - (2 * half - 1) * channels;
      for (int i = b.thread; i < last; i += Threads) to[i] = Order::join(from[i], from[i + half * channels]);
    } else {
      int power = 1, level = 0;
      while (2 * power <= length) power *= 2, ++level;
      const T* from = s.line[level & 1];
      const int shift = (length - power) * channels;
      T* p = out.row(b.y) + first;
      for (int i = b.thread; i < n; i += Threads) p[i] = Order::join(from[i], from[i + shift]);
    }
  }
};

/// Along y, after van Herk (Pattern Recognition Letters 13, 1992) and Gil and Werman (PAMI 15, 1993): over groups of
/// 2 * radius + 1 rows, the extremum from each row to the end of its group is joined with the one from the start of the
/// next group.
template <class T, class Order, int Threads>
struct SlideColumn {
  static constexpr int kSpan = 256;  // samples
  View<T> out;
  View<const T> in;
  int radius;  // pixels
  int groups;  // of rows in one tile
  static constexpr std::tuple pointers{&SlideColumn::out, &SlideColumn::in};

  struct Shared {};
  static constexpr int threads = Threads, phases = 1, kEach = kSpan / Threads;
  static_assert(Threads == 1 || Threads == kSpan);

  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const std::int64_t first = std::int64_t(b.x) * kSpan + b.thread, row = std::int64_t(in.width) * in.channels;
    const int n = first >= row ? 0 : int(row - first < kSpan ? row - first : kSpan);
    if (n == 0) return;
    const int count = kEach == 1 ? 1 : n;
    const int length = 2 * radius + 1, height = in.height;
    for (int group = 0; group < groups; ++group) {
      const std::int64_t y0 = (std::int64_t(b.y) * groups + group) * length;  // first row of output
      if (y0 >= height) return;
      T acc[kEach];
      for (int m = 0; m < kEach; ++m) acc[m] = to_sample<T>(Order::neutral);
      for (int k = length - 1; k >= 0; --k) {
        const std::int64_t y = y0 - radius + k;
        if (y >= 0 && y < height) {
          const T* p = in.row(int(y)) + first;
#pragma GCC ivdep
          for (int m = 0; m < count; ++m) acc[m] = Order::join(acc[m], p[m]);
        }
        if (y0 + k < height) {
          T* q = out.row(int(y0 + k)) + first;
#pragma GCC ivdep
          for (int m = 0; m < count; ++m) q[m] = acc[m];
        }
      }
      for (int m = 0; m < kEach; ++m) acc[m] = to_sample<T>(Order::neutral);
      for (int k = 1; k < length && y0 + k < height; ++k) {
        const std::int64_t y = y0 + radius + k;
        if (y < height) {
          const T* p = in.row(int(y)) + first;
#pragma GCC ivdep
          for (int m = 0; m < count; ++m) acc[m] = Order::join(acc[m], p[m]);
        }
        T* q = out.row(int(y0 + k)) + first;
#pragma GCC ivdep
        for (int m = 0; m < count; ++m) q[m] = Order::join(q[m], acc[m]);
      }
    }
  }
};

/// The extremum along x, radius pixels to each side, into `out`.
template <class Order, class T, class Exec>
void slide_rows(Exec& exec, View<const T> in, const View<T>& out, std::int64_t radius) {
  constexpr int kThreads = Exec::name == "cpu" ? 1 : 256;
  using Body = SlideRow<T, Order, kThreads>;
  const int most = Body::kReach / in.channels;
  int left = int(smaller(radius, std::int64_t(in.width) - 1));
  const std::int64_t samples = std::int64_t(in.width) * in.channels;
  const int grid = int((samples + Body::kSpan - 1) / Body::kSpan);
  const int passes = left > most ? (left + most - 1) / most : 1;
  // The passes alternate between two planes and end in `out`.
  const View<T> spare = passes > 1 ? exec.template plane<T>(in.width, in.height, in.channels) : View<T>{};
  for (int pass = passes; pass > 0; --pass) {
    const View<T> to = pass % 2 == 1 ? out : spare;
    const int radius_now = smaller(left, most);
    exec.tiles(Body{to, in, radius_now}, grid, in.height);
    left -= radius_now;
    in = to;
  }
}

/// The extremum along y, radius pixels to each side.
template <class Order, class T, class Exec>
void slide_columns(Exec& exec, const View<const T>& in, const View<T>& out, std::int64_t radius) {
  constexpr int kThreads = Exec::name == "cpu" ? 1 : 256;
  using Body = SlideColumn<T, Order, kThreads>;
  const int reach = int(smaller(radius, std::int64_t(in.height) - 1));
  const int length = 2 * reach + 1, groups = (32 + length - 1) / length;  // some 32 rows: enough tiles, few starts
  const std::int64_t samples = std::int64_t(in.width) * in.channels, rows = std::int64_t(groups) * length;
  exec.tiles(Body{out, in, reach, groups}, int((samples + Body::kSpan - 1) / Body::kSpan),
             int((in.height + rows - 1) / rows));
}

/// The extremum of a box of 2 * radius + 1 pixels a side.
template <class Order, class T, class Exec>
void slide_box(Exec& exec, const View<const T>& in, const View<T>& out, std::int64_t radius) {
  const View<T> between = exec.template plane<T>(in.width, in.height, in.channels);
  slide_rows<Order>(exec, in, between, radius);
  slide_columns<Order>(exec, View<const T>(between), out, radius);
}

/// The extremum of a plus sign with arms of `radius` pixels.
template <class Order, class T, class Exec>
void slide_cross(Exec& exec, const View<const T>& in, const View<T>& out, std::int64_t radius) {
  const View<T> along_x = exec.template plane<T>(in.width, in.height, in.channels);
  const View<T> along_y = exec.template plane<T>(in.width, in.height, in.channels);
  slide_rows<Order>(exec, in, along_x, radius);
  slide_columns<Order>(exec, in, along_y, radius);
  exec.point(JoinSamples<Order>{}, out, View<const T>(along_x), View<const T>(along_y));
}

/// The extremum of the pixels at most `reach` away, Euclidean.
template <class Order>
struct DiscFold {
  int reach;
  ZP_HD Extent radius() const { return {reach, reach}; }
  template <class T>
  ZP_HD T begin(T centre) const {
    return centre;
  }
  template <class T>
  ZP_HD T step(T acc, int dx, int dy, T v) const {
    return dx * dx + dy * dy <= reach * reach ? Order::join(acc, v) : acc;
  }
  template <class T>
  ZP_HD T end(T acc) const {
    return acc;
  }
};

/// Structuring elements.
enum class Element : int { box, cross, disc };
inline constexpr std::string_view kElementNames[] = {"box", "cross", "disc"};

/// What erosion and dilation share: the extremum over an element, several times. `in` and `out` share no bytes.
template <class Order, class T, class Exec>
void morph(Exec& exec, View<const T> in, const View<T>& out, Element element, int radius, int iterations) {
  if (element == Element::box) {
    // Boxes add up, and so do their parts inside the image.
    slide_box<Order>(exec, in, out, std::int64_t(radius) * iterations);
    return;
  }
  const View<T> spare = iterations > 1 ? exec.template plane<T>(in.width, in.height, in.channels) : View<T>{};
  for (int left = iterations; left > 0; --left) {
    const View<T> to = left % 2 == 1 ? out : spare;
    if (element == Element::cross)
      slide_cross<Order>(exec, in, to, radius);
    else
      exec.stencil(DiscFold<Order>{radius}, to, in, Border::constant, Order::neutral);
    in = to;
  }
}

}  // namespace zp

#endif
