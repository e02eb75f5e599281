// Sums, smallest and largest values of numbered objects, in integers, so that the order in which pixels come does not
// matter.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_TALLY_H
#define ZP_OPS_SEGMENTATION_TALLY_H

#include <vector>

#include "core/components.h"
#include "core/op.h"

namespace zp::detail_tally {

inline constexpr int kWidth = components::kTileWidth, kHeight = components::kTileHeight;
inline constexpr int kThreads = components::kThreads;

/// Calls call(row, column) for a thread's share of a field around a tile: on a device neighbouring threads take
/// neighbouring places, on a CPU a thread takes a row.
template <int Rows, int Columns, class Call>
ZP_HD void spread_field(int thread, const Call& call) {
#if ZP_ON_DEVICE
  for (int i = thread; i < Rows * Columns; i += kThreads) call(i / Columns, i % Columns);
#else
  if (thread < Rows)
    for (int column = 0; column < Columns; ++column) call(thread, column);
#endif
}

/// The pixels of a tile that a thread visits one after the other: on a device down a piece of a column, so that loads
/// coalesce; on a CPU along a row, so that loops vectorise.
struct Strip {
#if ZP_ON_DEVICE
  static constexpr int dx = 0, dy = 1;
#else
  static constexpr int dx = 1, dy = 0;
#endif
  int column, row, count;
};
ZP_HD Strip strip(int thread) {
#if ZP_ON_DEVICE
  constexpr int pieces = kThreads / kWidth, piece = kHeight / pieces;
  return {thread % kWidth, thread / kWidth * piece, piece};
#else
  return {0, thread, thread < kHeight ? kWidth : 0};
#endif
}

/// Pixels of one object next to each other in a strip.
struct Run {
  int x, y;         ///< in the image
  int column, row;  ///< in the tile
  int count;
  std::uint32_t number;
};

// A Measure says what is summed:
//   static constexpr int kTileSums, kImageSums, kExtremes;  sums within a tile in 32 bits, over the image in 64, pairs
//   of extremes static constexpr int kPreparePhases;         0, or phases that fill its own struct Shared for a tile
//   struct Shared; template <int P> prepare(Block2, Shared&) const;
//   measure(Part<Measure>&, const Shared&, const Run&) const;    the part of one run
//   widen(std::uint64_t* sums, const std::uint32_t* tile_sums, int x0, int y0) const;

template <class Measure>
struct Part {
  std::uint32_t sums[Measure::kTileSums];
  std::uint32_t lows[Measure::kExtremes ? Measure::kExtremes : 1], highs[Measure::kExtremes ? Measure::kExtremes : 1];
};

/// By number, from 0.
struct Totals {
  std::uint64_t* sums;
  std::uint32_t *lows, *highs;
  static constexpr std::tuple pointers{&Totals::sums, &Totals::lows, &Totals::highs};
};

template <class Measure>
struct TallyTiles : Measure, Totals {
  View<const std::uint32_t> numbers;
  static constexpr std::tuple pointers =
      std::tuple_cat(Measure::pointers, Totals::pointers, std::tuple{&TallyTiles::numbers});
  static constexpr int threads = kThreads, kFirst = Measure::kPreparePhases ? Measure::kPreparePhases : 1;
  static constexpr int phases = kFirst + 2, kSlots = 8;
  /// A tile's sums reach the image's at its end, but for objects that found no slot.
  struct Shared {
    std::uint32_t owners[kSlots];
    Part<Measure> parts[kSlots];
    typename Measure::Shared own;
  };

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int x0 = b.x * kWidth, y0 = b.y * kHeight;
    if constexpr (P < kFirst) {
      if constexpr (P == 0) {
        if (b.thread < kSlots) {
          s.owners[b.thread] = 0;
          clear(s.parts[b.thread]);
        }
      }
      if constexpr (Measure::kPreparePhases != 0) this->template prepare<P>(b, s.own);
    } else if constexpr (P == kFirst) {
      const Strip strip = detail_tally::strip(b.thread);
      const View<const std::uint32_t> all = numbers;
      const int x = x0 + strip.column, y = y0 + strip.row;
      const int inside = Strip::dx ? all.width - x : all.height - y;
      if (x >= all.width || y >= all.height) return;
      const int count = smaller(strip.count, inside);
      const auto number = [&](int i) { return all.row(y + i * Strip::dy)[x + i * Strip::dx]; };
      for (int i = 0; i < count;) {
        const std::uint32_t n = number(i);
        int end = i + 1;
        while (end < count && number(end) == n) ++end;
        if (n != 0) {
          Part<Measure> part;
          clear(part);
          const int right = i * Strip::dx, down = i * Strip::dy;
          this->measure(part, s.own, Run{x + right, y + down, strip.column + right, strip.row + down, end - i, n});
          add(s, part, n, x0, y0);
        }
        i = end;
      }
    } else {
      if (b.thread < kSlots && s.owners[b.thread] != 0) add_to_image(s.parts[b.thread], s.owners[b.thread], x0, y0);
    }
  }

