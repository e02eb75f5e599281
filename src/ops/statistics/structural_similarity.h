// Structural similarity of two images, tile by tile.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_STRUCTURAL_SIMILARITY_H
#define ZP_OPS_STATISTICS_STRUCTURAL_SIMILARITY_H

#include "ops/statistics/pixel_sums.h"

namespace zp::detail_structural_similarity {

inline constexpr int kWindow = 7;

/// Sum over the windows whose similarity is a number, and how many there are.
struct Similarity {
  double sum;
  std::int64_t count;
};
struct JoinSimilarity {
  ZP_HD Similarity zero() const { return {0, 0}; }
  ZP_HD Similarity join(const Similarity& a, const Similarity& b) const { return {a.sum + b.sum, a.count + b.count}; }
};

/// What holds 49 samples, and 49 of their products.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, double,
                               std::conditional_t<std::is_same_v<T, std::uint8_t>, std::uint32_t, std::uint64_t>>;

/// The windows of a tile: sums along columns, then along rows, then the similarities. Integers are summed exactly; f32
/// in double after a sample of the tile was subtracted, so that a large offset costs no digits.
template <class T, int Threads>
struct Tile {
  View<const T> a, b;
  int channel_a, channel_b;
  Extent window;
  int across, down;  ///< windows in the image
  int tiles_across;
  double c1, c2;  ///< Wang's constants
  Similarity* to;
  static constexpr std::tuple pointers{&Tile::a, &Tile::b, &Tile::to};

  static constexpr int kColumns = 128, kRows = 8;  // windows of a tile
  static constexpr int kWide = kColumns + kWindow - 1;
  static constexpr int threads = Threads, phases = 3;
  struct Line {
    Sum<T> a[kWide], b[kWide], aa[kWide], bb[kWide], ab[kWide];
  };
  struct Shared {
    Line line[kRows];
    Similarity lane[kColumns];
  };

  struct Place {
    std::int64_t x, y;
    int columns, rows;  ///< windows
  };
  ZP_HD Place place(Block2 block) const {
    const std::int64_t x = std::int64_t(block.x) * kColumns, y = std::int64_t(block.y) * kRows;
    return {x, y, int(smaller(std::int64_t(kColumns), across - x)), int(smaller(std::int64_t(kRows), down - y))};
  }
  static ZP_HD Sum<T> offset(const View<const T>& in, const Place& p, int channel) {
    if constexpr (std::is_same_v<T, float>) {
      const float v = in.at(int(p.x), int(p.y), channel);
      return v - v == 0.0f ? double(v) : 0.0;
    } else {
      return 0;
    }
  }

  template <int P>
  ZP_HD void phase(Block2 block, Shared& s) const {
    const Place p = place(block);
    if constexpr (P == 0) {
      const int wide = p.columns + window.width - 1, step_a = a.channels, step_b = b.channels;
      const Sum<T> offset_a = offset(a, p, channel_a), offset_b = offset(b, p, channel_b);
      for (int r = 0; r < p.rows; ++r) {
        Line& line = s.line[r];
        for (int k = block.thread; k < wide; k += Threads)
          line.a[k] = line.b[k] = line.aa[k] = line.bb[k] = line.ab[k] = 0;
        for (int k = 0; k < window.height; ++k) {
          const T* row_a = a.row(int(p.y) + r + k) + p.x * step_a + channel_a;
          const T* row_b = b.row(int(p.y) + r + k) + p.x * step_b + channel_b;
#pragma GCC ivdep
          for (int i = block.thread; i < wide; i += Threads) {
            const Sum<T> u = Sum<T>(row_a[std::ptrdiff_t(i) * step_a]) - offset_a;
            const Sum<T> v = Sum<T>(row_b[std::ptrdiff_t(i) * step_b]) - offset_b;
            line.a[i] += u;
            line.b[i] += v;
            line.aa[i] += u * u;
            line.bb[i] += v * v;
            line.ab[i] += u * v;
          }
        }
      }
    } else if constexpr (P == 1) {
      const double offset_a = double(offset(a, p, channel_a)), offset_b = double(offset(b, p, channel_b));
      for (int i = block.thread; i < kColumns; i += Threads) {
        Similarity lane{0, 0};
        for (int r = 0; i < p.columns && r < p.rows; ++r) {
          const double found = similarity(s.line[r], i, offset_a, offset_b);
          lane.count += found == found;
          lane.sum += found == found ? found : 0.0;
        }
        s.lane[i] = lane;
      }
    } else if (block.thread == 0) {
      Similarity all = s.lane[0];
      for (int i = 1; i < kColumns; ++i) all = JoinSimilarity{}.join(all, s.lane[i]);
      to[std::int64_t(block.y) * tiles_across + block.x] = all;
    }
  }

 private:
  ZP_HD double similarity(const Line& line, int first, double offset_a, double offset_b) const {
    Sum<T> sum_a = 0, sum_b = 0, sum_aa = 0, sum_bb = 0, sum_ab = 0;
    for (int i = first; i < first + window.width; ++i) {
      sum_a += line.a[i];
      sum_b += line.b[i];
      sum_aa += line.aa[i];
      sum_bb += line.bb[i];
      sum_ab += line.ab[i];
    }
    const double n = double(window.width) * window.height;
    const double mean_a = double(sum_a) / n + offset_a, mean_b = double(sum_b) / n + offset_b;
    const double variances = spread(sum_aa, sum_a, sum_a, n) + spread(sum_bb, sum_b, sum_b, n);
    const double covariance = spread(sum_ab, sum_a, sum_b, n);
    const double above = (2.0 * mean_a * mean_b + c1) * (2.0 * covariance + c2);
    const double below = (mean_a * mean_a + mean_b * mean_b + c1) * (variances + c2);
    return above / below;
  }
  /// The sample (co)variance: (n * products - a * b) / (n * (n - 1)), a difference of integers where samples are.
  static ZP_HD double spread(Sum<T> products, Sum<T> u, Sum<T> v, double n) {
    if (n < 2.0) return 0.0;
    if constexpr (std::is_same_v<T, float>)
      return (products - u * v / n) / (n - 1.0);
    else
      return double(std::int64_t(n) * std::int64_t(products) - std::int64_t(u) * std::int64_t(v)) / (n * (n - 1.0));
  }
};

/// Mean similarity of channel_a of `a` and channel_b of `b`; 0 if no window has one.
template <class T, class Exec>
double mean_similarity(Exec& exec, const View<const T>& a, const View<const T>& b, int channel_a, int channel_b,
                       double white) {
  using Body = Tile<T, Exec::name == "cpu" ? 1 : 128>;
  const Extent window{smaller(kWindow, a.width), smaller(kWindow, a.height)};
  const int across = a.width - window.width + 1, down = a.height - window.height + 1;
  const int tiles_across = (across - 1) / Body::kColumns + 1, tiles_down = (down - 1) / Body::kRows + 1;
  const std::int64_t count = std::int64_t(tiles_across) * tiles_down;
  Similarity* to = exec.template scratch<Similarity>(std::size_t(count));
  exec.tiles(Body{a, b, channel_a, channel_b, window, across, down, tiles_across, 0.0001 * white * white,
                  0.0009 * white * white, to},
             tiles_across, tiles_down);
  const Similarity all = joined_tiles(exec, JoinSimilarity{}, to, count);
  return all.count ? all.sum / double(all.count) : 0.0;
}

}  // namespace zp::detail_structural_similarity

#endif
