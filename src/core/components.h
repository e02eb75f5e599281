// Connected components as tile programs: what label and flood_fill share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_COMPONENTS_H
#define ZP_CORE_COMPONENTS_H

#include <cstring>
#include <string>

#include "core/atomic.h"
#include "core/op.h"

// Union-find with an atomic minimum (the idea of Komura 2015 and of Allegretti, Bolelli, Grana 2020): the root of a
// component is its smallest node, whatever the order of the unions. A node is the first pixel of a run, which is a
// piece of a row inside one tile whose pixels are joined one to the next; runs are found in 64-bit masks.
namespace zp::components {

inline constexpr int kTileWidth = 64, kTileHeight = 32, kTilePixels = kTileWidth * kTileHeight;
inline constexpr int kThreads = 256, kPiece = kTilePixels / kThreads;  // a thread's piece of a row
inline constexpr int kPieces = kTileWidth / kPiece;                    // pieces of a row of a tile

ZP_HD int lowest_bit(std::uint64_t m) {
#if ZP_ON_DEVICE
  return __ffsll(static_cast<long long>(m)) - 1;
#else
  return __builtin_ctzll(m);
#endif
}
ZP_HD int highest_bit(std::uint64_t m) {
#if ZP_ON_DEVICE
  return 63 - __clzll(static_cast<long long>(m));
#else
  return 63 - __builtin_clzll(m);
#endif
}
ZP_HD int count_bits(std::uint64_t m) {
#if ZP_ON_DEVICE
  return __popcll(m);
#else
  return __builtin_popcountll(m);
#endif
}
ZP_HD bool has_bit(std::uint64_t m, int k) { return (m >> k & 1) != 0; }

/// The first pixel of the run that pixel x of a row lies in.
ZP_HD int run_start(std::uint64_t starts, int x) { return highest_bit(starts & (~std::uint64_t(0) >> (63 - x))); }

/// Calls call(row, column) for a thread's share of a tile: neighbouring threads take neighbouring columns on a device,
/// so that loads coalesce; a thread takes a piece of one row on a CPU, so that loops vectorise.
template <class Call>
ZP_HD void spread(int thread, const Call& call) {
#if ZP_ON_DEVICE
  for (int k = 0; k < kPiece; ++k) call(k * (kThreads / kTileWidth) + thread / kTileWidth, thread % kTileWidth);
#else
  const int row = thread / kPieces, column = thread % kPieces * kPiece;
  for (int k = 0; k < kPiece; ++k) call(row, column + k);
#endif
}

/// As spread, with the value at the start of the pixel's run, or 0 outside: call(row, column, v).
template <class V, class Call>
ZP_HD void spread_runs(int thread, const std::uint64_t* inside, const std::uint64_t* starts, const V* values,
                       const Call& call) {
#if ZP_ON_DEVICE
  spread(thread, [&](int row, int column) {
    call(row, column, has_bit(inside[row], column) ? values[row * kTileWidth + run_start(starts[row], column)] : V(0));
  });
#else
  const int row = thread / kPieces, first = thread % kPieces * kPiece;
  const std::uint64_t in = inside[row] >> first, begins = starts[row] >> first;
  const V* at = values + row * kTileWidth;
  V v = has_bit(in, 0) ? at[run_start(starts[row], first)] : V(0);
  for (int k = 0; k < kPiece; ++k) {
    v = has_bit(begins, k) ? at[first + k] : v;
    call(row, first + k, has_bit(in, k) ? v : V(0));
  }
#endif
}

/// The bits of its row that a thread works on; a CPU thread takes whole rows, since it has all of them to do anyway.
ZP_HD std::uint64_t own_bits(int thread) {
#if ZP_ON_DEVICE
  return std::uint64_t(0xff) << (thread % kPieces * kPiece);
#else
  return thread % kPieces == 0 ? ~std::uint64_t(0) : 0;
#endif
}
static_assert(kPiece == 8);

/// Calls call(k) for every set bit.
template <class Call>
ZP_HD void each_bit(std::uint64_t m, const Call& call) {
  for (; m; m &= m - 1) call(lowest_bit(m));
}

// A tile's own parents are read while others of its threads write them, hence by an atomic that changes nothing.
struct SharedParents {
  static ZP_HD std::uint32_t load(std::uint32_t* p) { return atomic_min_shared(p, 0xffffffffu); }
  static ZP_HD std::uint32_t lower(std::uint32_t* p, std::uint32_t v) { return atomic_min_shared(p, v); }
};
struct GlobalParents {
  static ZP_HD std::uint32_t load(std::uint32_t* p) { return atomic_load(p); }
  static ZP_HD std::uint32_t lower(std::uint32_t* p, std::uint32_t v) { return atomic_min(p, v); }
};

template <class Access>
ZP_HD std::uint32_t find_root(std::uint32_t* parent, std::uint32_t a) {
  for (;;) {
    const std::uint32_t up = Access::load(parent + a);
    if (up == a) return a;
    a = up;
  }
}

template <class Access>
ZP_HD void unite(std::uint32_t* parent, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = find_root<Access>(parent, a);
    b = find_root<Access>(parent, b);
    if (a == b) return;
    if (a < b) {
      const std::uint32_t t = a;
      a = b;
      b = t;
    }
    const std::uint32_t old = Access::lower(parent + a, b);
    if (old == a) return;
    a = old;  // somebody else had hung a: join that one too
  }
}