 private:
  static ZP_HD void clear(Part<Measure>& part) {
    for (int k = 0; k < Measure::kTileSums; ++k) part.sums[k] = 0;
    for (int k = 0; k < Measure::kExtremes; ++k) {
      part.lows[k] = 0xffffffffu;
      part.highs[k] = 0;
    }
  }
  ZP_HD void add(Shared& s, const Part<Measure>& part, std::uint32_t number, int x0, int y0) const {
    const int slot = int(number % kSlots);
    const std::uint32_t owner = atomic_compare_exchange_shared(&s.owners[slot], 0, number);
    if (owner != 0 && owner != number) {
      add_to_image(part, number, x0, y0);
      return;
    }
    Part<Measure>& all = s.parts[slot];
    for (int k = 0; k < Measure::kTileSums; ++k)
      if (part.sums[k] != 0) atomic_add_shared(&all.sums[k], part.sums[k]);
    for (int k = 0; k < Measure::kExtremes; ++k) {
      atomic_min_shared(&all.lows[k], part.lows[k]);
      atomic_max_shared(&all.highs[k], part.highs[k]);
    }
  }
  ZP_HD void add_to_image(const Part<Measure>& part, std::uint32_t number, int x0, int y0) const {
    const std::int64_t i = std::int64_t(number) - 1;
    std::uint64_t wide[Measure::kImageSums];
    this->widen(wide, part.sums, x0, y0);
    for (int k = 0; k < Measure::kImageSums; ++k)
      if (wide[k] != 0) atomic_add(this->sums + i * Measure::kImageSums + k, wide[k]);
    for (int k = 0; k < Measure::kExtremes; ++k) {
      atomic_min(this->lows + i * Measure::kExtremes + k, part.lows[k]);
      atomic_max(this->highs + i * Measure::kExtremes + k, part.highs[k]);
    }
  }
};

/// Totals of each number, one after the other.
struct Tallied {
  std::vector<std::uint64_t> sums;
  std::vector<std::uint32_t> lows, highs;
};

template <class Measure, class Exec>
Tallied tally(Exec& exec, const Measure& measure, const View<const std::uint32_t>& numbers, std::size_t objects) {
  const std::size_t sums = objects * std::size_t(Measure::kImageSums), ends = objects * std::size_t(Measure::kExtremes);
  Totals totals{exec.template scratch<std::uint64_t>(sums), nullptr, nullptr};
  exec.fill(totals.sums, sums);
  if (ends != 0) {
    totals.lows = exec.template scratch<std::uint32_t>(ends);
    totals.highs = exec.template scratch<std::uint32_t>(ends);
    exec.fill(totals.lows, ends, 0xff);
    exec.fill(totals.highs, ends);
  }
  exec.tiles(TallyTiles<Measure>{measure, totals, numbers}, components::tiles_across(numbers.width),
             components::tiles_down(numbers.height));
  return {exec.download(static_cast<const std::uint64_t*>(totals.sums), sums),
          exec.download(static_cast<const std::uint32_t*>(totals.lows), ends),
          exec.download(static_cast<const std::uint32_t*>(totals.highs), ends)};
}

}  // namespace zp::detail_tally

#endif
