// Numbers of connected objects.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_LABEL_H
#define ZP_OPS_SEGMENTATION_LABEL_H

#include "core/components.h"
#include "core/op.h"

namespace zp {

namespace detail_label {

using components::Forest;

inline constexpr int kChunk = 256;  ///< words of 64 pixels

/// Where the first pixels of the objects are, and how many come before them: the number of an object is a count of
/// bits.
struct Ranks : Forest {
  std::uint64_t* roots;         ///< a bit for each first pixel
  std::uint32_t* before;        ///< roots of the chunk before this word
  std::uint32_t* chunk_before;  ///< roots of the image before this chunk; the total behind the last
  static constexpr std::tuple pointers =
      std::tuple_cat(Forest::pointers, std::tuple{&Ranks::roots, &Ranks::before, &Ranks::chunk_before});

  ZP_HD std::uint32_t number(std::uint32_t root) const {
    const std::uint32_t y = root / std::uint32_t(width), x = root - y * std::uint32_t(width);
    const std::int64_t w = word(int(x), int(y));
    const std::uint64_t earlier = roots[w] & ((std::uint64_t(1) << x % 64) - 1);
    return chunk_before[w / kChunk] + before[w] + std::uint32_t(components::count_bits(earlier)) + 1;
  }
};

/// Every node gets its root; roots are marked and counted.
struct CountRoots : Ranks {
  static constexpr std::tuple pointers = Ranks::pointers;
  static constexpr int threads = kChunk, steps = 8, phases = steps + 2;
  struct Shared {
    std::uint32_t sum[2][threads];
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const std::int64_t w = std::int64_t(b.x) * kChunk + b.thread, count = std::int64_t(words()) * height;
    if constexpr (P == 0) {
      std::uint64_t found = 0;
      if (w < count) {
        const int y = int(w / words()), x0 = int(w % words()) * components::kTileWidth;
        components::each_bit(starts[w], [&](int x) {
          const std::uint32_t node = pixel(x0 + x, y);
          const std::uint32_t root = components::find_root<components::GlobalParents>(parent, node);
          if (root == node)
            found |= std::uint64_t(1) << x;
          else
            atomic_store(parent + node, root);
        });
        roots[w] = found;
      }
      s.sum[0][b.thread] = std::uint32_t(components::count_bits(found));
    } else if constexpr (P <= steps) {
      components::scan_step<P - 1>(s.sum, b.thread);
    } else {
      if (w < count) before[w] = b.thread ? s.sum[0][b.thread - 1] : 0;
      if (b.thread == threads - 1) chunk_before[b.x] = s.sum[0][b.thread];
    }
  }
};

/// Counts of the chunks become counts before them; one tile.
struct SumChunks {
  std::uint32_t* chunk_before;
  int chunks;
  static constexpr std::tuple pointers{&SumChunks::chunk_before};
  static constexpr int threads = 1024, steps = 10, phases = steps + 2;
  struct Shared {
    std::uint32_t sum[2][threads];
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int each = (chunks - 1) / threads + 1;
    const std::int64_t first = std::int64_t(b.thread) * each, end = smaller<std::int64_t>(first + each, chunks);
    if constexpr (P == 0) {
      std::uint32_t sum = 0;
      for (std::int64_t k = first; k < end; ++k) sum += chunk_before[k];
      s.sum[0][b.thread] = sum;
    } else if constexpr (P <= steps) {
      components::scan_step<P - 1>(s.sum, b.thread);
    } else {
      std::uint32_t sum = b.thread ? s.sum[0][b.thread - 1] : 0;
      for (std::int64_t k = first; k < end; ++k) {
        const std::uint32_t n = chunk_before[k];
        chunk_before[k] = sum;
        sum += n;
      }
      if (b.thread == threads - 1) chunk_before[chunks] = sum;
    }
  }
};

struct WriteLabels : Ranks {
  View<std::uint32_t> out;
  static constexpr std::tuple pointers = std::tuple_cat(Ranks::pointers, std::tuple{&WriteLabels::out});
  static constexpr int threads = components::kThreads, phases = 2;
  struct Shared {
    std::uint64_t inside[components::kTileHeight], starts[components::kTileHeight];
    std::uint32_t number[components::kTilePixels];
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    using namespace components;
    const int x0 = b.x * kTileWidth, y0 = b.y * kTileHeight;
    if constexpr (P == 0) {
      const int row = b.thread / kPieces, y = y0 + row;
      const bool exists = y < height;
      const std::int64_t w = exists ? word(x0, y) : 0;
      const std::uint64_t first = exists ? starts[w] : 0;
      if (b.thread % kPieces == 0) {
        s.inside[row] = exists ? inside[w] : 0;
        s.starts[row] = first;
      }
      each_bit(first & own_bits(b.thread),
               [&](int x) { s.number[row * kTileWidth + x] = number(parent[pixel(x0 + x, y)]); });
    } else {
      const View<std::uint32_t> to = out;
      spread_runs(b.thread, s.inside, s.starts, s.number, [&, to](int row, int column, std::uint32_t n) {
        const int x = x0 + column, y = y0 + row;
        if (x < to.width && y < to.height) to.row(y)[x] = n;
      });
    }
  }
};

}  // namespace detail_label

/// Connected objects of non-zero pixels, numbered 1..N in raster order of their first pixels; 0 is background. A pixel
/// belongs to the foreground where v != 0, so NaN does. One channel, up to 2^32 - 1 pixels; as many labels as there are
/// objects.
struct Label {
  using Shape = Composite;
  static constexpr Info info{
      .name = "label",
      .family = "segmentation",
      .summary = "connected objects, numbered from 1",
      .channels = kOneChannel,
      .output = Output::u32,
      .empty_result = true,
      .opencv = "same objects as connectedComponents, which numbers them by block or by pixel; u16 and f32 too",
      .scikit_image = "same as measure.label of image != 0; connectivity 4 is 1 there, 8 is 2",
      .npp = "differs: LabelMarkersUF gives gaps in the labels that CompressMarkerLabels closes"};

  int connectivity = 8;
  static constexpr std::tuple parameters{
      parameter("connectivity", &Label::connectivity, "neighbours of a pixel: 4 or 8", {.low = 4, .high = 8})};
  static constexpr Case cases[] = {{""}, {"connectivity=4"}, {"connectivity=8", bit(Format::u8)}};

  struct Result {
    std::int64_t count = 0;  ///< objects
    static constexpr std::tuple fields{field("count", &Result::count)};
  };

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_connectivity(info.name, connectivity);
    components::require_numbered(info.name, in[0]);
    return {in[0].width, in[0].height, 1, Format::u32};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    using namespace detail_label;
    const View<const In> in = operands.input<In>();
    const Forest forest = components::join(exec, components::NonZero<In>{in}, in.width, in.height, connectivity);
    const std::int64_t words = std::int64_t(forest.words()) * in.height;
    const int chunks = int((words - 1) / kChunk + 1);
    const Ranks ranks{forest, exec.template scratch<std::uint64_t>(std::size_t(words)),
                      exec.template scratch<std::uint32_t>(std::size_t(words)),
                      exec.template scratch<std::uint32_t>(std::size_t(chunks) + 1)};
    exec.tiles(CountRoots{ranks}, chunks, 1);
    exec.tiles(SumChunks{ranks.chunk_before, chunks}, 1, 1);
    exec.tiles(WriteLabels{ranks, operands.output<std::uint32_t>()}, components::tiles_across(in.width),
               components::tiles_down(in.height));
    result.count = std::int64_t(exec.download(ranks.chunk_before + chunks));
  }
};

}  // namespace zp

#endif
ZP_OP(Label)
