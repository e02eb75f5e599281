// Exact selection by rank in large windows: 32 pixels at once, bit by bit.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_SELECTION_H
#define ZP_OPS_FILTER_SELECTION_H

#include "core/atomic.h"
#include "core/median_network.h"
#include "core/op.h"

namespace zp {

// Loops over registers, which a device can only index by constants.
#if ZP_ON_DEVICE
#define ZP_UNROLL _Pragma("unroll")
#else
#define ZP_UNROLL
#endif

/// Counting in bit slices: bit j of every word belongs to pixel j, word i of a counter is bit i of 32 counts.
namespace bit_slice {

using Word = std::uint32_t;
inline constexpr int kCount = 10;      ///< words of a count up to 31 x 31
inline constexpr int kColumn = 5;      ///< words of a count within a column of the window
inline constexpr int kColumnMax = 31;  ///< the largest such count

/// sum + a + b: the low bit stays in sum, the high one is the carry.
ZP_HD Word full_add(Word& sum, Word a, Word b) {
  const Word half = a ^ b, carry = (a & b) | (sum & half);
  sum ^= half;
  return carry;
}
ZP_HD Word half_add(Word& sum, Word a) {
  const Word carry = sum & a;
  sum ^= a;
  return carry;
}
/// Four bits to a count of kColumn words.
ZP_HD void count(Word& ones, Word& twos, Word& fours, Word& eights, Word& sixteens, Word a, Word b, Word c, Word d) {
  const Word two = full_add(ones, a, b), other_two = full_add(ones, c, d);
  const Word four = full_add(twos, two, other_two);
  const Word eight = half_add(fours, four);
  sixteens ^= half_add(eights, eight);
}
/// A bit of a - b, and the borrow.
ZP_HD Word subtract(Word a, Word b, Word& borrow) {
  const Word half = a ^ b, difference = half ^ borrow;
  borrow = (~a & b) | (~half & borrow);
  return difference;
}
/// Bits `shift`.. of 64 rows; shift below 32.
ZP_HD Word shifted(Word low, Word high, int shift) {
  return static_cast<Word>((static_cast<std::uint64_t>(high) << 32 | low) >> shift);
}

/// Transposes square blocks of N bits in N words (Hacker's Delight 7-3): swap(i, j, s, mask) exchanges bits of words i
/// and j.
template <int N, class Swap>
ZP_HD void transpose(const Swap& swap) {
  ZP_UNROLL
  for (int s = N / 2; s > 0; s /= 2) {
    const Word mask = s == 16  ? 0x0000ffffu
                      : s == 8 ? 0x00ff00ffu
                      : s == 4 ? 0x0f0f0f0fu
                      : s == 2 ? 0x33333333u
                               : 0x55555555u;
    ZP_UNROLL
    for (int i = 0; i < N; ++i)
      if ((i & s) == 0) swap(i, i + s, s, mask);
  }
}
ZP_HD void exchange(Word& a, Word& b, int s, Word mask) {
  const Word t = ((a >> s) ^ b) & mask;
  b ^= t;
  a ^= t << s;
}

}  // namespace bit_slice

/// The sample of a given rank (0 is the smallest) of a square window, for a tile of one channel.
///
/// Words hold one bit of the keys of 32 rows. The result is found from its highest bit down: among the samples of the
/// window that agree with what is known of it, those whose next bit is 0 are counted in bit slices, for 32 pixels at
/// once; where the rank lies beyond them, the bit is 1 and the rank becomes one among the others. Bits that all keys
/// of the tile share are not searched. The time depends on the window, the format and such bits only.
///
/// One thread (the CPU) keeps what still agrees as a word per sample of the window, with loops over columns innermost,
/// so that they vectorise. The threads of a device have no memory for that: they find it again from the bits known so
/// far, two neighbouring columns at once.
template <class T, bool OneThread>
struct RankTile {
  using Order = OrderKey<T>;
  using Key = typename Order::Key;
  using Word = bit_slice::Word;
  static constexpr int kReach = 15, kMaxSide = 2 * kReach + 1, kBits = Order::bits;
  static constexpr int kWide = OneThread || kBits == 32 ? 128 : 256, kHigh = 32;  // pixels
  static constexpr int kPitch = kWide + 32;                                       // a halo of at most 30
  static constexpr int kRun = 32;  // columns that one thread takes at once
  View<T> out;
  View<const T> in;
  Border border;
  T outside;
  int radius, rank;
  static constexpr std::tuple pointers{&RankTile::out, &RankTile::in};

