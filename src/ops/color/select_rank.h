// Exact order statistics of the three colour channels, eight bits of the sample at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_SELECT_RANK_H
#define ZP_OPS_COLOR_SELECT_RANK_H

#include <array>
#include <cmath>
#include <cstring>

#include "core/atomic.h"
#include "core/op.h"

namespace zp::detail_select_rank {

/// An unsigned number in the order of the samples.
template <class T>
ZP_HD std::uint32_t key_of(T v) {
  if constexpr (std::is_same_v<T, float>) {
    std::uint32_t bits;
    std::memcpy(&bits, &v, sizeof(bits));
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  } else {
    return v;
  }
}
template <class T>
T sample_of(std::uint32_t key) {
  if constexpr (std::is_same_v<T, float>) {
    const std::uint32_t bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
    float v;
    std::memcpy(&v, &bits, sizeof(v));
    return v;
  } else {
    return static_cast<T>(key);
  }
}

/// Counts one byte of the keys that agree with a prefix above it. NaN is left out.
template <class T>
struct CountByte {
  static constexpr int threads = 256, phases = 3;
  static constexpr int kRows = 16;
  struct Shared {
    std::uint32_t bins[3 * 256];
  };
  View<const T> in;
  std::uint64_t* bins;
  std::uint32_t prefix[3];
  int shift;
  static constexpr std::tuple pointers{&CountByte::in, &CountByte::bins};

  template <int P>
  ZP_HD void phase(Block2 block, Shared& shared) const {
    if constexpr (P == 0) {
      for (int k = block.thread; k < 3 * 256; k += threads) shared.bins[k] = 0;
    } else if constexpr (P == 1) {
      const int y1 = smaller(block.y * kRows + kRows, in.height);
      for (int y = block.y * kRows; y < y1; ++y)
        for (int x = block.x * kColumns + block.thread; x < in.width && x < (block.x + 1) * kColumns; x += threads)
          for (int c = 0; c < 3; ++c) {
            const T v = in.row(y)[std::ptrdiff_t(x) * in.channels + c];
            if (v != v) continue;
            const std::uint32_t key = key_of(v);
            // Two shifts, because one by all 32 bits is undefined.
            if ((key >> shift >> 8) == prefix[c])
              atomic_add_shared(&shared.bins[c * 256 + int(key >> shift & 255u)], 1u);
          }
    } else {
      for (int k = block.thread; k < 3 * 256; k += threads)
        if (shared.bins[k] != 0) atomic_add(&bins[k], std::uint64_t(shared.bins[k]));
    }
  }
  static constexpr int kColumns = 4096;
};

}  // namespace zp::detail_select_rank

namespace zp {

/// Of each of the first three channels the sample of rank floor(percentile / 100 (n - 1) + 0.5) among its n samples
/// that are not NaN, in rising order; 0 where there is none.
template <class T, class Exec>
std::array<double, 3> percentiles_of_colors(Exec& exec, const View<const T>& in, double percentile) {
  using detail_select_rank::CountByte;
  std::uint32_t prefix[3] = {0, 0, 0};
  std::int64_t rank[3] = {-1, -1, -1};
  bool found[3] = {true, true, true};
  std::uint64_t* bins = exec.template scratch<std::uint64_t>(3 * 256);
  constexpr int kColumns = CountByte<T>::kColumns, kRows = CountByte<T>::kRows;
  for (int shift = 8 * int(sizeof(T)) - 8; shift >= 0; shift -= 8) {
    exec.fill(bins, 3 * 256);
    exec.tiles(CountByte<T>{in, bins, {prefix[0], prefix[1], prefix[2]}, shift}, (in.width + kColumns - 1) / kColumns,
               (in.height + kRows - 1) / kRows);
    const std::vector<std::uint64_t> counts = exec.download(static_cast<const std::uint64_t*>(bins), 3 * 256);
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint64_t* count = counts.data() + c * 256;
      if (rank[c] < 0) {
        std::int64_t all = 0;
        for (int k = 0; k < 256; ++k) all += std::int64_t(count[k]);
        found[c] = all > 0;
        rank[c] = all > 0 ? std::int64_t(std::floor(percentile / 100.0 * double(all - 1) + 0.5)) : 0;
      }
      std::uint32_t byte = 0;
      while (byte < 255 && rank[c] >= std::int64_t(count[byte])) rank[c] -= std::int64_t(count[byte++]);
      prefix[c] = prefix[c] << 8 | byte;
    }
  }
  std::array<double, 3> values{};
  for (std::size_t c = 0; c < 3; ++c) values[c] = found[c] ? double(detail_select_rank::sample_of<T>(prefix[c])) : 0.0;
  return values;
}

}  // namespace zp

#endif
