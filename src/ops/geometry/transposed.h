// Swapping rows and columns tile by tile: what transpose and rotate90 share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_TRANSPOSED_H
#define ZP_OPS_GEOMETRY_TRANSPOSED_H

#include "core/op.h"

namespace zp::detail_transposed {

/// Output pixel (x, y) is input pixel (y, x), counted from the far side where mirrored.
struct Place {
  int width, height;  ///< of the input
  bool mirror_x, mirror_y;
  ZP_HD int source_x(int y) const { return mirror_x ? width - 1 - y : y; }
  ZP_HD int source_y(int x) const { return mirror_y ? height - 1 - x : x; }
};

template <class T, int N>
inline constexpr int kSide = sizeof(T) * N <= 2 ? 64 : 32;

/// Rows are read and written in runs; the turn happens in shared memory.
template <class T, int N>
struct SharedTile {
  static constexpr int kSide = detail_transposed::kSide<T, N>;
  static constexpr int threads = 256, phases = 2;
  struct Shared {
    Pixel<T, N> pixels[kSide][kSide + 1];  // one more, so that a column does not fall into one bank
  };
  View<T> out;
  View<const T> in;
  Place place;
  static constexpr std::tuple pointers{&SharedTile::out, &SharedTile::in};

  template <int P>
  ZP_HD void phase(Block2 block, Shared& shared) const {
    for (int k = block.thread; k < kSide * kSide; k += threads) {
      const int i = k % kSide, j = k / kSide;
      if constexpr (P == 0) {
        const int x = block.x * kSide + j, y = block.y * kSide + i;
        if (x < out.width && y < out.height) shared.pixels[j][i] = pixel(in, place.source_x(y), place.source_y(x));
      } else {
        const int x = block.x * kSide + i, y = block.y * kSide + j;
        if (x < out.width && y < out.height)
          for (int c = 0; c < N; ++c) out.row(y)[std::ptrdiff_t(x) * N + c] = shared.pixels[i][j][c];
      }
    }
  }
  ZP_HD static Pixel<T, N> pixel(const View<const T>& v, int x, int y) {
    Pixel<T, N> p;
    for (int c = 0; c < N; ++c) p[c] = v.row(y)[std::ptrdiff_t(x) * N + c];
    return p;
  }
};

/// For the CPU: a tile that fits in L1 is the whole trick, so it goes straight from input to output.
template <class T, int N>
struct CachedTile {
  static constexpr int kSide = 32;
  static constexpr int threads = 1, phases = 1;
  struct Shared {};
  View<T> out;
  View<const T> in;
  Place place;
  static constexpr std::tuple pointers{&CachedTile::out, &CachedTile::in};

  template <int P>
  ZP_HD void phase(Block2 block, Shared&) const {
    const int x0 = block.x * kSide, y0 = block.y * kSide;
    const int columns = smaller(kSide, out.width - x0), lines = smaller(kSide, out.height - y0);
    const std::ptrdiff_t step = (place.mirror_y ? -in.pitch : in.pitch) / std::ptrdiff_t(sizeof(T));
    for (int j = 0; j < lines; ++j) {
      const T* from = in.row(place.source_y(x0)) + std::ptrdiff_t(place.source_x(y0 + j)) * N;
      T* to = out.row(y0 + j) + std::ptrdiff_t(x0) * N;
      for (int i = 0; i < columns; ++i)
        for (int c = 0; c < N; ++c) to[i * N + c] = from[i * step + c];
    }
  }
};

template <template <class, int> class Tile, class T, int N, class Exec>
void launch(Exec& exec, View<T> out, View<const T> in, const Place& place) {
  constexpr int side = Tile<T, N>::kSide;
  exec.tiles(Tile<T, N>{out, in, place}, (out.width + side - 1) / side, (out.height + side - 1) / side);
}

template <class T, int N, class Exec>
void launch(Exec& exec, View<T> out, View<const T> in, const Place& place) {
  if constexpr (Exec::name == "cpu")
    launch<CachedTile, T, N>(exec, out, in, place);
  else
    launch<SharedTile, T, N>(exec, out, in, place);
}

}  // namespace zp::detail_transposed

namespace zp {

template <class T, class Exec>
void transpose_plane(Exec& exec, View<T> out, View<const T> in, bool mirror_x, bool mirror_y) {
  const detail_transposed::Place place{in.width, in.height, mirror_x, mirror_y};
  switch (in.channels) {
    case 1:
      return detail_transposed::launch<T, 1>(exec, out, in, place);
    case 2:
      return detail_transposed::launch<T, 2>(exec, out, in, place);
    case 3:
      return detail_transposed::launch<T, 3>(exec, out, in, place);
    default:
      return detail_transposed::launch<T, 4>(exec, out, in, place);
  }
}

}  // namespace zp

#endif
