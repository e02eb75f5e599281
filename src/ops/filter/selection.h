// Exact selection by rank in large windows: bitwise search.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_SELECTION_H
#define ZP_OPS_FILTER_SELECTION_H

#include "core/atomic.h"
#include "core/median_network.h"
#include "core/op.h"

namespace zp {

/// The sample of a given rank (0 is the smallest) of a square window. The largest key that at most `rank` samples are
/// below is found bit by bit, from the highest in which the tile's keys differ: the time depends on the window and the
/// format only. With one thread, loops over a row of samples are innermost, so that they vectorise.
template <class T, int Threads>
struct RankTile {
  using Order = OrderKey<T>;
  using Key = typename Order::Key;
  static constexpr int kReach = 15;
  static constexpr int kWide = Threads == 1 ? 256 : 64, kHigh = 16;  // samples, rows
  static constexpr int kPitch = kWide + 2 * kReach * 4, kLines = kHigh + 2 * kReach;
  View<T> out;
  View<const T> in;
  Border border;
  T outside;
  int radius, rank;
  static constexpr std::tuple pointers{&RankTile::out, &RankTile::in};

  struct Shared {
    std::uint32_t differing;
    Key key[kLines][kPitch];
  };
  static constexpr int threads = Threads, phases = 3;

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const std::int64_t first = std::int64_t(b.x) * kWide, samples = std::int64_t(in.width) * in.channels;
    const int n = int(samples - first < kWide ? samples - first : kWide);
    const int y0 = b.y * kHigh, lines = out.height - y0 < kHigh ? out.height - y0 : kHigh;
    const int reach = radius * in.channels;
    if constexpr (P == 0) {
      if (b.thread == 0) s.differing = 0;
      load(b.thread, first, n, y0, lines, reach, s);
    } else if constexpr (P == 1) {
      const Key one = s.key[0][0];
      Key differing = 0;
      for (int j = 0; j < lines + 2 * radius; ++j)
        for (int i = b.thread; i < n + 2 * reach; i += Threads) differing |= Key(s.key[j][i] ^ one);
      if (differing) atomic_or_shared_key(&s.differing, differing);
    } else if constexpr (Threads == 1) {
      for (int j = 0; j < lines; ++j) select_row(s, j, n, out.row(y0 + j) + first);
    } else {
      for (int k = b.thread; k < kWide * kHigh; k += Threads) {
        const int i = k % kWide, j = k / kWide;
        if (i < n && j < lines) out.row(y0 + j)[first + i] = Order::value(select(s, i, j));
      }
    }
  }

 private:
  ZP_HD static void atomic_or_shared_key(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
    atomicOr(p, v);
#else
    *p |= v;
#endif
  }

  ZP_HD void load(int thread, std::int64_t first, int n, int y0, int lines, int reach, Shared& s) const {
    const std::int64_t samples = std::int64_t(in.width) * in.channels;
    const int total = n + 2 * reach;
    const int begin = int(first < reach ? reach - first : 0);
    const int end = int(samples - first + reach < total ? samples - first + reach : total);
    for (int j = 0; j < lines + 2 * radius; ++j) {
      const int y = border_index(y0 - radius + j, in.height, border);
      Key* key = s.key[j];
      if (y < 0) {
        for (int i = thread; i < total; i += Threads) key[i] = Order::of(outside);
        continue;
      }
      const T* row = in.row(y);
      const T* p = row + (first - reach);
      for (int i = thread; i < begin; i += Threads) key[i] = beyond(row, first - reach + i);
      for (int i = begin + thread; i < end; i += Threads) key[i] = Order::of(p[i]);
      for (int i = end + thread; i < total; i += Threads) key[i] = beyond(row, first - reach + i);
    }
  }

  ZP_HD Key beyond(const T* row, std::int64_t i) const {
    const int channels = in.channels;
    const std::int64_t x = i >= 0 ? i / channels : -((channels - 1 - i) / channels);
    const int k = border_index(int(x), in.width, border);
    return Order::of(k < 0 ? outside : row[std::ptrdiff_t(k) * channels + (i - x * channels)]);
  }

  /// The highest differing bit, and what all keys have above it.
  ZP_HD void start(const Shared& s, int& bit, Key& prefix) const {
    bit = Order::bits - 1;
    while (bit >= 0 && !(s.differing >> bit & 1)) --bit;
    prefix = Key(s.key[0][0] & ~Key((std::uint64_t(1) << (bit + 1)) - 1));
  }

  ZP_HD Key select(const Shared& s, int i, int j) const {
    int bit;
    Key found;
    start(s, bit, found);
    for (; bit >= 0; --bit) {
      const Key trial = Key(found | Key(Key(1) << bit));
      int below = 0;
      for (int dy = 0; dy <= 2 * radius; ++dy)
        for (int dx = 0; dx <= 2 * radius; ++dx) below += s.key[j + dy][i + dx * in.channels] < trial;
      if (below <= rank) found = trial;
    }
    return found;
  }

  ZP_HD void select_row(const Shared& s, int j, int n, T* to) const {
    // Counts are as wide as keys; those of u8 are added up before they can overflow.
    const int side = 2 * radius + 1, channels = in.channels, rank_now = rank;
    const int most = sizeof(Key) == 1 ? 255 / side : side;
    Key found[kWide], trial[kWide];
    int bit;
    Key prefix;
    start(s, bit, prefix);
    for (int i = 0; i < n; ++i) found[i] = prefix;
    for (; bit >= 0; --bit) {
      std::conditional_t<sizeof(Key) == 1, std::uint16_t, Key> below[kWide] = {};
      for (int i = 0; i < n; ++i) trial[i] = Key(found[i] | Key(Key(1) << bit));
      for (int dy = 0; dy < side; dy += most) {
        Key count[kWide] = {};
        for (int row = dy; row < dy + most && row < side; ++row)
          for (int dx = 0; dx < side; ++dx) {
            const Key* p = s.key[j + row] + dx * channels;
#pragma GCC ivdep
            for (int i = 0; i < n; ++i) count[i] = Key(count[i] + Key(p[i] < trial[i]));
          }
        for (int i = 0; i < n; ++i) below[i] += count[i];
      }
      for (int i = 0; i < n; ++i) found[i] = int(below[i]) <= rank_now ? trial[i] : found[i];
    }
    for (int i = 0; i < n; ++i) to[i] = Order::value(found[i]);
  }
};

/// The sample of rank `rank` of a square window.
template <class T, class Exec>
void select_rank(Exec& exec, const View<const T>& in, const View<T>& out, int radius, int rank, Border border,
                 float value) {
  constexpr int kThreads = Exec::name == "cpu" ? 1 : 256;
  using Body = RankTile<T, kThreads>;
  const std::int64_t samples = std::int64_t(in.width) * in.channels;
  exec.tiles(Body{out, in, border, to_sample<T>(value), radius, rank}, int((samples + Body::kWide - 1) / Body::kWide),
             int((std::int64_t(in.height) + Body::kHigh - 1) / Body::kHigh));
}

}  // namespace zp

#endif
