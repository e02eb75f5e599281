// Counting samples into bins.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_COUNTING_H
#define ZP_CORE_COUNTING_H

#include "core/atomic.h"
#include "core/op.h"

namespace zp {

/// Bins of integers: one for each level.
template <class T>
struct LevelBins {
  static constexpr int slots = 1 << (8 * sizeof(T));
  ZP_HD std::uint32_t slot(T v) const { return v; }
};

/// Equal bins over [low, high], the last one closed; then one slot each for NaN, below and above.
struct RangeBins {
  double low, high;
  int bins;
  static constexpr int slots = 65536 + 3;
  ZP_HD std::uint32_t slot(float sample) const {
    const double v = static_cast<double>(sample);
    if (v != v) return std::uint32_t(bins);
    if (v < low) return std::uint32_t(bins + 1);
    if (v > high) return std::uint32_t(bins + 2);
    return std::uint32_t(bin(v));
  }
  /// For low <= v <= high. The product is exact for integers, and the quotient cannot round up to an edge then.
  ZP_HD int bin(double v) const {
    const double position = (v - low) * static_cast<double>(bins) / (high - low);
    return position < static_cast<double>(bins) ? static_cast<int>(position) : bins - 1;
  }
};

/// A tile counts a rectangle of one channel: in its own memory where the slots fit, else in the common counters. Equal
/// samples in sequence are added at once, so that flat images do not queue for one counter.
template <class T, class Bins, int Threads, int Private>
struct CountTile {
  View<const T> in;
  Bins bins;
  std::uint64_t* counts;  ///< `used` for each channel
  int used;
  int columns, rows;  ///< of one tile; at most 2^31 samples
  static constexpr std::tuple pointers{&CountTile::in, &CountTile::counts};

  struct Shared {
    std::uint32_t count[Private];
  };
  static constexpr int threads = Threads, phases = 3;

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    std::uint64_t* common = counts + std::int64_t(b.y) * used;
    const bool is_private = used <= Private;
    if constexpr (P == 0) {
      for (int i = b.thread; i < used && is_private; i += Threads) s.count[i] = 0;
    } else if constexpr (P == 1) {
      const int across = int((std::int64_t(in.width) + columns - 1) / columns), channels = in.channels;
      const std::int64_t x0 = std::int64_t(b.x % across) * columns, y0 = std::int64_t(b.x / across) * rows;
      const int lines = int(in.height - y0 < rows ? in.height - y0 : rows);
      const int width = int(in.width - x0 < columns ? in.width - x0 : columns);
      std::uint32_t slot = 0, length = 0;
      if constexpr (Threads == 1) {
        for (int j = 0; j < lines; ++j) {
          const T* p = in.row(int(y0) + j) + x0 * channels + b.y;
          for (int x = 0; x < width; ++x) {
            const std::uint32_t next = bins.slot(p[std::ptrdiff_t(x) * channels]);
            if (is_private)
              ++s.count[next];
            else
              add(common, slot, length, next);
          }
        }
      } else {
        const std::uint32_t n = std::uint32_t(lines) * std::uint32_t(width);
        for (std::uint32_t i = std::uint32_t(b.thread); i < n; i += Threads) {
          const std::uint32_t j = i / std::uint32_t(width), x = i - j * std::uint32_t(width);
          const std::uint32_t next = bins.slot(in.row(int(y0) + int(j))[(x0 + x) * channels + b.y]);
          if (is_private)
            add(s.count, slot, length, next);
          else
            add(common, slot, length, next);
        }
      }
      if (length && is_private) add_to(s.count + slot, length);
      if (length && !is_private) add_to(common + slot, length);
    } else {
      for (int i = b.thread; i < used && is_private; i += Threads)
        if (s.count[i]) add_to(common + i, s.count[i]);
    }
  }

 private:
  ZP_HD static void add_to(std::uint32_t* p, std::uint32_t v) { atomic_add_shared(p, v); }
  ZP_HD static void add_to(std::uint64_t* p, std::uint32_t v) { atomic_add(p, std::uint64_t(v)); }
  template <class Count>
  ZP_HD static void add(Count* count, std::uint32_t& slot, std::uint32_t& length, std::uint32_t next) {
    if (next != slot) {
      if (length) add_to(count + slot, length);
      slot = next;
      length = 0;
    }
    ++length;
  }
};

/// Counts of `used` slots for each channel, channel by channel.
template <class T, class Bins, class Exec>
std::vector<std::uint64_t> count_samples(Exec& exec, const View<const T>& in, const Bins& bins, int used) {
  constexpr bool kHost = Exec::name == "cpu";
  // A CPU has room for all slots, if a tile is large enough to pay for clearing and adding them.
  using Body = CountTile<T, Bins, kHost ? 1 : 256, kHost ? Bins::slots : 4096>;
  const std::int64_t most = kHost ? smaller<std::int64_t>(1 << 20, std::int64_t(used) * 64 + (1 << 15)) : 1 << 14;
  const int columns = int(smaller(most, std::int64_t(in.width)));
  const int rows = int(smaller(larger<std::int64_t>(most / columns, 1), std::int64_t(in.height)));
  const auto tiles = [](int size, int tile) { return int((std::int64_t(size) + tile - 1) / tile); };
  std::uint64_t* counts = exec.template scratch<std::uint64_t>(std::size_t(used) * std::size_t(in.channels));
  exec.fill(counts, std::size_t(used) * std::size_t(in.channels));
  exec.tiles(Body{in, bins, counts, used, columns, rows}, tiles(in.width, columns) * tiles(in.height, rows),
             in.channels);
  return exec.download(counts, std::size_t(used) * std::size_t(in.channels));
}

}  // namespace zp

#endif
