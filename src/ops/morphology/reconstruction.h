// Reconstruction: a marker that grows under a mask until nothing changes any more.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_RECONSTRUCTION_H
#define ZP_OPS_MORPHOLOGY_RECONSTRUCTION_H

#include "core/atomic.h"
#include "core/op.h"

// Samples become unsigned keys of the same order (reversed for erosion), of which 0 is below all: a wall, and what lies
// outside. The result is the smallest picture s >= marker with s(q) >= min(mask(q), s(p)) for all neighbours p and q,
// whatever the order in which that is brought about. Two steps alternate until no tile has work left:
//
//   CarryLines  along whole rows and columns: what leaves a piece of a row, given what enters it, is
//               max(its last sample, min(what enters, the smallest sample of its mask)), so that a value crosses the
//               image in one step where nothing stands in its way.
//   RelaxTiles  each tile with work, with what the carries bring to its edges, until it is stable.
//
// So the number of rounds follows the turns of the paths that values take from tile to tile, not their length. A tile
// reads nothing of others but the carries, and so writes its samples while none reads them.
namespace zp::reconstruction {

template <class T>
using KeyOf = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, T>;

/// The order of keys is that of samples, or its reverse; NaN is 0 in both, a key that no number has.
template <class T>
ZP_HD KeyOf<T> key_of(T v, bool reversed) {
  if constexpr (std::is_same_v<T, float>) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &v, sizeof(bits));
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    bits = reversed ? ~bits : bits;
    return v != v ? 0 : bits;
  } else {
    return static_cast<T>(reversed ? ~v : v);
  }
}
template <class T>
ZP_HD T sample_of(KeyOf<T> key, bool reversed) {
  if constexpr (std::is_same_v<T, float>) {
    std::uint32_t bits = reversed ? ~key : key;
    bits = bits >> 31 ? bits & 0x7fffffffu : ~bits;
    bits = key == 0 ? 0x7fc00000u : bits;
    float v;
    __builtin_memcpy(&v, &bits, sizeof(v));
    return v;
  } else {
    return static_cast<T>(reversed ? ~key : key);
  }
}

/// Of a mask, and of a marker under it.
struct ToKey {
  bool reversed;
  template <class K, class T>
  ZP_HD K sample(T v) const {
    return key_of(v, reversed);
  }
  template <class K, class T>
  ZP_HD K sample(T marker, T mask) const {
    return smaller(key_of(marker, reversed), key_of(mask, reversed));
  }
};
struct FromKey {
  bool reversed;
  template <class T, class K>
  ZP_HD T sample(K key) const {
    return sample_of<T>(key, reversed);
  }
};

inline constexpr int kTileHeight = 64;

/// What the steps work on: planes of keys, tight and interleaved, and what is known of lines where they enter a tile.
template <class K, int Threads>
struct Field {
  static_assert(Threads == 1 || Threads == kTileHeight);
  static constexpr int kWidth = Threads == 1 ? 128 : 64, kHeight = kTileHeight;
  K* state;
  const K* mask;
  K* lines;                ///< floors, then carries forward, then carries back; each by edge()
  std::uint32_t* active;   ///< by tile: not zero where there is work
  std::uint32_t* changed;  ///< by band, first those of rows: not zero where tiles changed since the last carry
  std::uint32_t* pending;  ///< not zero where any tile is active
  int width, height, channels;
  bool eight;
  static constexpr std::tuple pointers{&Field::state,  &Field::mask,    &Field::lines,
                                       &Field::active, &Field::changed, &Field::pending};