  struct Planes {
    std::uint32_t differing;       ///< bits in which keys of the tile differ
    Word plane[2][kBits][kPitch];  ///< rows 0 to 31 and 32 to 63, from `radius` above the tile
  };
  struct PlanesOfWindows : Planes {
    Word shifted[kBits][kMaxSide][kPitch];  ///< from each row of the window on
    Word agreeing[kMaxSide * kMaxSide][kRun];
  };
  using Shared = std::conditional_t<OneThread, PlanesOfWindows, Planes>;
  static constexpr int threads = OneThread ? 1 : kWide / 2, phases = 3;

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int channel = b.x % in.channels;
    const int x0 = b.x / in.channels * kWide, y0 = b.y * kHigh;
    const int n = in.width - x0 < kWide ? in.width - x0 : kWide;
    const int lines = in.height - y0 < kHigh ? in.height - y0 : kHigh;
    const Key first = Order::of(in.row(y0)[std::ptrdiff_t(x0) * in.channels + channel]);
    if constexpr (P == 0) {
      if (b.thread == 0) s.differing = 0;
    } else if constexpr (P == 1) {
      if constexpr (OneThread)
        load_rows(s, x0, y0, n, lines, channel, first);
      else
        for (int x = b.thread; x < n + 2 * radius + 1; x += threads) load_column(s, x, x0, y0, lines, channel, first);
    } else if constexpr (OneThread) {
      shift_planes(s);
      for (int x = 0; x < n; x += kRun) select_run(s, x, x0, y0, n, lines, channel, first);
    } else {
      if (2 * b.thread < n) select_pair(s, 2 * b.thread, x0, y0, n, lines, channel, first);
    }
  }

 private:
  ZP_HD Word constant(Key first, int bit) const { return Word(0) - Word(first >> bit & 1); }

  // ---- one thread
  // ----------------------------------------------------------------------------------------------------

  ZP_HD void load_rows(Shared& s, int x0, int y0, int n, int lines, int channel, Key first) const {
    const int total = n + 2 * radius, channels = in.channels;
    const int begin = x0 < radius ? radius - x0 : 0;
    const int end = in.width - x0 + radius < total ? in.width - x0 + radius : total;
    Key line[kPitch];
    Key differing = 0;
    for (int half = 0; half < 2; ++half) {
      for (int r = 0; r < 32; ++r) {
        const int row = 32 * half + r;
        const int y = row < lines + 2 * radius ? border_index(y0 - radius + row, in.height, border) : -2;
        if (y < 0) {
          const Key key = y == -2 ? first : Order::of(outside);
          for (int x = 0; x < total; ++x) line[x] = key;
        } else {
          const T* samples = in.row(y) + channel;
          for (int x = 0; x < begin; ++x) line[x] = beyond(samples, x0 - radius + x);
          const T* p = samples + std::ptrdiff_t(x0 - radius) * channels;
          if (channels == 1)
            for (int x = begin; x < end; ++x) line[x] = Order::of(p[x]);
          else
            for (int x = begin; x < end; ++x) line[x] = Order::of(p[std::ptrdiff_t(x) * channels]);
          for (int x = end; x < total; ++x) line[x] = beyond(samples, x0 - radius + x);
        }
        for (int x = total; x < kPitch; ++x) line[x] = first;
        Key row_differing = 0;
        for (int x = 0; x < kPitch; ++x) row_differing = Key(row_differing | (line[x] ^ first));
        differing = Key(differing | row_differing);
        Word* to = s.plane[half][r % kBits];
        const int shift = r / kBits * kBits;
        if (shift == 0)
          for (int x = 0; x < kPitch; ++x) to[x] = Word(line[x]);
        else
          for (int x = 0; x < kPitch; ++x) to[x] |= Word(line[x]) << shift;
      }
      bit_slice::transpose<kBits>([&](int i, int j, int shift, Word mask) {
        Word* a = s.plane[half][i];
        Word* b = s.plane[half][j];
#pragma GCC ivdep
        for (int x = 0; x < kPitch; ++x) bit_slice::exchange(a[x], b[x], shift, mask);
      });
    }
    s.differing = differing;
  }

