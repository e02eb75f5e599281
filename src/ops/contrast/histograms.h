// Histograms of an image or of its regions as tile programs: what the operations of this family share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_HISTOGRAMS_H
#define ZP_OPS_CONTRAST_HISTOGRAMS_H

#include "core/atomic.h"
#include "core/border.h"
#include "core/op.h"
#include "core/table.h"

namespace zp::histograms {

inline constexpr int kThreads = 512, kEach = 64, kBlock = kThreads * kEach;  // pixels

/// Counts into `counts`, which starts as zeros: `Bins` counters for each table of each region. Regions of one size tile
/// the image from the top left; what of them lies right of it or below is reflected (reflect101). Bin: int
/// operator()(const T* pixel, int table) const, a bin or -1 to skip.
template <class T, class Bin, int Bins, class Count>
struct CountBins {
  View<const T> in;
  Bin bin;
  int region_width, region_height, regions_across, tables;
  Count* counts;
  static constexpr std::tuple pointers{&CountBins::in, &CountBins::counts};

  static constexpr int threads = kThreads, phases = 3;
  // 32 KB of counters. Few bins: one copy for each lane of a warp, so that equal samples do not queue. Many bins: those
  // around the block's first sample, since neighbours are alike; the rest is counted in scratch at once.
  static constexpr int kSlots = 8192;
  static constexpr int kCopies = Bins < kSlots ? kSlots / Bins : 1;
  struct Shared {
    std::uint32_t slot[kSlots];
    int base;
  };

  /// Bins of one region's pixels; a local copy, since counting could change the body, as far as a compiler knows.
  struct Reader {
    View<const T> in;
    Bin bin;
    std::int64_t x0, y0;
    int table;
    ZP_HD const T* row(std::int64_t y) const {
      y += y0;
      return in.row(y < in.height ? int(y) : border_index(int(y), in.height, Border::reflect101));
    }
    ZP_HD int at(const T* row, std::int64_t x) const {
      x += x0;
      if (x >= in.width) x = border_index(int(x), in.width, Border::reflect101);
      return bin(row + x * in.channels, table);
    }
  };
  ZP_HD Reader reader(int block_x) const {
    const int region = block_x / tables;
    return {in, bin, std::int64_t(region % regions_across) * region_width,
            std::int64_t(region / regions_across) * region_height, block_x % tables};
  }

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const std::int64_t first = std::int64_t(b.y) * kBlock, pixels = std::int64_t(region_width) * region_height;
    const Reader from = reader(b.x);
    Count* const to = counts + std::int64_t(b.x) * Bins;
    if constexpr (P == 0) {
      for (int k = b.thread; k < kSlots; k += threads) s.slot[k] = 0;
      if (b.thread == 0) {
        s.base = 0;
        if constexpr (kCopies == 1)
          s.base =
              clamped(from.at(from.row(first / region_width), first % region_width) - kSlots / 2, 0, Bins - kSlots);
      }
    } else if constexpr (P == 1) {
#if ZP_ON_DEVICE
      constexpr int step = threads;
      const std::int64_t start = first + b.thread;
#else
      constexpr int step = 1;
      const std::int64_t start = first + std::int64_t(b.thread) * kEach;
#endif
      if (start >= pixels) return;
      const std::int64_t left = (pixels - start - 1) / step + 1;
      const int count = left < kEach ? int(left) : kEach;
      const int width = region_width, base = s.base, copy = b.thread % kCopies;
      std::int64_t x = start % width, y = start / width;
      const T* row = from.row(y);
      for (int k = 0; k < count; ++k) {
        const int i = from.at(row, x);
        if constexpr (kCopies > 1) {
          if (i >= 0) atomic_add_shared(&s.slot[i * kCopies + copy], 1u);
        } else {
          const int j = i - base;
          if (unsigned(j) < unsigned(kSlots))
            atomic_add_shared(&s.slot[j], 1u);
          else if (i >= 0)
            atomic_add(to + i, Count(1));
        }
        x += step;
        if (x >= width) {
          y += std::uint32_t(x) / std::uint32_t(width);
          x = std::uint32_t(x) % std::uint32_t(width);
          row = from.row(y);
        }
      }
    } else if constexpr (kCopies > 1) {
      for (int i = b.thread; i < Bins; i += threads) {
        std::uint32_t sum = 0;
        for (int k = 0; k < kCopies; ++k) sum += s.slot[i * kCopies + (k + b.thread) % kCopies];
        if (sum) atomic_add(to + i, Count(sum));
      }
    } else {
      for (int k = b.thread; k < kSlots; k += threads)
        if (s.slot[k]) atomic_add(to + s.base + k, Count(s.slot[k]));
    }
  }
};

/// The same for the CPU: a tile is a band of rows of one region; several copies of few bins, so that equal neighbours
/// do not wait for each other.
template <class T, class Bin, int Bins, class Count>
struct CountRows {
  CountBins<T, Bin, Bins, Count> body;
  int band;  ///< rows
  static constexpr int threads = 1, phases = 1, kCopies = Bins <= 256 ? 4 : 1;
  struct Shared {
    std::uint32_t slot[kCopies][Bins];
  };

