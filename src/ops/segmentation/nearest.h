// The nearest seed of every pixel, exactly: what distance and expand_labels share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_NEAREST_H
#define ZP_OPS_SEGMENTATION_NEAREST_H

#include <cstring>

#include "core/components.h"
#include "core/op.h"

// Meijster, Roerdink, Hesselink 2000 (and Felzenszwalb, Huttenlocher 2012): the nearest seed in each row, from bit
// masks, then down each column the lower envelope of the parabolas g^2 + (y - row)^2, in integers throughout. Unlike
// theirs the envelope keeps a parabola that is smallest at a single integer only, where it equals others, so that ties
// can be told. Linear in pixels.
namespace zp::detail_nearest {

inline constexpr int kWidth = components::kTileWidth, kHeight = components::kTileHeight;

/// Seeds of the image; columns of the nearest ones left and right of each word of 64 pixels. By word, then by row.
struct Seeds {
  std::uint64_t* bits;
  std::uint32_t *before, *after;
  int width, height;
  static constexpr std::tuple pointers{&Seeds::bits, &Seeds::before, &Seeds::after};
  // Columns so far off that a distance to them has bit 31 set, whatever the other column.
  static constexpr std::uint32_t kNoneBefore = 0x80000000u, kNoneAfter = 0xffffffffu;

  struct Reach {
    std::uint32_t left, right;
    ZP_HD std::uint32_t nearest() const { return smaller(left, right); }
    ZP_HD bool exists() const { return nearest() < kNoneBefore; }
  };
  ZP_HD int words() const { return (width - 1) / kWidth + 1; }
  ZP_HD std::int64_t word(int x, int y) const { return std::int64_t(x / kWidth) * height + y; }
  /// Distances to the nearest seeds of row y on either side of column x; both 0 at a seed.
  ZP_HD Reach reach(int x, int y) const {
    const std::int64_t w = word(x, y);
    const int column = x % kWidth;
    const std::uint64_t m = bits[w], left = m & (~std::uint64_t(0) >> (kWidth - 1 - column)), right = m >> column;
    const std::uint32_t here = std::uint32_t(x);
    return {left ? std::uint32_t(column - components::highest_bit(left)) : here - before[w],
            right ? std::uint32_t(components::lowest_bit(right)) : after[w] - here};
  }
};

/// A pixel is a seed where its sample is 0 (Zero), or where it is not.
template <class T, bool Zero>
struct MarkSeeds : Seeds {
  View<const T> in;
  static constexpr std::tuple pointers = std::tuple_cat(Seeds::pointers, std::tuple{&MarkSeeds::in});
  static constexpr int threads = components::kThreads, phases = 3;
  struct Shared {
    alignas(8) std::uint8_t flags[components::kTilePixels];
    alignas(8) std::uint8_t bits[threads];
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int x0 = b.x * kWidth, y0 = b.y * kHeight;
    if constexpr (P == 0) {
      const View<const T> from = in;
      components::spread(b.thread, [&, from](int row, int column) {
        const int x = x0 + column, y = y0 + row;
        s.flags[row * kWidth + column] = x < from.width && y < from.height && (from.row(y)[x] == T(0)) == Zero;
      });
    } else if constexpr (P == 1) {
      // Eight flags become eight bits: the product moves bit 8k of the word to bit 56 + k.
      std::uint64_t flags;
      memcpy(&flags, s.flags + b.thread * components::kPiece, sizeof(flags));
      s.bits[b.thread] = std::uint8_t(flags * std::uint64_t(0x0102040810204080u) >> 56);
    } else {
      const int y = y0 + b.thread;
      if (b.thread >= kHeight || y >= this->height) return;
      memcpy(this->bits + this->word(x0, y), s.bits + b.thread * components::kPieces, sizeof(std::uint64_t));
    }
  }
};

/// Each thread a row.
struct CarryAlongRows : Seeds {
  static constexpr std::tuple pointers = Seeds::pointers;
  static constexpr int threads = 64, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const int y = b.x * threads + b.thread, count = words();
    if (y >= height) return;
    std::uint32_t near = kNoneBefore;
    for (int k = 0; k < count; ++k) {
      const std::int64_t w = std::int64_t(k) * height + y;
      const std::uint64_t m = bits[w];
      before[w] = near;
      if (m) near = std::uint32_t(k * kWidth + components::highest_bit(m));
    }
    near = kNoneAfter;
    for (int k = count - 1; k >= 0; --k) {
      const std::int64_t w = std::int64_t(k) * height + y;
      const std::uint64_t m = bits[w];
      after[w] = near;
      if (m) near = std::uint32_t(k * kWidth + components::lowest_bit(m));
    }
  }
};

/// Of each column the rows whose parabolas are smallest somewhere, and from which y on each is at most as large as the
/// one before. By word, then by place in the list, then by column.
struct Envelope : Seeds {
  std::uint32_t *rows, *starts;
  std::uint32_t* counts;  ///< by column
  static constexpr std::tuple pointers =
      std::tuple_cat(Seeds::pointers, std::tuple{&Envelope::rows, &Envelope::starts, &Envelope::counts});

