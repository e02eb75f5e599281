// Integer samples replaced through a table of one entry per level: what gamma and lookup share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_TABLE_H
#define ZP_OPS_POINT_TABLE_H

#include "core/table.h"

namespace zp::detail_table {

/// Entries of a table for samples of type T.
template <class T>
inline constexpr int kEntries = 1 << (8 * sizeof(T));

/// Entry x of the table of a Point functor, whatever image it is gathered from.
template <class T, class F>
struct Entries {
  static constexpr int channels = 1;
  F f;
  template <class Source>
  ZP_HD Pixel<T, 1> operator()(const Source&, int x, int) const {
    return {{point_sample<T>(f, static_cast<T>(x))}};
  }
};

/// Of operations that use point_by_table(): elsewhere each piece would make its table.
inline constexpr FormatSet kInPieces = kFloatFormat;

/// A Point functor run through a table that the executor makes, where that is less work; the values are the same.
template <class T, class F, class Exec>
void point_by_table(const F& f, Exec& exec, View<T> out, View<const T> in) {
  if constexpr (std::is_same_v<T, float>) {
    exec.point(f, out, in);
  } else {
    const std::int64_t samples = std::int64_t(in.width) * in.height * in.channels;
    if (samples <= kEntries<T>) {
      exec.point(f, out, in);
      return;
    }
    const View<T> table = exec.template plane<T>(kEntries<T>, 1);
    exec.gather(Entries<T, F>{f}, table, in);
    exec.point(TableLookup<T>{table.data}, out, in);
  }
}

}  // namespace zp::detail_table

#endif
