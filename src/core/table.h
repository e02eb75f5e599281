// Samples replaced through a table of one entry per level.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_TABLE_H
#define ZP_CORE_TABLE_H

#include "core/op.h"

namespace zp {

/// A Point functor: entry v of the table for level v.
template <class In, class Out = In>
struct TableLookup {
  const Out* table;
  static constexpr std::tuple pointers{&TableLookup::table};
  template <class U>
  ZP_HD U sample(In v) const {
    return table[v];
  }
};

}  // namespace zp

#endif
