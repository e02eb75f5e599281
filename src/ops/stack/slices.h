// What the operations on stacks share: equal slices, taken a few at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STACK_SLICES_H
#define ZP_OPS_STACK_SLICES_H

#include <algorithm>

#include "core/op.h"

namespace zp::detail_stack {

inline constexpr int kMostSlices = 4096;
/// Slices that one launch reads: what lies between launches is then read and written once in so many slices.
inline constexpr int kGroup = 16;
/// Samples that a thread takes: a run that vectorises on the CPU, neighbours of a warp on a device.
template <int Threads>
inline constexpr int kRun = Threads == 1 ? 1024 : 1;

inline void require_equal_slices(std::string_view operation, std::span<const PlaneShape> in) {
  for (std::size_t k = 1; k < in.size(); ++k)
    if (in[k] != in[0])
      refuse(operation, "slice " + std::to_string(k + 1) + " is " + describe(in[k]) + ", but slice 1 is " +
                            describe(in[0]) + "; all slices have one size, format and channel count");
}

/// Slices [begin, begin + kGroup), as many as there are; gives their number.
template <class T>
int take_slices(const Operands& operands, std::size_t begin, const T* (&slices)[kGroup],
                std::ptrdiff_t (&pitches)[kGroup]) {
  const int count = int(std::min<std::size_t>(kGroup, operands.in.size() - begin));
  for (int k = 0; k < kGroup; ++k) {
    const View<const T> slice = k < count ? operands.input<T>(begin + std::size_t(k)) : View<const T>();
    slices[k] = slice.data;
    pitches[k] = slice.pitch;
  }
  return count;
}

/// Row y of a slice; the pitch is in bytes.
template <class T>
ZP_HD const T* row_of(const T* slice, std::ptrdiff_t pitch, int y) {
  return reinterpret_cast<const T*>(reinterpret_cast<const char*>(slice) + std::ptrdiff_t(y) * pitch);
}

/// Launches a tile program whose threads take runs of samples, row by row.
template <class Body, class Exec>
void launch_runs(Exec& exec, const Body& body, std::int64_t row_samples, int height) {
  constexpr int samples = Body::threads * kRun<Body::threads>;
  exec.tiles(body, int((row_samples + samples - 1) / samples), height);
}

}  // namespace zp::detail_stack

#endif
