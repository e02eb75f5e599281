// Rows of bytes: what a view covers in memory, whether two views share a byte, and where one lies inside another.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_ROWS_H
#define ZP_MEMORY_ROWS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/threads.h"

namespace zp::memory {

/// `rows` runs of `row_bytes` bytes, `pitch` bytes apart; row_bytes <= pitch. Rows without padding are one run.
struct Rows {
  std::uintptr_t base = 0;
  std::size_t row_bytes = 0;
  std::size_t rows = 0;
  std::size_t pitch = 0;

  static Rows of(const void* pointer, std::size_t row_bytes, std::size_t rows, std::size_t pitch) {
    const auto base = reinterpret_cast<std::uintptr_t>(pointer);
    if (rows <= 1 || pitch == row_bytes) return {base, row_bytes * rows, std::size_t(1), row_bytes * rows};
    return {base, row_bytes, rows, pitch};
  }
  std::size_t bytes() const { return row_bytes * rows; }
  std::size_t span() const { return pitch * (rows - 1) + row_bytes; }
  std::uintptr_t end() const { return base + span(); }
};

/// On the threads of the CPU where that pays.
inline void copy_rows_on_host(void* to, std::ptrdiff_t to_pitch, const void* from, std::ptrdiff_t from_pitch,
                              std::size_t row_bytes, std::size_t rows) {
  constexpr std::size_t kGrain = std::size_t(1) << 18;
  parallel_for(std::int64_t(rows), std::int64_t(kGrain / std::max<std::size_t>(row_bytes, 1) + 1),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t y = begin; y < end; ++y)
                   std::memcpy(static_cast<char*>(to) + std::ptrdiff_t(y) * to_pitch,
                               static_cast<const char*>(from) + std::ptrdiff_t(y) * from_pitch, row_bytes);
               });
}

/// True if some byte belongs to both. Neighbouring rectangles of one plane share addresses' range but no byte.
inline bool overlap(const Rows& a, const Rows& b) {
  if (a.end() <= b.base || b.end() <= a.base) return false;
  const Rows& few = a.rows <= b.rows ? a : b;
  const Rows& many = a.rows <= b.rows ? b : a;
  for (std::size_t y = 0; y < few.rows; ++y) {
    const std::uintptr_t begin = few.base + y * few.pitch, end = begin + few.row_bytes;
    if (end <= many.base) continue;
    if (begin >= many.end()) break;
    // The last row of `many` that begins before this row ends.
    const std::size_t row = std::min((end - 1 - many.base) / many.pitch, many.rows - 1);
    if (many.base + row * many.pitch + many.row_bytes > begin) return true;
  }
  return false;
}

/// Where `inner` begins in a tightly packed copy of `outer`, and how far apart its rows are there.
struct Inside {
  std::size_t offset = 0;
  std::size_t pitch = 0;
};

/// Nothing if a byte of `inner` is not in `outer`, or if its rows are not equally far apart in the copy.
inline std::optional<Inside> locate(const Rows& inner, const Rows& outer) {
  if (inner.base < outer.base || inner.end() > outer.end()) return std::nullopt;
  const std::size_t distance = inner.base - outer.base;
  if (outer.rows == 1) return Inside{distance, inner.pitch};
  if (inner.rows > 1 && inner.pitch != outer.pitch) return std::nullopt;
  const std::size_t row = distance / outer.pitch, column = distance % outer.pitch;
  if (column + inner.row_bytes > outer.row_bytes || row + inner.rows > outer.rows) return std::nullopt;
  return Inside{row * outer.row_bytes + column, outer.row_bytes};
}

}  // namespace zp::memory

#endif
