// Fill of the region around a seed.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_FLOOD_FILL_H
#define ZP_OPS_SEGMENTATION_FLOOD_FILL_H

#include <vector>

#include "core/components.h"
#include "core/op.h"

namespace zp {

namespace detail_flood_fill {

using components::Forest;

/// Copies the seed's samples to where every block may read them cheaply.
template <class T>
struct ReadSeed {
  View<const T> in;
  int x, y;
  T* seed;
  static constexpr std::tuple pointers{&ReadSeed::in, &ReadSeed::seed};
  static constexpr int threads = 4, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    if (b.thread < in.channels) seed[b.thread] = in.at(x, y, b.thread);
  }
};

/// A step from a to b is allowed if b is at most `low` below and at most `high` above a; equal infinities are equal.
template <class T>
ZP_HD bool reaches(T a, T b, float low, float high) {
  const float step = float(b) - float(a);
  return (b == a) | ((step >= -low) & (step <= high));
}
template <class T>
ZP_HD bool reaches(const T* a, const T* b, int channels, float low, float high) {
  bool all = reaches(a[0], b[0], low, high);
  for (int c = 1; c < channels; ++c) all = all & reaches(a[c], b[c], low, high);
  return all;
}

template <class T>
struct FixedLink {
  View<const T> in;
  const T* seed;
  float low, high;
  int seed_x, seed_y;
  static constexpr bool uniform = true;
  static constexpr std::tuple pointers{&FixedLink::in, &FixedLink::seed};
  ZP_HD bool is_inside(int x, int y) const {
    return reaches(seed, &in.at(x, y), in.channels, low, high) || (x == seed_x && y == seed_y);
  }
};

template <class T>
struct FloatingLink {
  View<const T> in;
  float reach;  ///< both ways
  static constexpr bool uniform = false;
  static constexpr std::tuple pointers{&FloatingLink::in};
  ZP_HD bool is_inside(int, int) const { return true; }
  ZP_HD bool joined(int x, int y, int u, int v) const {
    return reaches(&in.at(x, y), &in.at(u, v), in.channels, reach, reach);
  }
};

/// Components that were reached, a bit at each one's root.
struct Reached : Forest {
  std::uint32_t* bits;
  static constexpr std::tuple pointers = std::tuple_cat(Forest::pointers, std::tuple{&Reached::bits});
  ZP_HD std::uint32_t root(int x, int y) const {
    return components::find_root<components::GlobalParents>(parent, node(x, y));
  }
  ZP_HD bool has(std::uint32_t r) const { return (atomic_load(bits + r / 32) >> r % 32 & 1) != 0; }
  ZP_HD void set(std::uint32_t r) const { atomic_or(bits + r / 32, std::uint32_t(1) << r % 32); }
};

struct MarkSeed : Reached {
  int x, y;
  static constexpr std::tuple pointers = Reached::pointers;
  static constexpr int threads = 1, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2, Shared&) const {
    set(root(x, y));
  }
};

/// Where low and high differ, a step may be allowed in one direction only: from a component that was reached into one
/// that was not.
template <class T>
struct Advance : Reached {
  View<const T> in;
  float low, high;
  int connectivity;
  std::uint32_t* changed;
  static constexpr std::tuple pointers = std::tuple_cat(Reached::pointers, std::tuple{&Advance::in, &Advance::changed});
  static constexpr int threads = components::kThreads, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    using namespace components;
    spread(b.thread, [&](int row, int column) {
      const int x = b.x * kTileWidth + column, y = b.y * kTileHeight + row;
      if (x >= width || y >= height || !has(root(x, y))) return;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int u = x + dx, v = y + dy;
          if ((dx == 0 && dy == 0) || (connectivity == 4 && dx != 0 && dy != 0)) continue;
          if (u < 0 || v < 0 || u >= width || v >= height) continue;
          if (!reaches(&in.at(x, y), &in.at(u, v), in.channels, low, high)) continue;
          const std::uint32_t r = root(u, v);
          if (has(r)) continue;
          set(r);
          atomic_or(changed, 1u);
        }
    });
  }
};

struct Found {
  std::uint64_t count;
  std::uint32_t left, top, right, bottom;  ///< inclusive
};

