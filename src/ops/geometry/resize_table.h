// Which source pixels make each destination pixel of a resize, and with what weights: computed on the host in double.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_RESIZE_TABLE_H
#define ZP_OPS_GEOMETRY_RESIZE_TABLE_H

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace zp::detail_resize {

struct Table {
  std::vector<int> first, count;  ///< of each destination pixel: source pixels [first, first + count), all inside
  /// `stride` weights for each destination pixel. Linear: only the fraction towards the second pixel, which is not
  /// there where the fraction is 0. Area: whole numbers.
  std::vector<float> weights;
  int stride = 1;
  float divisor = 1;  ///< of the sum; not 1 for area only
  int longest = 1;    ///< largest count
};

enum class Kernel { nearest, linear, cubic, area, lanczos3 };

/// sin(pi t) / (pi t) for |t| <= 3 by its Taylor series around the nearest integer: the same bits on every machine,
/// error under 1e-15.
inline double sinc(double t) {
  constexpr double pi = 3.14159265358979323846;
  if (t == 0) return 1;
  const double nearest = std::floor(t + 0.5), r = pi * (t - nearest), r2 = r * r;
  double sum = 0;
  for (int n = 23; n >= 3; n -= 2) sum = (1 - sum) * r2 / double(n * (n - 1));
  const double sine = r * (1 - sum);
  const bool odd = static_cast<int>(nearest) % 2 != 0;
  return (odd ? -sine : sine) / (pi * t);
}

inline double weight_at(Kernel kernel, double t) {
  t = std::abs(t);
  switch (kernel) {
    case Kernel::linear:
      return t < 1 ? 1 - t : 0;
    case Kernel::cubic: {
      constexpr double a = -0.75;  // Keys 1981
      if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
      return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
    }
    case Kernel::lanczos3:
      return t < 3 ? sinc(t) * sinc(t / 3) : 0;
    default:
      return 0;
  }
}

inline int support_of(Kernel kernel) { return kernel == Kernel::linear ? 1 : kernel == Kernel::cubic ? 2 : 3; }

/// Destination pixel d of `to` lies at ((2 d + 1) from - to) / (2 to) in a row of `from` pixels: whole numbers, exact.
struct Centre {
  std::int64_t whole;
  double fraction;
};
inline Centre centre_of(std::int64_t d, std::int64_t from, std::int64_t to) {
  const std::int64_t numerator = (2 * d + 1) * from - to, denominator = 2 * to;
  std::int64_t whole = numerator / denominator, rest = numerator % denominator;
  if (rest < 0) whole -= 1, rest += denominator;
  return {whole, double(rest) / double(denominator)};
}

/// Weights of one destination pixel over [first, first + weights.size()).
struct Taps {
  std::int64_t first = 0;
  std::vector<double> weights;
};

/// Outside pixels are the edge pixels.
inline void replicate(Taps& taps, std::int64_t from) {
  const std::int64_t size = std::int64_t(taps.weights.size());
  const auto inside = [&](std::int64_t i) { return i < 0 ? 0 : i >= from ? from - 1 : i; };
  const std::int64_t first = inside(taps.first), last = inside(taps.first + size - 1);
  if (taps.first >= 0 && taps.first + size <= from) return;
  std::vector<double> folded(std::size_t(last - first + 1));
  for (std::int64_t k = 0; k < size; ++k)
    folded[std::size_t(inside(taps.first + k) - first)] += taps.weights[std::size_t(k)];
  taps.first = first;
  taps.weights.swap(folded);
}

/// Outside pixels are left out.
inline void truncate(Taps& taps, std::int64_t from) {
  const std::int64_t excess = taps.first + std::int64_t(taps.weights.size()) - from;
  if (excess > 0) taps.weights.resize(taps.weights.size() - std::size_t(excess));
  if (taps.first < 0) {
    taps.weights.erase(taps.weights.begin(), taps.weights.begin() - std::ptrdiff_t(taps.first));
    taps.first = 0;
  }
}

/// A weight of 0 is no tap, so that a NaN there stays out.
inline void trim(Taps& taps) {
  while (taps.weights.size() > 1 && taps.weights.back() == 0) taps.weights.pop_back();
  std::ptrdiff_t zeros = 0;
  while (zeros + 1 < std::ptrdiff_t(taps.weights.size()) && taps.weights[std::size_t(zeros)] == 0) ++zeros;
  taps.weights.erase(taps.weights.begin(), taps.weights.begin() + zeros);
  taps.first += zeros;
}

inline void normalize(Taps& taps) {
  double sum = 0;
  for (const double w : taps.weights) sum += w;
  for (double& w : taps.weights) w /= sum;
}

/// The share of each source pixel in the destination pixel. In units of 1 / to source pixels the destination pixel is
/// [d from, (d + 1) from) and source pixel i is [i to, (i + 1) to): whole numbers, exact.
inline void area_taps(Taps& taps, std::int64_t d, std::int64_t from, std::int64_t to, std::int64_t unit) {
  const std::int64_t begin = d * from, end = begin + from;
  taps.first = begin / to;
  for (std::int64_t i = taps.first; i * to < end; ++i) {
    const std::int64_t left = i * to > begin ? i * to : begin, right = (i + 1) * to < end ? (i + 1) * to : end;
    taps.weights.push_back(double((right - left) / unit));
  }
}

inline void kernel_taps(Taps& taps, Kernel kernel, std::int64_t d, std::int64_t from, std::int64_t to, double stretch) {
  const Centre centre = centre_of(d, from, to);
  const std::int64_t reach = std::int64_t(std::ceil(support_of(kernel) * stretch));
  taps.first = centre.whole - reach + 1;
  for (std::int64_t k = 1 - reach; k <= reach; ++k)
    taps.weights.push_back(weight_at(kernel, (double(k) - centre.fraction) / stretch));
  if (stretch == 1)
    replicate(taps, from);
  else
    truncate(taps, from);
  trim(taps);
  normalize(taps);
}

/// Linear that is not stretched: two pixels, joined by distance.
inline Table plain_linear_table(int from, int to) {
  Table table;
  table.longest = 2;
  for (std::int64_t d = 0; d < to; ++d) {
    const Centre centre = centre_of(d, from, to);
    const bool before = centre.whole < 0, after = centre.whole >= from - 1;
    table.first.push_back(int(before ? 0 : after ? from - 1 : centre.whole));
    table.weights.push_back(before || after ? 0.0f : float(centre.fraction));
    // A fraction just under 1 may have been rounded up to it: a + (b - a) is then as near as f32 comes.
    table.count.push_back(table.weights.back() == 0.0f ? 1 : 2);
  }
  return table;
}

/// Tables of every kernel but plain linear.
inline Table weight_table(Kernel kernel, int from, int to, bool antialias) {
  const double stretch = antialias && from > to ? double(from) / double(to) : 1;
  const std::int64_t unit = std::gcd(from, to);
  Table table;
  std::int64_t stride = 1;
  if (kernel == Kernel::area) {
    stride = std::int64_t(from) / to + 2;
    table.divisor = float(from / unit);
  } else if (kernel != Kernel::nearest) {
    stride = 2 * std::int64_t(std::ceil(support_of(kernel) * stretch));
  }
  table.stride = int(stride < from ? stride : from);
  table.first.reserve(std::size_t(to));
  table.count.reserve(std::size_t(to));
  table.weights.resize(std::size_t(to) * std::size_t(table.stride));
  Taps taps;
  for (std::int64_t d = 0; d < to; ++d) {
    taps.weights.clear();
    if (kernel == Kernel::nearest) {
      taps.first = ((2 * d + 1) * from) / (2 * std::int64_t(to));
      taps.weights.push_back(1);
    } else if (kernel == Kernel::area) {
      area_taps(taps, d, from, to, unit);
    } else {
      kernel_taps(taps, kernel, d, from, to, stretch);
    }
    const int count = int(taps.weights.size());
    table.first.push_back(int(taps.first));
    table.count.push_back(count);
    if (count > table.longest) table.longest = count;
    for (int k = 0; k < count; ++k)
      table.weights[std::size_t(d) * std::size_t(table.stride) + std::size_t(k)] = float(taps.weights[std::size_t(k)]);
  }
  return table;
}

}  // namespace zp::detail_resize

#endif