  enum Line { kFloor, kForward, kBack };
  ZP_HD int across() const { return (width - 1) / kWidth + 1; }
  ZP_HD int down() const { return (height - 1) / kHeight + 1; }
  ZP_HD int row_bands() const { return down() * channels; }
  ZP_HD int column_bands() const { return across() * channels; }
  ZP_HD std::int64_t at(int x, int y, int c) const { return (std::int64_t(y) * width + x) * channels + c; }
  ZP_HD std::int64_t tile(int tx, int ty, int c) const { return (std::int64_t(c) * down() + ty) * across() + tx; }
  ZP_HD std::int64_t row_edges() const { return std::int64_t(column_bands()) * height; }
  ZP_HD std::int64_t edges() const { return row_edges() + std::int64_t(row_bands()) * width; }
  /// Where row y meets tile column tx, or column x tile row ty.
  ZP_HD K* row_line(Line line, int tx, int y, int c) const {
    return lines + line * edges() + (std::int64_t(c) * across() + tx) * height + y;
  }
  ZP_HD K* column_line(Line line, int x, int ty, int c) const {
    return lines + line * edges() + row_edges() + (std::int64_t(c) * down() + ty) * width + x;
  }
};

/// Calls call(k, sample) for `count` pixels, every `Step`th one; loops over one channel vectorise.
template <int Step, class Sample, class Call>
ZP_HD void each(Sample* p, int first, int count, int channels, const Call& call) {
  if (channels == 1) {
#pragma GCC ivdep
    for (int k = first; k < count; k += Step) call(k, p[k]);
  } else {
    for (int k = first; k < count; k += Step) call(k, p[std::ptrdiff_t(k) * channels]);
  }
}

/// The smallest sample of the mask in each piece of a row and of a column.
template <class K, int Threads>
struct FindFloors : Field<K, Threads> {
  using F = Field<K, Threads>;
  static constexpr std::tuple pointers = F::pointers;
  static constexpr int threads = Threads, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const int c = b.y / this->down(), ty = b.y % this->down(), x0 = b.x * F::kWidth, y0 = ty * F::kHeight;
    const int width = smaller(F::kWidth, this->width - x0), height = smaller(F::kHeight, this->height - y0);
    constexpr K kTop = static_cast<K>(~K(0));
    const int channels = this->channels;
    // Columns on one thread per column, or all at once, row by row.
    constexpr int kEach = F::kWidth / Threads;
    K low[kEach];
    for (K& v : low) v = kTop;
    const int count = Threads == 1 ? width : b.thread < width ? 1 : 0;
    for (int y = 0; y < height; ++y)
      each<1>(this->mask + this->at(x0 + b.thread, y0 + y, c), 0, count, channels,
              [&](int k, K v) { low[k] = smaller(low[k], v); });
    for (int k = 0; k < count; ++k) *this->column_line(F::kFloor, x0 + b.thread + k, ty, c) = low[k];
    for (int y = b.thread; y < height; y += Threads) {
      K lowest = kTop;
      each<1>(this->mask + this->at(x0, y0 + y, c), 0, width, channels, [&](int, K v) { lowest = smaller(lowest, v); });
      *this->row_line(F::kFloor, b.x, y0 + y, c) = lowest;
    }
  }
};

/// The marker is the mask along the border, and nothing inside.
template <class K>
struct SeedBorder {
  K* state;
  const K* mask;
  int width, height, channels;
  static constexpr std::tuple pointers{&SeedBorder::state, &SeedBorder::mask};
  static constexpr int threads = 256, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const std::int64_t k = std::int64_t(b.x) * threads + b.thread;
    const auto seed = [&](int x, int y) {
      const std::int64_t i = (std::int64_t(y) * width + x) * channels;
      for (int c = 0; c < channels; ++c) state[i + c] = mask[i + c];
    };
    if (k < width) {
      seed(int(k), 0);
      seed(int(k), height - 1);
    }
    if (k < height) {
      seed(0, int(k));
      seed(width - 1, int(k));
    }
  }
};

/// One block carries the rows of a row of tiles, or the columns of a column of tiles, both ways.
template <class K, int Threads>
struct CarryLines : Field<K, Threads> {
  using F = Field<K, Threads>;
  static constexpr std::tuple pointers = F::pointers;
  static constexpr int threads = Threads, phases = 2;
  static constexpr int kMost = F::kWidth > F::kHeight ? F::kWidth : F::kHeight, kEach = kMost / Threads;
  struct Shared {};