/// Writes the filled image, counts what was filled and bounds it.
template <class T>
struct WriteFilled : Forest {
  View<const T> in;
  View<T> out;
  int seed_x, seed_y;
  struct Samples {
    T of[4];
  } value;
  std::uint32_t* bits;  ///< of Reached, or null: the seed's component
  Found* found;
  static constexpr std::tuple pointers = std::tuple_cat(
      Forest::pointers, std::tuple{&WriteFilled::in, &WriteFilled::out, &WriteFilled::bits, &WriteFilled::found});
  static constexpr int threads = components::kThreads, phases = 4;
  struct Shared {
    std::uint64_t inside[components::kTileHeight], starts[components::kTileHeight];
    std::uint8_t filled[components::kTilePixels];  ///< at the first pixels of runs
    std::uint32_t seed_root, count, left, top, right, bottom;
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    using namespace components;
    const int x0 = b.x * kTileWidth, y0 = b.y * kTileHeight;
    const auto root_of = [&](std::uint32_t node) { return find_root<GlobalParents>(this->parent, node); };
    if constexpr (P == 0) {
      if (b.thread != 0) return;
      s.seed_root = root_of(this->node(seed_x, seed_y));
      s.count = s.right = s.bottom = 0;
      s.left = s.top = 0xffffffffu;
    } else if constexpr (P == 1) {
      const int row = b.thread / kPieces, y = y0 + row;
      const bool exists = y < this->height;
      const std::int64_t w = exists ? this->word(x0, y) : 0;
      const std::uint64_t first = exists ? this->starts[w] : 0;
      if (b.thread % kPieces == 0) {
        s.inside[row] = exists ? this->inside[w] : 0;
        s.starts[row] = first;
      }
      each_bit(first & own_bits(b.thread), [&](int x) {
        const std::uint32_t r = root_of(this->pixel(x0 + x, y));
        s.filled[row * kTileWidth + x] = bits ? (atomic_load(bits + r / 32) >> r % 32 & 1) != 0 : r == s.seed_root;
      });
    } else if constexpr (P == 2) {
      const View<const T> from = in;
      const View<T> to = out;
      const Samples fill = value;
      std::uint32_t count = 0, left = 0xffffffffu, top = 0xffffffffu, right = 0, bottom = 0;
      spread_runs(b.thread, s.inside, s.starts, s.filled,
                  [&, from, to, fill](int row, int column, std::uint8_t filled) {
                    const int x = x0 + column, y = y0 + row;
                    if (x >= to.width || y >= to.height) return;
                    const std::uint32_t u = std::uint32_t(x), v = std::uint32_t(y);
                    count += filled;
                    left = filled && u < left ? u : left;
                    top = filled && v < top ? v : top;
                    right = filled && u > right ? u : right;
                    bottom = filled && v > bottom ? v : bottom;
                    const T* p = &from.at(x, y);
                    T* q = &to.at(x, y);
                    q[0] = filled ? fill.of[0] : p[0];
                    for (int c = 1; c < to.channels; ++c) q[c] = filled ? fill.of[c] : p[c];
                  });
      if (count == 0) return;
      atomic_add_shared(&s.count, count);
      atomic_min_shared(&s.left, left);
      atomic_min_shared(&s.top, top);
      atomic_max_shared(&s.right, right);
      atomic_max_shared(&s.bottom, bottom);
    } else {
      if (b.thread != 0 || s.count == 0) return;
      atomic_add(&found->count, std::uint64_t(s.count));
      atomic_min(&found->left, s.left);
      atomic_min(&found->top, s.top);
      atomic_max(&found->right, s.right);
      atomic_max(&found->bottom, s.bottom);
    }
  }
};

}  // namespace detail_flood_fill

/// The connected region around pixel (x, y) becomes `value`; all else is copied. A pixel belongs to the region if steps
/// between neighbours lead to it from the seed, each to a pixel that is at most `low` below and at most `high` above,
/// in every channel: the seed (range=fixed, so that no pixel farther from the seed's value is ever filled), or the
/// neighbour stepped from (range=floating, which follows gradients). Differences are taken in f32, so nothing wraps;
/// NaN is never stepped to, and around a NaN seed the seed alone is filled. Count and box are those of the region,
/// whatever its value was before. Any channel count, up to 2^32 - 1 pixels. Floating with low != high is solved in
/// rounds, the more the oftener a path changes direction.
struct FloodFill {
  using Shape = Composite;
  static constexpr Info info{
      .name = "flood_fill",
      .family = "segmentation",
      .summary = "fill the region around a seed",
      .opencv =
          "same as floodFill with low, high = loDiff, upDiff, range=fixed being FLOODFILL_FIXED_RANGE; "
          "u16 and 2 or 4 channels too",
      .scikit_image = "range=fixed same as flood_fill with tolerance",
      .npp = "same as FloodFill, FloodFillRange for range=fixed"};
  enum class Range : int { fixed, floating };
  static constexpr std::string_view kRanges[] = {"fixed", "floating"};