/// One step of an inclusive scan over the threads of a tile; log2(Threads) steps, which must be an even number, end in
/// a[0].
template <int Step, int Threads, class V>
ZP_HD void scan_step(V (&a)[2][Threads], int thread) {
  constexpr int from = Step & 1, reach = 1 << Step;
  a[1 - from][thread] = a[from][thread] + (thread >= reach ? a[from][thread - reach] : V(0));
}

/// Masks and parents of the whole image, in the executor's scratch memory.
struct Forest {
  std::uint64_t* inside;  ///< a word for 64 pixels of a row
  std::uint64_t* starts;  ///< first pixels of runs
  std::uint32_t* parent;  ///< by pixel number; valid at the first pixels of runs
  int width, height;
  static constexpr std::tuple pointers{&Forest::inside, &Forest::starts, &Forest::parent};

  ZP_HD int words() const { return (width - 1) / kTileWidth + 1; }
  ZP_HD std::int64_t word(int x, int y) const { return std::int64_t(y) * words() + x / kTileWidth; }
  ZP_HD std::uint32_t pixel(int x, int y) const { return std::uint32_t(std::int64_t(y) * width + x); }
  ZP_HD bool is_in(int x, int y) const { return has_bit(inside[word(x, y)], x % kTileWidth); }
  ZP_HD std::uint32_t node(int x, int y) const {
    const int column = x % kTileWidth;
    return pixel(x - column + run_start(starts[word(x, y)], column), y);
  }
};

template <class Exec>
Forest make_forest(Exec& exec, int width, int height) {
  Forest f{nullptr, nullptr, nullptr, width, height};
  const std::size_t words = std::size_t(f.words()) * std::size_t(height);
  f.inside = exec.template scratch<std::uint64_t>(words);
  f.starts = exec.template scratch<std::uint64_t>(words);
  f.parent = exec.template scratch<std::uint32_t>(std::size_t(width) * std::size_t(height));
  return f;
}

// A Link says which pixels belong together: `static constexpr bool uniform` (neighbours inside are always joined),
// is_inside(x, y), and where not uniform joined(x, y, u, v) for two neighbours inside, the same both ways.

/// The pixels that are not 0 belong together.
template <class T>
struct NonZero {
  View<const T> in;
  static constexpr bool uniform = true;
  static constexpr std::tuple pointers{&NonZero::in};
  ZP_HD bool is_inside(int x, int y) const { return in.row(y)[x] != T(0); }
};

/// Components inside each tile.
template <class Link>
struct JoinTiles : Forest, Link {
  static constexpr std::tuple pointers = std::tuple_cat(Forest::pointers, Link::pointers);
  static constexpr int threads = kThreads, phases = 4;
  int connectivity;

