// Joins the families' tables.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/families.h"

namespace zp::detail {

std::span<const Row* const> all_rows() {
  static const std::vector<const Row*> rows = [] {
    std::vector<const Row*> all;
#define ZP_FAMILY_ROW(name) \
  for (const Row& row : Tables<family::name>::host()) all.push_back(&row);
#include "kernels/families.inc"
#undef ZP_FAMILY_ROW
    return all;
  }();
  return rows;
}

const Row* find_row(std::string_view name) {
  const auto rows = all_rows();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row* row) { return row->info->name == name; });
  return found == rows.end() ? nullptr : *found;
}

}  // namespace zp::detail
