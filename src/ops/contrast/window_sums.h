// Sums of samples and of their squares over a square window around each pixel, at a cost that does not depend on its
// size.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_WINDOW_SUMS_H
#define ZP_OPS_CONTRAST_WINDOW_SUMS_H

#include "core/op.h"

namespace zp::window_sums {

/// What holds the sums of a line, and of a window, of up to 1023 samples a side.
template <class T>
struct Types {
  static constexpr bool kFloat = std::is_same_v<T, float>, kByte = std::is_same_v<T, std::uint8_t>;
  using Line = std::conditional_t<kFloat, double, std::uint32_t>;
  using LineSquares = std::conditional_t<kFloat, double, std::conditional_t<kByte, std::uint32_t, std::uint64_t>>;
  using Window = std::conditional_t<kFloat, double, std::conditional_t<kByte, std::uint32_t, std::uint64_t>>;
  using WindowSquares = std::conditional_t<kFloat, double, std::uint64_t>;
};

template <class T>
struct Samples {
  View<const T> in;
  static constexpr std::tuple pointers{&Samples::in};
  template <class S, class Q>
  ZP_HD void add(S& sum, Q& squares, int y, std::int64_t i) const {
    const T v = in.row(y)[i];
    sum += S(v);
    squares += Q(v) * Q(v);
  }
};
template <class T>
struct LineSums {
  const typename Types<T>::Line* sums;
  const typename Types<T>::LineSquares* squares;  ///< null: not wanted
  std::int64_t row;                               ///< samples
  static constexpr std::tuple pointers{&LineSums::sums, &LineSums::squares};
  template <class S, class Q>
  ZP_HD void add(S& sum, Q& square, int y, std::int64_t i) const {
    sum += S(sums[y * row + i]);
    if (squares) square += Q(squares[y * row + i]);
  }
};

/// Along one axis, after van Herk: groups of 2 * radius + 1 windows; the sum from a window's first sample to the end of
/// the group's span is joined with the sum from there on. Nothing is subtracted, so that sums of doubles are the same
/// wherever they run, and NaN reaches the windows that hold it alone. A thread sums a group.
template <class Source, class S, class Q>
struct Slide : Source {
  int width, height, channels, radius;
  bool vertical;
  Border border;
  S* sums;
  Q* squares;  ///< null: not wanted
  static constexpr auto pointers = std::tuple_cat(Source::pointers, std::tuple{&Slide::sums, &Slide::squares});

  struct Shared {};
  static constexpr int threads = 256, phases = 1;

  ZP_HD int extent() const { return vertical ? height : width; }
  ZP_HD std::int64_t groups() const { return (std::int64_t(extent()) + 2 * radius) / (2 * radius + 1); }
  ZP_HD std::int64_t lines() const { return std::int64_t(vertical ? width : height) * channels; }

  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const std::int64_t task = std::int64_t(b.x) * threads + b.thread, all = groups();
    if (task >= all * lines()) return;
    // Neighbouring threads have neighbouring columns, or groups of one row.
    const std::int64_t line = vertical ? task % lines() : task / all, group = vertical ? task / lines() : task % all;
    const int length = 2 * radius + 1, first = int(group * length);
    const int windows = smaller(length, extent() - first);
    const int row = int(line / channels), channel = int(line % channels);  // of a horizontal line
    const std::int64_t samples = std::int64_t(width) * channels;
    S* const to = sums + (vertical ? first * samples + line : row * samples + std::int64_t(first) * channels + channel);
    Q* const to_squares = squares ? squares + (to - sums) : nullptr;
    const std::int64_t step = vertical ? samples : channels;
    const auto add = [&](S& sum, Q& square, int place) {
      const int i = border_index(place, extent(), border);
      if (vertical)
        this->Source::add(sum, square, i, line);
      else
        this->Source::add(sum, square, row, std::int64_t(i) * channels + channel);
    };
    S sum = 0;
    Q square = 0;
    for (int k = length - 1; k >= 0; --k) {
      add(sum, square, first - radius + k);
      if (k < windows) {
        to[k * step] = sum;
        if (squares) to_squares[k * step] = square;
      }
    }
    sum = 0;
    square = 0;
    for (int k = 1; k < windows; ++k) {
      add(sum, square, first + radius + k);
      to[k * step] += sum;
      if (squares) to_squares[k * step] += square;
    }
  }
};

/// Sums over windows, sample by sample; squares only where wanted.
template <class T>
struct Sums {
  const typename Types<T>::Window* sums;
  const typename Types<T>::WindowSquares* squares;
};

template <class T, class Exec>
Sums<T> sum_windows(Exec& exec, const View<const T>& in, int radius, Border border, bool squares) {
  using Kind = Types<T>;
  using First = Slide<Samples<T>, typename Kind::Line, typename Kind::LineSquares>;
  using Second = Slide<LineSums<T>, typename Kind::Window, typename Kind::WindowSquares>;
  const std::int64_t row = std::int64_t(in.width) * in.channels;
  const auto count = std::size_t(row) * std::size_t(in.height);
  const auto run = [&](const auto& body) {
    exec.tiles(body, int((body.groups() * body.lines() + body.threads - 1) / body.threads), 1);
  };
  First first{{in}, in.width, in.height, in.channels, radius, true, border, nullptr, nullptr};
  first.sums = exec.template scratch<typename Kind::Line>(count);
  if (squares) first.squares = exec.template scratch<typename Kind::LineSquares>(count);
  run(first);
  Second second{
      {first.sums, first.squares, row}, in.width, in.height, in.channels, radius, false, border, nullptr, nullptr};
  second.sums = exec.template scratch<typename Kind::Window>(count);
  if (squares) second.squares = exec.template scratch<typename Kind::WindowSquares>(count);
  run(second);
  return {second.sums, second.squares};
}

}  // namespace zp::window_sums

#endif