  enum Plane { kInside, kWest, kNorth, kNorthWest, kNorthEast, kPlanes };
  struct Shared {
    alignas(8) std::uint8_t flags[kTilePixels];
    alignas(8) std::uint8_t bits[Link::uniform ? 1 : int(kPlanes)][kThreads];
    std::uint32_t parent[kTilePixels];
  };
  static ZP_HD std::uint64_t load8(const std::uint8_t* p) {
    std::uint64_t w;
    memcpy(&w, p, sizeof(w));
    return w;
  }
  static ZP_HD std::uint64_t mask(const Shared& s, Plane plane, int row) {
    return load8(s.bits[plane] + row * kPieces);
  }
  static ZP_HD std::uint64_t west(const Shared& s, int row) {
    if constexpr (Link::uniform) {
      const std::uint64_t m = mask(s, kInside, row);
      return m & (m << 1);
    } else {
      return mask(s, kWest, row);
    }
  }

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int x0 = b.x * kTileWidth, y0 = b.y * kTileHeight, row = b.thread / kPieces;
    if constexpr (P == 0) {
      const Link link = *this;  // bytes written below could be the body's own, as far as a compiler knows
      const int width = this->width, height = this->height;
      const bool eight = connectivity == 8;
      spread(b.thread, [&, link, width, height, eight](int row, int column) {
        const int x = x0 + column, y = y0 + row, i = row * kTileWidth + column;
        s.parent[i] = std::uint32_t(i);
        unsigned flags = 0;
        if (x < width && y < height && link.is_inside(x, y)) {
          flags = 1u << kInside;
          if constexpr (!Link::uniform) {
            const auto test = [&](int u, int v, Plane plane) {
              if (u >= x0 && v >= y0 && u < x0 + kTileWidth && u < width && link.is_inside(u, v) &&
                  link.joined(x, y, u, v))
                flags |= 1u << plane;
            };
            test(x - 1, y, kWest);
            test(x, y - 1, kNorth);
            if (eight) {
              test(x - 1, y - 1, kNorthWest);
              test(x + 1, y - 1, kNorthEast);
            }
          }
        }
        s.flags[i] = std::uint8_t(flags);
      });
    } else if constexpr (P == 1) {
      // Eight flags become eight bits: the product moves bit 8k of the word to bit 56 + k.
      const std::uint64_t flags = load8(s.flags + b.thread * kPiece);
      for (int plane = 0; plane < (Link::uniform ? 1 : int(kPlanes)); ++plane)
        s.bits[plane][b.thread] =
            std::uint8_t((flags >> plane & 0x0101010101010101u) * std::uint64_t(0x0102040810204080u) >> 56);
    } else if constexpr (P == 2) {
      const std::uint64_t own = own_bits(b.thread);
      if (row == 0 || own == 0) return;
      const std::uint64_t in = mask(s, kInside, row), above = mask(s, kInside, row - 1);
      const std::uint64_t w = west(s, row), west_above = west(s, row - 1);
      std::uint64_t north, north_west = 0, north_east = 0;
      if constexpr (Link::uniform) {
        north = in & above;
        if (connectivity == 8) {
          north_west = in & (above << 1);
          north_east = in & (above >> 1);
        }
      } else {
        north = mask(s, kNorth, row);
        north_west = mask(s, kNorthWest, row);
        north_east = mask(s, kNorthEast, row);
      }
      // A link that two others already make is left out: about one union stays for two runs that touch.
      north_west &= ~(north & west_above) & ~(w & (north << 1));
      north_east &= ~(north & (west_above >> 1)) & ~((w >> 1) & (north >> 1));
      north &= ~(w & (north << 1) & west_above);
      const std::uint64_t starts = in & ~w, starts_above = above & ~west_above;
      const auto join = [&](std::uint64_t links, int dx) {
        each_bit(links & own, [&](int x) {
          unite<SharedParents>(s.parent, std::uint32_t(row * kTileWidth + run_start(starts, x)),
                               std::uint32_t((row - 1) * kTileWidth + run_start(starts_above, x + dx)));
        });
      };
      join(north, 0);
      join(north_west, -1);
      join(north_east, 1);
    } else {
      const int y = y0 + row;
      if (y >= this->height) return;
      const std::uint64_t in = mask(s, kInside, row), starts = in & ~west(s, row);
      if (b.thread % kPieces == 0) {
        this->inside[this->word(x0, y)] = in;
        this->starts[this->word(x0, y)] = starts;
      }
      each_bit(starts & own_bits(b.thread), [&](int x) {
        std::uint32_t root = std::uint32_t(row * kTileWidth + x);
        while (s.parent[root] != root) root = s.parent[root];
        this->parent[this->pixel(x0 + x, y)] = this->pixel(x0 + int(root % kTileWidth), y0 + int(root / kTileWidth));
      });
    }
  }
};

