// Objects of a mask, some of which vanish: what clear_border and remove_small share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_MORPHOLOGY_OBJECTS_H
#define ZP_OPS_MORPHOLOGY_OBJECTS_H

#include "core/atomic.h"
#include "core/components.h"
#include "core/op.h"

namespace zp::objects {

using components::Forest;

/// A number for each object, at its first pixel: an object stays if that is at least `least`.
struct Scores : Forest {
  std::uint32_t* score;  ///< by pixel number
  std::uint32_t least;
  static constexpr std::tuple pointers = std::tuple_cat(Forest::pointers, std::tuple{&Scores::score});
  ZP_HD std::uint32_t root(std::uint32_t node) const {
    return components::find_root<components::GlobalParents>(parent, node);
  }
};

/// Copies the objects that stay; all else becomes 0.
template <class T>
struct KeepObjects : Scores {
  View<const T> in;
  View<T> out;
  static constexpr std::tuple pointers =
      std::tuple_cat(Scores::pointers, std::tuple{&KeepObjects::in, &KeepObjects::out});
  static constexpr int threads = components::kThreads, phases = 2;
  struct Shared {
    std::uint64_t inside[components::kTileHeight], starts[components::kTileHeight];
    std::uint8_t kept[components::kTilePixels];  // at the first pixels of runs
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    using namespace components;
    const int x0 = b.x * kTileWidth, y0 = b.y * kTileHeight;
    if constexpr (P == 0) {
      const int row = b.thread / kPieces, y = y0 + row;
      const bool exists = y < this->height;
      const std::int64_t w = exists ? this->word(x0, y) : 0;
      const std::uint64_t first = exists ? this->starts[w] : 0;
      if (b.thread % kPieces == 0) {
        s.inside[row] = exists ? this->inside[w] : 0;
        s.starts[row] = first;
      }
      each_bit(first & own_bits(b.thread), [&](int x) {
        s.kept[row * kTileWidth + x] = this->score[this->root(this->pixel(x0 + x, y))] >= this->least;
      });
    } else {
      const View<const T> from = in;
      const View<T> to = out;
      spread_runs(b.thread, s.inside, s.starts, s.kept, [&, from, to](int row, int column, std::uint8_t kept) {
        const int x = x0 + column, y = y0 + row;
        if (x < to.width && y < to.height) to.row(y)[x] = kept ? from.row(y)[x] : T(0);
      });
    }
  }
};

/// Each object's pixels are counted.
struct CountPixels : Scores {
  static constexpr std::tuple pointers = Scores::pointers;
  static constexpr int threads = components::kThreads, phases = 3;
  struct Shared {
    std::uint32_t frequent, count;  // an object of this tile, and its pixels here: large ones are counted tile by tile
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    using namespace components;
    const int row = b.thread / kPieces, x0 = b.x * kTileWidth, y = b.y * kTileHeight + row;
    if constexpr (P == 0) {
      if (b.thread != 0) return;
      s.frequent = 0xffffffffu;
      s.count = 0;
      // The longest first run of a row tells of a large object.
      int longest = 0;
      for (int k = y; k < y + kTileHeight && k < this->height; ++k) {
        const std::uint64_t first = this->starts[this->word(x0, k)];
        if (first == 0) continue;
        const int x = lowest_bit(first), n = length(x0, k, x);
        if (n <= longest) continue;
        longest = n;
        s.frequent = this->pixel(x0 + x, k);
      }
      if (longest > 0) s.frequent = this->root(s.frequent);
    } else if constexpr (P == 1) {
      if (y >= this->height) return;
      std::uint32_t here = 0;
      each_bit(this->starts[this->word(x0, y)] & own_bits(b.thread), [&](int x) {
        const std::uint32_t r = this->root(this->pixel(x0 + x, y)), n = std::uint32_t(length(x0, y, x));
        if (r == s.frequent)
          here += n;
        else
          atomic_add(this->score + r, n);
      });
      if (here) atomic_add_shared(&s.count, here);
    } else {
      if (b.thread == 0 && s.count) atomic_add(this->score + s.frequent, s.count);
    }
  }
  /// Pixels of the run that begins at column x of a word.
  ZP_HD int length(int x0, int y, int x) const {
    const std::int64_t w = word(x0, y);
    // It ends before the next run, or before the next pixel outside.
    const std::uint64_t ends = (~inside[w] | (starts[w] & ~(std::uint64_t(1) << x))) >> x;
    return ends ? components::lowest_bit(ends) : components::kTileWidth - x;
  }
};

/// The score of objects along the border becomes 0; `score` holds 0xff in all bytes before.
struct MarkBorder : Scores {
  static constexpr std::tuple pointers = Scores::pointers;
  static constexpr int threads = components::kThreads, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const std::int64_t k = std::int64_t(b.x) * threads + b.thread;
    if (k < width) {
      mark(int(k), 0);
      mark(int(k), height - 1);
    }
    if (k < height) {
      mark(0, int(k));
      mark(width - 1, int(k));
    }
  }
  ZP_HD void mark(int x, int y) const {
    if (is_in(x, y)) atomic_store(score + root(node(x, y)), 0);
  }
};

template <class T, class Exec>
Scores join(Exec& exec, const View<const T>& in, int connectivity, std::uint32_t least) {
  const Forest forest = components::join(exec, components::NonZero<T>{in}, in.width, in.height, connectivity);
  return {forest, exec.template scratch<std::uint32_t>(std::size_t(in.width) * std::size_t(in.height)), least};
}
template <class T, class Exec>
void keep(Exec& exec, const Scores& scores, const View<const T>& in, const View<T>& out) {
  exec.tiles(KeepObjects<T>{scores, in, out}, components::tiles_across(in.width), components::tiles_down(in.height));
}

}  // namespace zp::objects

#endif