  int x = 0, y = 0;
  std::vector<float> value{};
  float tolerance = 0;
  float low = kAutomatic, high = kAutomatic;
  Range range = Range::fixed;
  int connectivity = 4;
  static constexpr std::tuple parameters{
      parameter("x", &FloodFill::x, "column of the seed", {.low = 0, .high = 2147483647, .unit = "pixels"}),
      parameter("y", &FloodFill::y, "row of the seed", {.low = 0, .high = 2147483647, .unit = "pixels"}),
      parameter("value", &FloodFill::value, "what the region becomes: one number, or one per channel",
                {.unit = "pixel value", .automatic = "white of the format", .min_count = 1, .max_count = 4}),
      parameter("tolerance", &FloodFill::tolerance, "low and high where they are not given",
                {.low = 0, .unit = "pixel value"}),
      parameter("low", &FloodFill::low, "how far below a pixel may lie",
                {.low = 0, .unit = "pixel value", .automatic = "tolerance"}),
      parameter("high", &FloodFill::high, "how far above a pixel may lie",
                {.low = 0, .unit = "pixel value", .automatic = "tolerance"}),
      parameter("range", &FloodFill::range, "compare with the seed or with the neighbour", {.choices = kRanges}),
      parameter("connectivity", &FloodFill::connectivity, "neighbours of a pixel: 4 or 8", {.low = 4, .high = 8})};
  static constexpr Case cases[] = {
      {"value=77,tolerance=100", bit(Format::u8)},      {"tolerance=25000,connectivity=8", bit(Format::u16)},
      {"value=0.5,tolerance=0.4", kFloatFormat},        {"range=floating,tolerance=60,connectivity=8", bit(Format::u8)},
      {"range=floating,tolerance=0.2", kFloatFormat},   {"range=floating,low=9000,high=30000", bit(Format::u16)},
      {"value=1/2/3,tolerance=120", bit(Format::u8), 3}};

  struct Result {
    std::int64_t count = 0;                   ///< pixels filled
    int x = 0, y = 0, width = 0, height = 0;  ///< their bounding box
    static constexpr std::tuple fields{field("count", &Result::count), field("x", &Result::x), field("y", &Result::y),
                                       field("width", &Result::width), field("height", &Result::height)};
  };

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_connectivity(info.name, connectivity);
    components::require_numbered(info.name, in[0]);
    const auto inside = [](std::string_view name, int v, int size) {
      if (v < 0 || v >= size)
        refuse(info.name, std::string(name) + " = " + std::to_string(v) + ", allowed 0 to " + std::to_string(size - 1));
    };
    if (in[0].empty()) refuse(info.name, "the image is empty (" + describe(in[0]) + "), so the seed lies outside");
    inside("x", x, in[0].width);
    inside("y", y, in[0].height);
    if (value.size() > 1 && value.size() != std::size_t(in[0].channels))
      refuse(info.name, "value has " + std::to_string(value.size()) + " numbers, the image has " +
                            std::to_string(in[0].channels) + (in[0].channels == 1 ? " channel" : " channels"));
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    using namespace detail_flood_fill;
    const View<const In> in = operands.input<In>();
    const int across = components::tiles_across(in.width), down = components::tiles_down(in.height);
    const float below = is_automatic(low) ? tolerance : low, above = is_automatic(high) ? tolerance : high;
    Forest forest;
    std::uint32_t* bits = nullptr;
    if (range == Range::fixed) {
      In* seed = exec.template scratch<In>(4);
      exec.tiles(ReadSeed<In>{in, x, y, seed}, 1, 1);
      forest = components::join(exec, FixedLink<In>{in, seed, below, above, x, y}, in.width, in.height, connectivity);
    } else {
      forest = components::join(exec, FloatingLink<In>{in, smaller(below, above)}, in.width, in.height, connectivity);
      if (below != above) bits = advance(exec, in, forest, below, above);
    }
    const Found nothing{0, 0xffffffffu, 0xffffffffu, 0, 0};
    Found* found = const_cast<Found*>(exec.upload(std::span<const Found>(&nothing, 1)));
    WriteFilled<In> write{forest, in, operands.output<In>(), x, y, {}, bits, found};
    for (int c = 0; c < in.channels; ++c)
      write.value.of[c] =
          value.empty() ? In(white_of(format_of<In>)) : to_sample<In>(value[value.size() > 1 ? std::size_t(c) : 0]);
    exec.tiles(write, across, down);
    const Found all = exec.download(static_cast<const Found*>(found));
    result.count = std::int64_t(all.count);
    result.x = int(all.left);
    result.y = int(all.top);
    result.width = int(all.right - all.left) + 1;
    result.height = int(all.bottom - all.top) + 1;
  }

 private:
  template <class In, class Exec>
  std::uint32_t* advance(Exec& exec, View<const In> in, const detail_flood_fill::Forest& forest, float below,
                         float above) const {
    using namespace detail_flood_fill;
    const std::size_t words = (std::size_t(in.width) * std::size_t(in.height) + 31) / 32;
    std::uint32_t* bits = exec.template scratch<std::uint32_t>(words);
    exec.fill(bits, words);
    const Reached reached{forest, bits};
    exec.tiles(MarkSeed{reached, x, y}, 1, 1);
    std::uint32_t* changed = exec.template scratch<std::uint32_t>(1);
    do {
      exec.fill(changed, 1);
      exec.tiles(Advance<In>{reached, in, below, above, connectivity, changed}, components::tiles_across(in.width),
                 components::tiles_down(in.height));
    } while (exec.download(static_cast<const std::uint32_t*>(changed)) != 0);
    return bits;
  }
};

}  // namespace zp

#endif
ZP_OP(FloodFill)