  ZP_HD std::int64_t place(int x, int k) const { return (std::int64_t(x / kWidth) * height + k) * kWidth + x % kWidth; }
  static ZP_HD std::uint64_t square(std::int64_t v) { return std::uint64_t(v * v); }
  ZP_HD std::uint64_t squared_reach(int x, int y) const { return square(std::int64_t(reach(x, y).nearest())); }
};

/// Each thread a column.
struct BuildEnvelope : Envelope {
  static constexpr std::tuple pointers = Envelope::pointers;
  static constexpr int threads = kWidth, phases = 1;
  struct Shared {};
  static ZP_HD std::uint64_t divided_up(std::uint64_t n, std::uint64_t d) {
    n += d - 1;
    // Several times as fast, and all that images up to 32768 x 32768 need.
    if ((n | d) >> 32 == 0) return std::uint32_t(n) / std::uint32_t(d);
    return n / d;
  }
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const int x = b.x * kWidth + b.thread;
    if (x >= width) return;
    int count = 0;
    std::int64_t top = 0, start = 0;
    std::uint64_t top_squared = 0;
    for (std::int64_t y = 0; y < height; ++y) {
      const Reach here = reach(x, int(y));
      if (!here.exists()) continue;
      const std::uint64_t squared = square(std::int64_t(here.nearest()));
      // The last of the list is smallest nowhere any more if the new one lies below it already where it began.
      while (count > 0 && squared + square(y - start) < top_squared + square(start - top)) {
        if (--count == 0) break;
        top = rows[place(x, count - 1)];
        start = starts[place(x, count - 1)];
        top_squared = squared_reach(x, int(top));
      }
      std::uint64_t begin = 0;
      if (count > 0) {
        begin = divided_up(square(y) - square(top) + squared - top_squared, std::uint64_t(2 * (y - top)));
        if (begin >= std::uint64_t(height)) continue;
      }
      rows[place(x, count)] = std::uint32_t(y);
      starts[place(x, count)] = std::uint32_t(begin);
      ++count;
      top = y;
      start = std::int64_t(begin);
      top_squared = squared;
    }
    counts[x] = std::uint32_t(count);
  }
};

/// Hands each pixel to Write: `none(x, y)` where the image has no seed, else `found(envelope, x, y, k, d)`, k being the
/// last in the list of the column that is smallest here, d the squared distance. Each thread a piece of a column.
template <class Write>
struct VisitPixels : Envelope, Write {
  static constexpr std::tuple pointers = std::tuple_cat(Envelope::pointers, Write::pointers);
  static constexpr int threads = kWidth, phases = 1, rows_each = 512;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const int x = b.x * kWidth + b.thread, y0 = b.y * rows_each;
    if (x >= width) return;
    const int end = y0 + smaller(rows_each, height - y0), count = int(counts[x]);
    if (count == 0) {
      for (int y = y0; y < end; ++y) this->none(x, y);
      return;
    }
    int k = 0;
    for (int beyond = count; beyond - k > 1;) {
      const int middle = k + (beyond - k) / 2;
      if (starts[place(x, middle)] <= std::uint32_t(y0))
        k = middle;
      else
        beyond = middle;
    }
    std::int64_t row = rows[place(x, k)];
    std::uint64_t squared = squared_reach(x, int(row));
    const auto next_start = [&] { return k + 1 < count ? starts[place(x, k + 1)] : 0xffffffffu; };
    std::uint32_t next = next_start();
    for (int y = y0; y < end; ++y) {
      if (next <= std::uint32_t(y)) {
        do {
          ++k;
          next = next_start();
        } while (next <= std::uint32_t(y));
        row = rows[place(x, k)];
        squared = squared_reach(x, int(row));
      }
      this->found(static_cast<const Envelope&>(*this), x, y, k, squared + square(y - row));
    }
  }
};

template <bool Zero, class T, class Write, class Exec>
void visit(Exec& exec, const View<const T>& in, const Write& write) {
  const std::size_t height = std::size_t(in.height);
  const int across = components::tiles_across(in.width), down = components::tiles_down(in.height);
  Seeds seeds{nullptr, nullptr, nullptr, in.width, in.height};
  const std::size_t words = std::size_t(across) * height;
  seeds.bits = exec.template scratch<std::uint64_t>(words);
  seeds.before = exec.template scratch<std::uint32_t>(words);
  seeds.after = exec.template scratch<std::uint32_t>(words);
  exec.tiles(MarkSeeds<T, Zero>{seeds, in}, across, down);
  exec.tiles(CarryAlongRows{seeds}, (in.height - 1) / CarryAlongRows::threads + 1, 1);
  const Envelope envelope{seeds, exec.template scratch<std::uint32_t>(words * kWidth),
                          exec.template scratch<std::uint32_t>(words * kWidth),
                          exec.template scratch<std::uint32_t>(std::size_t(in.width))};
  exec.tiles(BuildEnvelope{envelope}, across, 1);
  exec.tiles(VisitPixels<Write>{envelope, write}, across, (in.height - 1) / VisitPixels<Write>::rows_each + 1);
}

}  // namespace zp::detail_nearest

#endif