/// Joins the tiles: each thread one pixel of its tile's top row or left column.
template <class Link>
struct JoinBorders : Forest, Link {
  static constexpr std::tuple pointers = std::tuple_cat(Forest::pointers, Link::pointers);
  static constexpr int threads = 96, phases = 1;
  static_assert(threads == kTileWidth + kTileHeight);
  struct Shared {};
  int connectivity;

  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    const bool top = b.thread < kTileWidth;
    const int column = top ? b.thread : 0, row = top ? 0 : b.thread - kTileWidth;
    const int x = b.x * kTileWidth + column, y = b.y * kTileHeight + row;
    if (x >= this->width || y >= this->height || (top ? y == 0 : x == 0) || !this->is_in(x, y)) return;
    const auto linked = [&](int u, int v) {
      if (u < 0 || v < 0 || u >= this->width || v >= this->height || !this->is_in(u, v)) return false;
      if constexpr (Link::uniform)
        return true;
      else
        return this->joined(x, y, u, v);
    };
    const auto join = [&](int u, int v) {
      if (linked(u, v)) unite<GlobalParents>(this->parent, this->node(x, y), this->node(u, v));
    };
    const int u = top ? x : x - 1, v = top ? y - 1 : y;  // straight across
    if constexpr (Link::uniform) {
      if (linked(u, v)) {
        // The pixel before, in the same tile, made the same link.
        const bool made = top ? column > 0 && this->is_in(x - 1, y) && this->is_in(x - 1, v)
                              : row > 0 && this->is_in(x, y - 1) && this->is_in(u, y - 1);
        if (!made) join(u, v);
        return;  // what lies diagonally across is joined to the pixel straight across
      }
    } else {
      join(u, v);
    }
    if (connectivity == 8) {
      join(x - 1, y - 1);
      if (top)
        join(x + 1, y - 1);
      else
        join(x - 1, y + 1);
    }
  }
};

inline int tiles_across(int width) { return (width - 1) / kTileWidth + 1; }
inline int tiles_down(int height) { return (height - 1) / kTileHeight + 1; }

/// After it, find_root leads from every node to the first pixel of its component.
template <class Exec, class Link>
Forest join(Exec& exec, const Link& link, int width, int height, int connectivity) {
  const Forest forest = make_forest(exec, width, height);
  const int across = tiles_across(width), down = tiles_down(height);
  exec.tiles(JoinTiles<Link>{forest, link, connectivity}, across, down);
  if (across > 1 || down > 1) exec.tiles(JoinBorders<Link>{forest, link, connectivity}, across, down);
  return forest;
}

inline void require_connectivity(std::string_view operation, int connectivity) {
  if (connectivity != 4 && connectivity != 8)
    refuse(operation, "connectivity = " + std::to_string(connectivity) + ", allowed 4 or 8");
}
/// Pixels are numbered in 32 bits.
inline void require_numbered(std::string_view operation, const PlaneShape& in) {
  if (in.pixels() > 0xffffffffu) refuse(operation, "the image is " + describe(in) + ", more than 4294967295 pixels");
}

}  // namespace zp::components

#endif