  ZP_HD Key beyond(const T* samples, int x) const {
    const int i = border_index(x, in.width, border);
    return Order::of(i < 0 ? outside : samples[std::ptrdiff_t(i) * in.channels]);
  }

  ZP_HD void shift_planes(Shared& s) const {
    for (int bit = 0; bit < kBits; ++bit) {
      if (!(s.differing >> bit & 1)) continue;
      for (int dy = 0; dy <= 2 * radius; ++dy) {
        const Word* low = s.plane[0][bit];
        const Word* high = s.plane[1][bit];
        Word* to = s.shifted[bit][dy];
#pragma GCC ivdep
        for (int x = 0; x < kPitch; ++x) to[x] = low[x] >> dy | (high[x] << 1) << (31 - dy);
      }
    }
  }

  /// Narrows what agrees by the last bit found, and counts where the next one is 0: N rows of a column of the window.
  template <int N>
  ZP_HD static void count_rows(const Word* now, const Word* last, std::ptrdiff_t last_pitch, const Word* found,
                               Word (*agreeing)[kRun], Word (*counts)[kRun]) {
#pragma GCC ivdep
    for (int x = 0; x < kRun; ++x) {
      const Word a = agreeing[0][x] & ~(last[x] ^ found[x]),
                 b = N < 2 ? 0 : agreeing[1][x] & ~(last[x + last_pitch] ^ found[x]),
                 c = N < 3 ? 0 : agreeing[2][x] & ~(last[x + 2 * last_pitch] ^ found[x]),
                 d = N < 4 ? 0 : agreeing[3][x] & ~(last[x + 3 * last_pitch] ^ found[x]);
      agreeing[0][x] = a;
      if constexpr (N > 1) agreeing[1][x] = b;
      if constexpr (N > 2) agreeing[2][x] = c;
      if constexpr (N > 3) agreeing[3][x] = d;
      Word ones = counts[0][x], twos = counts[1][x], fours = counts[2][x], eights = counts[3][x],
           sixteens = counts[4][x];
      bit_slice::count(ones, twos, fours, eights, sixteens, a & ~now[x], N < 2 ? 0 : b & ~now[x + kPitch],
                       N < 3 ? 0 : c & ~now[x + 2 * kPitch], N < 4 ? 0 : d & ~now[x + 3 * kPitch]);
      counts[0][x] = ones;
      counts[1][x] = twos;
      counts[2][x] = fours;
      counts[3][x] = eights;
      counts[4][x] = sixteens;
    }
  }

  ZP_HD static void add_counts(Word (*total)[kRun], Word (*counts)[kRun]) {
    Word carry[kRun];
    for (int x = 0; x < kRun; ++x) carry[x] = 0;
    for (int i = 0; i < bit_slice::kColumn; ++i)
      for (int x = 0; x < kRun; ++x) {
        carry[x] = bit_slice::full_add(total[i][x], counts[i][x], carry[x]);
        counts[i][x] = 0;
      }
    for (int i = bit_slice::kColumn; i < bit_slice::kCount; ++i)
      for (int x = 0; x < kRun; ++x) carry[x] = bit_slice::half_add(total[i][x], carry[x]);
  }