  /// What newly enters pixel (x, y), and those beside it where 8 neighbours count, gives work to tiles that it changes.
  ZP_HD void enter(int x, int y, int c, bool column, K v) const {
    for (int side = this->eight ? -1 : 0; side <= (this->eight ? 1 : 0); ++side) {
      const int u = column ? x + side : x, w = column ? y : y + side;
      if (u < 0 || w < 0 || u >= this->width || w >= this->height) continue;
      const std::int64_t i = this->at(u, w, c);
      if (smaller(this->mask[i], v) <= this->state[i]) continue;
      atomic_store(this->active + this->tile(u / F::kWidth, w / F::kHeight, c), 1u);
      atomic_store(this->pending, 1u);
    }
  }

  /// Lines [first, first + count) of all that a thread has, through the tiles.
  ZP_HD void carry(bool column, bool back, int c, int first, int count) const {
    const int tiles = column ? this->down() : this->across();
    const int size = column ? F::kHeight : F::kWidth, end = column ? this->height : this->width;
    const auto line = back ? F::kBack : F::kForward;
    K carried[kEach];
    for (K& v : carried) v = 0;
    for (int step = 0; step < tiles; ++step) {
      const int t = back ? tiles - 1 - step : step;
      const int near = t * size, far = smaller(near + size, end) - 1;
      const int entry = back ? far : near, exit = back ? near : far;
      K* before = column ? this->column_line(line, first, t, c) : this->row_line(line, t, first, c);
      const K* floor = column ? this->column_line(F::kFloor, first, t, c) : this->row_line(F::kFloor, t, first, c);
      const K* leaves = this->state + (column ? this->at(first, exit, c) : this->at(exit, first, c));
      const std::ptrdiff_t stride = (column ? 1 : std::ptrdiff_t(this->width)) * this->channels;
      K more = 0;
      for (int k = 0; k < count; ++k) more = static_cast<K>(more | (carried[k] ^ before[k]));
      if (more)
        for (int k = 0; k < count; ++k) {
          if (carried[k] <= before[k]) continue;
          before[k] = carried[k];
          enter(column ? first + k : entry, column ? entry : first + k, c, column, carried[k]);
        }
      for (int k = 0; k < count; ++k) carried[k] = larger(leaves[k * stride], smaller(carried[k], floor[k]));
    }
  }

  template <int P>
  ZP_HD void phase(Block2 b, Shared&) const {
    const bool column = b.x >= this->row_bands();
    if constexpr (P == 0) {
      if (this->changed[b.x] == 0) return;
      const int band = column ? b.x - this->row_bands() : b.x, tiles = column ? this->across() : this->down();
      const int size = column ? F::kWidth : F::kHeight, end = column ? this->width : this->height;
      const int begin = band % tiles * size, c = band / tiles;
      const int lines = smaller(size, end - begin);
      const int count = Threads == 1 ? lines : b.thread < lines ? 1 : 0;
      if (count == 0) return;
      carry(column, false, c, begin + b.thread, count);
      carry(column, true, c, begin + b.thread, count);
    } else {
      if (b.thread == 0) this->changed[b.x] = 0;
    }
  }
};

