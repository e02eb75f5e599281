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

/// Along lines that go `step_y` rows down and `step_x` pixels to the right at a time, after van Herk (Pattern
/// Recognition Letters 13, 1992) and Gil and Werman (PAMI 15, 1993): over groups of 2 * radius + 1 steps, the extremum
/// from each step to the end of its group is joined with the one from the start of the next group. Neighbouring lines
/// are neighbouring samples in every row that they meet.
template <class T, class Order, int Threads>
struct SlideLines {
  static constexpr int kSpan = 256;  // lines
  View<T> out;
  View<const T> in;
  int radius;  // steps
  int groups;  // of steps in one tile
  int step_x, step_y;
  int offset;  // pixel (x, y) of `out` lies upon (x + offset, y + offset) of `in`
  static constexpr std::tuple pointers{&SlideLines::out, &SlideLines::in};

  struct Shared {};
  static constexpr int threads = Threads, phases = 1, kEach = kSpan / Threads;
  static_assert(Threads == 1 || Threads == kSpan);

  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const int length = 2 * radius + 1, first_row = b.y % step_y;
    const std::int64_t shift = std::int64_t(step_x) * in.channels, row_out = std::int64_t(out.width) * out.channels,
                       row_in = std::int64_t(in.width) * in.channels, moved = std::int64_t(offset) * in.channels;
    // The sample at which the lines are at a group's first step; lines that lean right begin left of the plane.
    const std::int64_t first = std::int64_t(b.x) * kSpan + b.thread - (shift > 0 ? shift * (length - 1) : 0);
    if (first >= row_out + (shift < 0 ? -shift * (length - 1) : 0)) return;
    for (int group = 0; group < groups; ++group) {
      const std::int64_t step0 = (std::int64_t(b.y / step_y) * groups + group) * length;  // first step of output
      if (first_row + step0 * step_y >= out.height) return;
      T acc[kEach];
      const auto read = [&](std::int64_t k) {  // joins the samples k steps behind the group's start
        const std::int64_t y = first_row + (step0 + k) * step_y + offset, i = first + k * shift + moved;
        if (y < 0 || y >= in.height || i >= row_in || i + kEach <= 0) return;
        const T* p = in.row(int(y)) + i;
        const int begin = int(i < 0 ? -i : 0), end = int(row_in - i < kEach ? row_in - i : kEach);
#pragma GCC ivdep
        for (int m = begin; m < end; ++m) acc[m] = Order::join(acc[m], p[m]);
      };
      const auto write = [&](std::int64_t k, bool again) {
        const std::int64_t y = first_row + (step0 + k) * step_y, i = first + k * shift;
        if (y >= out.height || i >= row_out || i + kEach <= 0) return;
        T* q = out.row(int(y)) + i;
        const int begin = int(i < 0 ? -i : 0), end = int(row_out - i < kEach ? row_out - i : kEach);
        if (again) {
#pragma GCC ivdep
          for (int m = begin; m < end; ++m) q[m] = Order::join(q[m], acc[m]);
        } else {
#pragma GCC ivdep
          for (int m = begin; m < end; ++m) q[m] = acc[m];
        }
      };
      for (int m = 0; m < kEach; ++m) acc[m] = to_sample<T>(Order::neutral);
      for (int k = length - 1; k >= 0; --k) {
        read(k - radius);
        write(k, false);
      }
      for (int m = 0; m < kEach; ++m) acc[m] = to_sample<T>(Order::neutral);
      for (int k = 1; k < length; ++k) {
        read(k + radius);
        write(k, true);
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

/// The extremum over `radius` steps to each side along lines of any direction. Pixel (x, y) of `out` lies upon
/// (x + offset, y + offset) of `in`; the planes may differ in size.
template <class Order, class T, class Exec>
void slide_lines(Exec& exec, const View<const T>& in, const View<T>& out, std::int64_t radius, int step_x, int step_y,
                 int offset = 0) {
  constexpr int kThreads = Exec::name == "cpu" ? 1 : 256;
  using Body = SlideLines<T, Order, kThreads>;
  const int reach = int(smaller(radius, std::int64_t(larger(in.height, out.height)) - 1));
  const int length = 2 * reach + 1, groups = (32 + length - 1) / length;  // some 32 steps: enough tiles, few starts
  const std::int64_t lean = std::int64_t(step_x < 0 ? -step_x : step_x) * in.channels * (length - 1);
  const std::int64_t lines = std::int64_t(out.width) * out.channels + lean, steps = std::int64_t(groups) * length;
  exec.tiles(Body{out, in, reach, groups, step_x, step_y, offset}, int((lines + Body::kSpan - 1) / Body::kSpan),
             step_y * int(((out.height + step_y - 1) / step_y + steps - 1) / steps));
}

/// The extremum along y, radius pixels to each side.
template <class Order, class T, class Exec>
void slide_columns(Exec& exec, const View<const T>& in, const View<T>& out, std::int64_t radius) {
  slide_lines<Order>(exec, in, out, radius, 0, 1);
}

/// The extremum of a pixel and its eight neighbours.
template <class Order>
struct NeighboursFold {
  ZP_HD Extent radius() const { return {1, 1}; }
  template <class T>
  ZP_HD T begin(T centre) const {
    return centre;
  }
  template <class T>
  ZP_HD T step(T acc, int, int, T v) const {
    return Order::join(acc, v);
  }
  template <class T>
  ZP_HD T end(T acc) const {
    return acc;
  }
};

/// The extremum of a box of 2 * radius + 1 pixels a side.
template <class Order, class T, class Exec>
void slide_box(Exec& exec, const View<const T>& in, const View<T>& out, std::int64_t radius) {
  // One pass over tiles; of floats the order of joining decides between 0 and -0.
  if constexpr (Exec::name != "cpu" && std::is_integral_v<T>)
    if (radius == 1) return exec.stencil(NeighboursFold<Order>{}, out, in, Border::constant, Order::neutral);
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

}  // namespace zp

#endif