  ZP_HD void select_run(Shared& s, int x1, int x0, int y0, int n, int lines, int channel, Key first) const {
    using namespace bit_slice;
    const int side = 2 * radius + 1;
    Word found[kBits][kRun], place[kCount][kRun], total[kCount][kRun], counts[kColumn][kRun], none[kRun];
    for (int i = 0; i < kCount; ++i)
      for (int x = 0; x < kRun; ++x) place[i][x] = rank >> i & 1 ? ~Word(0) : 0;
    for (int i = 0; i < kColumn; ++i)
      for (int x = 0; x < kRun; ++x) counts[i][x] = 0;
    for (int k = 0; k < side * side; ++k)
      for (int x = 0; x < kRun; ++x) s.agreeing[k][x] = ~Word(0);
    // At first everything agrees: as if a bit that is 0 everywhere had been found 0.
    for (int x = 0; x < kRun; ++x) none[x] = 0;
    const Word* last = none;
    const Word* last_found = none;
    std::ptrdiff_t last_pitch = 0, last_step = 0;
    for (int bit = kBits - 1; bit >= 0; --bit) {
      if (!(s.differing >> bit & 1)) {
        for (int x = 0; x < kRun; ++x) found[bit][x] = constant(first, bit);
        continue;
      }
      for (int i = 0; i < kCount; ++i)
        for (int x = 0; x < kRun; ++x) total[i][x] = 0;
      const Word* now = s.shifted[bit][0] + x1;
      int held = 0;
      for (int dx = 0; dx < side; ++dx) {
        if (held + side > kColumnMax) {
          add_counts(total, counts);
          held = 0;
        }
        held += side;
        const Word* before = last + dx * last_step;
        Word(*agreeing)[kRun] = s.agreeing + dx * side;
        int dy = 0;
        for (; dy + 4 <= side; dy += 4)
          count_rows<4>(now + dx + dy * kPitch, before + dy * last_pitch, last_pitch, last_found, agreeing + dy,
                        counts);
        if (side % 4 == 1)
          count_rows<1>(now + dx + dy * kPitch, before + dy * last_pitch, last_pitch, last_found, agreeing + dy,
                        counts);
        else
          count_rows<3>(now + dx + dy * kPitch, before + dy * last_pitch, last_pitch, last_found, agreeing + dy,
                        counts);
      }
      add_counts(total, counts);
      Word rest[kCount][kRun], below[kRun];
      for (int x = 0; x < kRun; ++x) below[x] = 0;
      for (int i = 0; i < kCount; ++i)
        for (int x = 0; x < kRun; ++x) rest[i][x] = subtract(place[i][x], total[i][x], below[x]);
      for (int i = 0; i < kCount; ++i)
        for (int x = 0; x < kRun; ++x) place[i][x] = (place[i][x] & below[x]) | (rest[i][x] & ~below[x]);
      for (int x = 0; x < kRun; ++x) found[bit][x] = ~below[x];
      last = now;
      last_pitch = kPitch;
      last_step = 1;
      last_found = found[bit];
    }
    transpose<kBits>([&](int i, int j, int shift, Word mask) {
      Word* a = found[i];
      Word* b = found[j];
#pragma GCC ivdep
      for (int x = 0; x < kRun; ++x) exchange(a[x], b[x], shift, mask);
    });
    const int columns = n - x1 < kRun ? n - x1 : kRun, channels = in.channels;
    for (int r = 0; r < lines; ++r) {
      const Word* keys = found[r % kBits];
      const int shift = r / kBits * kBits;
      T* to = out.row(y0 + r) + std::ptrdiff_t(x0 + x1) * channels + channel;
      if (channels == 1)
        for (int x = 0; x < columns; ++x) to[x] = Order::value(Key(keys[x] >> shift));
      else
        for (int x = 0; x < columns; ++x) to[std::ptrdiff_t(x) * channels] = Order::value(Key(keys[x] >> shift));
    }
  }

  // ---- a block of a device
  // -------------------------------------------------------------------------------------------

  ZP_HD void load_column(Shared& s, int column, int x0, int y0, int lines, int channel, Key first) const {
    const int x = border_index(x0 - radius + column, in.width, border);
    Key differing = 0;
    for (int half = 0; half < 2; ++half) {
      Word words[kBits];
      ZP_UNROLL
      for (int i = 0; i < kBits; ++i) words[i] = 0;
      ZP_UNROLL
      for (int r = 0; r < 32; ++r) {
        const int row = 32 * half + r;
        Key key = first;
        if (row < lines + 2 * radius) {
          const int y = border_index(y0 - radius + row, in.height, border);
          key = Order::of(x < 0 || y < 0 ? outside : in.row(y)[std::ptrdiff_t(x) * in.channels + channel]);
        }
        differing = Key(differing | (key ^ first));
        words[r % kBits] |= Word(key) << (r / kBits * kBits);
      }
      bit_slice::transpose<kBits>(
          [&](int i, int j, int shift, Word mask) { bit_slice::exchange(words[i], words[j], shift, mask); });
      ZP_UNROLL
      for (int i = 0; i < kBits; ++i) s.plane[half][i][column] = words[i];
    }
    if (differing) or_shared(&s.differing, differing);
  }

  ZP_HD static void or_shared(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
    atomicOr(p, v);
#else
    *p |= v;
#endif
  }