/// A tile with a frame of what enters it. With a thread per line, lines are scanned both ways: rows, columns, and both
/// diagonals (which wrap around, so that all are as long), again and again; what is not stable by the end of the
/// program stays active. One thread alone sweeps whole rows down and up until nothing changes.
template <class K, int Threads>
struct RelaxTiles : Field<K, Threads> {
  using F = Field<K, Threads>;
  static constexpr int kWidth = F::kWidth, kHeight = F::kHeight;
  static constexpr std::tuple pointers = F::pointers;
  static constexpr int kRounds = Threads == 1 ? 1 : 4, kKinds = Threads == 1 ? 1 : 4;
  static constexpr int threads = Threads, phases = 3 + kRounds * kKinds;
  // An odd number of words, so that threads in neighbouring rows do not collide in shared memory.
  static constexpr int kPitch = sizeof(K) == 1 ? kWidth + 4 : sizeof(K) == 2 ? kWidth + 2 : kWidth + 3;
  struct Shared {
    K cells[(kHeight + 2) * kPitch];
    K mask[kHeight * kPitch];
    std::uint32_t run, changed[kRounds];
  };
  static ZP_HD int cell(int x, int y) { return (y + 1) * kPitch + x + 1; }

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int c = b.y / this->down(), ty = b.y % this->down(), x0 = b.x * kWidth, y0 = ty * kHeight;
    const std::int64_t tile = this->tile(b.x, ty, c);
    if constexpr (P == 0) {
      if (b.thread != 0) return;
      s.run = this->active[tile];
      this->active[tile] = 0;
      for (std::uint32_t& v : s.changed) v = 0;
    } else if constexpr (P == 1) {
      if (s.run) load(s, b.x, ty, c, b.thread);
    } else if constexpr (P < phases - 1) {
      if (!s.run) return;
      if constexpr (Threads == 1) {
        s.changed[0] = sweep(s);
      } else {
        constexpr int round = (P - 2) / kKinds, kind = (P - 2) % kKinds;
        if constexpr (round > 0)
          if (!s.changed[round - 1]) return;
        if (kind >= 2 && !this->eight) return;
        if (scan<kind>(s, b.thread)) atomic_max_shared(&s.changed[round], 1u);
      }
    } else {
      if (!s.run || !s.changed[0]) return;
      const int width = smaller(kWidth, this->width - x0), height = smaller(kHeight, this->height - y0);
      const int channels = this->channels;
      for (int y = 0; y < height; ++y) {
        const K* q = s.cells + cell(0, y);
        each<Threads>(this->state + this->at(x0, y0 + y, c), b.thread, width, channels, [q](int x, K& v) { v = q[x]; });
      }
      if (b.thread != 0) return;
      atomic_store(this->changed + c * this->down() + ty, 1u);
      atomic_store(this->changed + this->row_bands() + c * this->across() + b.x, 1u);
      if (Threads > 1 && s.changed[kRounds - 1]) {
        this->active[tile] = 1;
        atomic_store(this->pending, 1u);
      }
    }
  }

  ZP_HD void load(Shared& s, int tx, int ty, int c, int thread) const {
    const int x0 = tx * kWidth, y0 = ty * kHeight;
    const int width = smaller(kWidth, this->width - x0), height = smaller(kHeight, this->height - y0);
    const int channels = this->channels;
    for (int y = 0; y < kHeight; ++y) {
      K* q = s.cells + cell(0, y);
      K* m = s.mask + y * kPitch;
      const std::int64_t i = y < height ? this->at(x0, y0 + y, c) : 0;
      const int count = y < height ? width : 0;
      each<Threads>(this->state + i, thread, count, channels, [q](int x, K v) { q[x] = v; });
      each<Threads>(this->mask + i, thread, count, channels, [m](int x, K v) { m[x] = v; });
      for (int x = count + thread; x < kWidth; x += Threads) q[x] = m[x] = 0;
    }
    // The frame, corners included, from the carries of its lines.
    for (int x = thread - 1; x <= kWidth; x += Threads) {
      const bool exists = x0 + x >= 0 && x0 + x < this->width;
      s.cells[cell(x, -1)] = exists ? *this->column_line(F::kForward, x0 + x, ty, c) : K(0);
      s.cells[cell(x, kHeight)] = exists ? *this->column_line(F::kBack, x0 + x, ty, c) : K(0);
    }
    for (int y = thread; y < kHeight; y += Threads) {
      s.cells[cell(-1, y)] = y < height ? *this->row_line(F::kForward, tx, y0 + y, c) : K(0);
      s.cells[cell(kWidth, y)] = y < height ? *this->row_line(F::kBack, tx, y0 + y, c) : K(0);
    }
  }

  /// One line, forth and back: row, column, falling or rising diagonal number `line`.
  template <int Kind>
  static ZP_HD bool scan(Shared& s, int line) {
    constexpr int dx = Kind == 1 ? 0 : Kind == 3 ? -1 : 1, dy = Kind == 0 ? 0 : 1;
    bool any = false;
    for (int back = 0; back < 2; ++back) {
      const int side = back ? 1 : -1;  // where the cell before lies
      K v = 0;
      for (int step = 0; step < kWidth; ++step) {
        const int k = back ? kWidth - 1 - step : step;
        const int x = Kind == 0 ? k : Kind == 1 ? line : Kind == 2 ? (line + k) % kWidth : (line - k) & (kWidth - 1);
        const int y = Kind == 0 ? line : k, i = cell(x, y);
        // The first cell, and the first after a diagonal came in again on the other side.
        const bool starts = step == 0 || (Kind >= 2 && x == ((dx * side < 0) ? 0 : kWidth - 1));
        if (starts) v = s.cells[i + side * (dy * kPitch + dx)];
        const K old = s.cells[i];
        v = larger(old, smaller(v, s.mask[y * kPitch + x]));
        if (v != old) {
          s.cells[i] = v;
          any = true;
        }
      }
    }
    return any;
  }

  ZP_HD bool sweep(Shared& s) const {
    bool any = false, moved = true;
    while (moved) {
      moved = false;
      for (int y = 0; y < kHeight; ++y) moved |= row(s, y, -1);
      for (int y = kHeight - 1; y >= 0; --y) moved |= row(s, y, 1);
      any |= moved;
    }
    return any;
  }
  /// What row y + side brings to row y, then along the row.
  ZP_HD bool row(Shared& s, int y, int side) const {
    K* q = s.cells + cell(0, y);
    const K* p = q + side * kPitch;
    const K* m = s.mask + y * kPitch;
    K diff = 0, need = 0;
    if (this->eight) {
#pragma GCC ivdep
      for (int x = 0; x < kWidth; ++x) {
        const K v = larger(q[x], smaller(m[x], larger(larger(p[x - 1], p[x + 1]), p[x])));
        diff = static_cast<K>(diff | (v ^ q[x]));
        q[x] = v;
      }
    } else {
#pragma GCC ivdep
      for (int x = 0; x < kWidth; ++x) {
        const K v = larger(q[x], smaller(m[x], p[x]));
        diff = static_cast<K>(diff | (v ^ q[x]));
        q[x] = v;
      }
    }
    for (int x = 0; x < kWidth; ++x) {
      const K v = larger(q[x], smaller(m[x], larger(q[x - 1], q[x + 1])));
      need = static_cast<K>(need | (v ^ q[x]));
    }
    if (need) {
      K v = q[-1];
      for (int x = 0; x < kWidth; ++x) q[x] = v = larger(q[x], smaller(m[x], v));
      v = q[kWidth];
      for (int x = kWidth - 1; x >= 0; --x) q[x] = v = larger(q[x], smaller(m[x], v));
    }
    return diff | need;
  }
};