  template <int>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const auto from = body.reader(b.x);
    for (int k = 0; k < kCopies; ++k)
      for (int i = 0; i < Bins; ++i) s.slot[k][i] = 0;
    const std::int64_t y0 = std::int64_t(b.y) * band, y1 = smaller(y0 + band, std::int64_t(body.region_height));
    const std::int64_t inside = from.in.width - from.x0;
    const int width = body.region_width, n = inside < 0 ? 0 : inside < width ? int(inside) : width;
    const int channels = from.in.channels, table = from.table;
    const Bin bin = from.bin;
    for (std::int64_t y = y0; y < y1; ++y) {
      const T* row = from.row(y);
      const T* p = row + from.x0 * channels;
      int x = 0;
      for (; x + 4 <= n; x += 4)
        for (int k = 0; k < 4; ++k)
          if (const int i = bin(p + std::ptrdiff_t(x + k) * channels, table); i >= 0) ++s.slot[k % kCopies][i];
      for (; x < width; ++x)
        if (const int i = from.at(row, x); i >= 0) ++s.slot[0][i];
    }
    Count* const to = body.counts + std::int64_t(b.x) * Bins;
    for (int i = 0; i < Bins; ++i) {
      std::uint32_t sum = 0;
      for (int k = 0; k < kCopies; ++k) sum += s.slot[k][i];
      if (sum) atomic_add(to + i, Count(sum));
    }
  }
};

/// Zeroed counters, filled: [region][table][bin], regions in raster order.
template <int Bins, class Count, class Exec, class T, class Bin>
Count* count(Exec& exec, View<const T> in, const Bin& bin, int tables, Extent regions, Extent region) {
  const std::size_t all = std::size_t(regions.width) * std::size_t(regions.height) * std::size_t(tables);
  Count* counts = exec.template scratch<Count>(all * Bins);
  exec.fill(counts, all * Bins);
  const std::int64_t pixels = std::int64_t(region.width) * region.height;
  const CountBins<T, Bin, Bins, Count> body{in, bin, region.width, region.height, regions.width, tables, counts};
  if constexpr (Exec::name == "cpu") {
    // Bands large enough to pay for clearing and adding their counters, and below 2^32 pixels.
    const std::int64_t rows = (std::int64_t(Bins) * 8 + (1 << 17)) / region.width + 1;
    const int band = int(smaller(rows, std::int64_t(region.height)));
    exec.tiles(CountRows<T, Bin, Bins, Count>{body, band}, int(all), (region.height - 1) / band + 1);
  } else {
    exec.tiles(body, int(all), int((pixels - 1) / kBlock + 1));
  }
  return counts;
}
template <int Bins, class Exec, class T, class Bin>
std::uint64_t* count(Exec& exec, View<const T> in, const Bin& bin, int tables) {
  return count<Bins, std::uint64_t>(exec, in, bin, tables, Extent{1, 1}, Extent{in.width, in.height});
}

/// One bin per level of an integer sample, a table per channel.
struct Level {
  template <class T>
  ZP_HD int operator()(const T* pixel, int channel) const {
    return int(pixel[channel]);
  }
};

/// Each integer sample through its channel's table of all levels.
template <class T>
struct Lookup {
  static constexpr int bins = int(white_of(format_of<T>)) + 1;
  const T* table;
  static constexpr std::tuple pointers{&Lookup::table};
  template <class Source>
  ZP_HD Pixel<T, Source::channels> operator()(const Source& in, int x, int y) const {
    Pixel<T, Source::channels> p = in.at(x, y);
    for (int c = 0; c < Source::channels; ++c) p[c] = table[c * bins + int(p[c])];
    return p;
  }
};

template <class T, class Exec>
void look_up(Exec& exec, const T* table, const View<T>& out, const View<const T>& in) {
  if (in.channels == 1)
    exec.point(TableLookup<T>{table}, out, in);
  else
    exec.gather(Lookup<T>{table}, out, in);
}

/// The finite samples of an f32 channel, for `reduce`.
struct Finite {
  struct Value {
    double sum;
    std::int64_t count;
    float low, high;
  };
  ZP_HD Value zero() const { return {0, 0, __builtin_inff(), -__builtin_inff()}; }
  ZP_HD void lift(Value& v, float sample, std::int64_t) const {
    if (!(sample - sample == 0.0f)) return;
    v.sum += double(sample);
    v.count += 1;
    v.low = smaller(v.low, sample);
    v.high = larger(v.high, sample);
  }
  ZP_HD Value join(const Value& a, const Value& b) const {
    return {a.sum + b.sum, a.count + b.count, smaller(a.low, b.low), larger(a.high, b.high)};
  }
};

/// Threads of a tile that turns `Bins` counters into a table, and the steps of its scan.
template <int Bins>
inline constexpr int kTableThreads = Bins < 1024 ? 256 : 1024;
template <int Bins>
inline constexpr int kTableSteps = Bins < 1024 ? 8 : 10;

/// One step of an inclusive scan over the threads of a tile; an even number of steps ends in a[0].
template <int Step, int Threads, class V>
ZP_HD void scan_step(V (&a)[2][Threads], int thread) {
  constexpr int from = Step & 1, reach = 1 << Step;
  a[1 - from][thread] = a[from][thread] + (thread >= reach ? a[from][thread - reach] : V(0));
}

}  // namespace zp::histograms

#endif