  /// Two columns of pixels, whose windows share all columns but one each.
  ZP_HD void select_pair(const Shared& s, int x1, int x0, int y0, int n, int lines, int channel, Key first) const {
    using namespace bit_slice;
    const int side = 2 * radius + 1;
    const std::uint32_t differing = s.differing;
    Word found[2][kBits], place[2][kCount];
    ZP_UNROLL
    for (int i = 0; i < kCount; ++i) place[0][i] = place[1][i] = rank >> i & 1 ? ~Word(0) : 0;
    ZP_UNROLL
    for (int bit = kBits - 1; bit >= 0; --bit) {
      if (!(differing >> bit & 1)) {
        found[0][bit] = found[1][bit] = constant(first, bit);
        continue;
      }
      Word total[2][kCount] = {}, counts[2][kColumn] = {};
      int held = 0;
      for (int dx = 0; dx <= side; ++dx) {
        const Word mine[2] = {dx < side ? ~Word(0) : 0, dx > 0 ? ~Word(0) : 0};
        Word low[kBits], high[kBits];
        ZP_UNROLL
        for (int b = kBits - 1; b >= 0; --b)
          if (b >= bit) {
            low[b] = s.plane[0][b][x1 + dx];
            high[b] = s.plane[1][b][x1 + dx];
          }
        if (held + side > kColumnMax) {
          add_counts(total[0], counts[0]);
          add_counts(total[1], counts[1]);
          held = 0;
        }
        held += side;
        for (int dy = 0; dy < side; dy += 4) {
          Word zero[2][4];
          ZP_UNROLL
          for (int i = 0; i < 4; ++i) {
            const Word within = dy + i < side ? ~Word(0) : 0;
            Word agreeing[2] = {mine[0] & within, mine[1] & within};
            ZP_UNROLL
            for (int b = kBits - 1; b >= 0; --b)
              if (b > bit) {
                const Word key = shifted(low[b], high[b], dy + i);
                agreeing[0] &= ~(key ^ found[0][b]);
                agreeing[1] &= ~(key ^ found[1][b]);
              }
            const Word key = shifted(low[bit], high[bit], dy + i);
            zero[0][i] = agreeing[0] & ~key;
            zero[1][i] = agreeing[1] & ~key;
          }
          ZP_UNROLL
          for (int o = 0; o < 2; ++o)
            count(counts[o][0], counts[o][1], counts[o][2], counts[o][3], counts[o][4], zero[o][0], zero[o][1],
                  zero[o][2], zero[o][3]);
        }
      }
      ZP_UNROLL
      for (int o = 0; o < 2; ++o) {
        add_counts(total[o], counts[o]);
        Word rest[kCount], below = 0;
        ZP_UNROLL
        for (int i = 0; i < kCount; ++i) rest[i] = subtract(place[o][i], total[o][i], below);
        ZP_UNROLL
        for (int i = 0; i < kCount; ++i) place[o][i] = (place[o][i] & below) | (rest[i] & ~below);
        found[o][bit] = ~below;
      }
    }
    ZP_UNROLL
    for (int o = 0; o < 2; ++o) {
      transpose<kBits>([&](int i, int j, int shift, Word mask) { exchange(found[o][i], found[o][j], shift, mask); });
      if (x1 + o >= n) continue;
      ZP_UNROLL
      for (int r = 0; r < 32; ++r)
        if (r < lines)
          out.row(y0 + r)[std::ptrdiff_t(x0 + x1 + o) * in.channels + channel] =
              Order::value(Key(found[o][r % kBits] >> (r / kBits * kBits)));
    }
  }

  ZP_HD static void add_counts(Word* total, Word* counts) {
    Word carry = 0;
    ZP_UNROLL
    for (int i = 0; i < bit_slice::kColumn; ++i) {
      carry = bit_slice::full_add(total[i], counts[i], carry);
      counts[i] = 0;
    }
    ZP_UNROLL
    for (int i = bit_slice::kColumn; i < bit_slice::kCount; ++i) carry = bit_slice::half_add(total[i], carry);
  }
};

/// The sample of rank `rank` of a square window.
template <class T, class Exec>
void select_rank(Exec& exec, const View<const T>& in, const View<T>& out, int radius, int rank, Border border,
                 float value) {
  using Body = RankTile<T, Exec::name == "cpu">;
  exec.tiles(Body{out, in, border, to_sample<T>(value), radius, rank},
             int((std::int64_t(in.width) + Body::kWide - 1) / Body::kWide) * in.channels,
             int((std::int64_t(in.height) + Body::kHigh - 1) / Body::kHigh));
}

#undef ZP_UNROLL

}  // namespace zp

#endif