/// Grows `state` under `mask`, both tight planes of keys, until nothing changes.
template <class K, class Exec>
void solve(Exec& exec, const View<K>& state, const View<K>& mask, int connectivity) {
  constexpr int kThreads = Exec::name == "cpu" ? 1 : kTileHeight;
  using F = Field<K, kThreads>;
  F f{state.data, mask.data,   nullptr,      nullptr,        nullptr,
      nullptr,    state.width, state.height, state.channels, connectivity == 8};
  const std::size_t edges = std::size_t(f.edges()), tiles = std::size_t(f.across()) * std::size_t(f.row_bands());
  const int bands = f.row_bands() + f.column_bands();
  f.lines = exec.template scratch<K>(3 * edges);
  f.active = exec.template scratch<std::uint32_t>(tiles);
  f.changed = exec.template scratch<std::uint32_t>(std::size_t(bands));
  f.pending = exec.template scratch<std::uint32_t>(1);
  exec.fill(f.lines + edges, 2 * edges);
  exec.fill(f.active, tiles, 1);
  exec.fill(f.changed, std::size_t(bands), 1);
  exec.fill(f.pending, 1, 1);
  exec.tiles(FindFloors<K, kThreads>{f}, f.across(), f.row_bands());
  for (;;) {
    exec.tiles(CarryLines<K, kThreads>{f}, bands, 1);
    if (exec.download(static_cast<const std::uint32_t*>(f.pending)) == 0) return;
    exec.fill(f.pending, 1);
    exec.tiles(RelaxTiles<K, kThreads>{f}, f.across(), f.row_bands());
  }
}

}  // namespace zp::reconstruction

#endif
