// Sums over the pixels of an image whose terms need more than one sample.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_PIXEL_SUMS_H
#define ZP_OPS_STATISTICS_PIXEL_SUMS_H

#include "core/op.h"

namespace zp {

namespace detail_pixel_sums {

/// A tile of columns x rows pixels: one lane for each column, top to bottom; the lanes join by halves.
template <class Terms>
struct Tile : Terms {
  using Value = typename Terms::Value;
  int width, height, across;  ///< pixels, pixels, tiles
  Value* to;
  static constexpr auto pointers = std::tuple_cat(Terms::pointers, std::tuple{&Tile::to});

  static constexpr int threads = 256, phases = 9, kRows = 16;
  struct Shared {
    Value lane[threads];
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    if constexpr (P == 0) {
      const std::int64_t x = std::int64_t(b.x) * threads + b.thread, y0 = std::int64_t(b.y) * kRows;
      const int rows = x < width ? int(smaller(std::int64_t(kRows), height - y0)) : 0;
      Value v = this->zero();
      for (int k = 0; k < rows; ++k) this->add(v, int(x), int(y0) + k);
      s.lane[b.thread] = v;
    } else {
      constexpr int kHalf = threads >> P;
      if (b.thread < kHalf) s.lane[b.thread] = this->join(s.lane[b.thread], s.lane[b.thread + kHalf]);
      if constexpr (P == phases - 1)
        if (b.thread == 0) to[std::int64_t(b.y) * across + b.x] = s.lane[0];
    }
  }
};

}  // namespace detail_pixel_sums

/// What tiles have found, joined in raster order.
template <class Join, class Value, class Exec>
Value joined_tiles(Exec& exec, const Join& join, const Value* values, std::int64_t count) {
  const std::vector<Value> all = exec.download(values, std::size_t(count));
  Value v = join.zero();
  for (const Value& next : all) v = join.join(v, next);
  return v;
}

/// Terms: a functor with `pointers`, Value zero(), void add(Value&, int x, int y) and Value join(Value, Value). The
/// order of the sum depends on the size alone.
template <class Exec, class Terms>
typename Terms::Value sum_pixels(Exec& exec, const Terms& terms, int width, int height) {
  using Body = detail_pixel_sums::Tile<Terms>;
  const int across = int((std::int64_t(width) + Body::threads - 1) / Body::threads);
  const int down = int((std::int64_t(height) + Body::kRows - 1) / Body::kRows);
  const std::int64_t count = std::int64_t(across) * down;
  auto* to = exec.template scratch<typename Terms::Value>(std::size_t(count));
  exec.tiles(Body{terms, width, height, across, to}, across, down);
  return joined_tiles(exec, terms, to, count);
}

}  // namespace zp

#endif
