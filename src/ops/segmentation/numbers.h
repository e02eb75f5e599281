// Consecutive numbers for the labels of an image, whatever their values.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_NUMBERS_H
#define ZP_OPS_SEGMENTATION_NUMBERS_H

#include <vector>

#include "core/components.h"
#include "core/op.h"

namespace zp::detail_numbers {

/// A hash table with open addresses. Numbers are dealt out in no order: what is made of them must not depend on it.
struct Table {
  std::uint32_t* keys;     ///< labels by slot; 0: free
  std::uint32_t* numbers;  ///< by slot, from 1
  std::uint32_t* labels;   ///< by number, from 0
  std::uint32_t* state;    ///< how many labels; not 0: the table is too small
  std::uint32_t slots, limit;
  int shift;
  static constexpr std::tuple pointers{&Table::keys, &Table::numbers, &Table::labels, &Table::state};

  /// Knuth's multiplicative hash: labels in a row, or at equal steps, hardly meet.
  ZP_HD std::uint32_t home(std::uint32_t label) const { return (label * 2654435769u) >> shift; }
  ZP_HD std::uint32_t behind(std::uint32_t slot) const { return (slot + 1) & (slots - 1); }

  ZP_HD void insert(std::uint32_t label) const {
    if (atomic_load(state + 1) != 0) return;
    std::uint32_t slot = home(label);
    for (std::uint32_t probe = 0; probe < limit; ++probe, slot = behind(slot)) {
      std::uint32_t key = atomic_load(keys + slot);
      if (key == 0) key = atomic_compare_exchange(keys + slot, 0, label);
      if (key == label) return;
      if (key != 0) continue;
      const std::uint32_t number = atomic_add(state, 1u);
      if (number >= slots / 2) break;
      numbers[slot] = number + 1;
      labels[number] = label;
      return;
    }
    atomic_store(state + 1, 1u);
  }
  ZP_HD std::uint32_t find(std::uint32_t label) const {
    std::uint32_t slot = home(label);
    while (keys[slot] != label) slot = behind(slot);
    return numbers[slot];
  }
};

/// Each label at least at its first pixel in raster order, which has another one to the left and above.
template <class T>
struct CollectLabels : Table {
  View<const T> in;
  static constexpr std::tuple pointers = std::tuple_cat(Table::pointers, std::tuple{&CollectLabels::in});
  static constexpr int threads = components::kThreads, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    using namespace components;
    const View<const T> from = in;
    spread(b.thread, [&, from](int row, int column) {
      const int x = b.x * kTileWidth + column, y = b.y * kTileHeight + row;
      if (x >= from.width || y >= from.height) return;
      const T* p = from.row(y) + x;
      const T label = *p;
      if (label == T(0) || (x > 0 && p[-1] == label) || (y > 0 && from.row(y - 1)[x] == label)) return;
      this->insert(label);
    });
  }
};

template <class T>
struct WriteNumbers : Table {
  View<const T> in;
  View<std::uint32_t> out;
  static constexpr std::tuple pointers =
      std::tuple_cat(Table::pointers, std::tuple{&WriteNumbers::in, &WriteNumbers::out});
  static constexpr int threads = components::kThreads, phases = 1;
  struct Shared {};
  template <int>
  ZP_HD void phase(Block2 b, Shared&) const {
    using namespace components;
    const View<const T> from = in;
    const View<std::uint32_t> to = out;
    T last = T(0);
    std::uint32_t number = 0;
    spread(b.thread, [&, from, to](int row, int column) {
      const int x = b.x * kTileWidth + column, y = b.y * kTileHeight + row;
      if (x >= from.width || y >= from.height) return;
      const T label = from.row(y)[x];
      if (label != last) {
        last = label;
        number = label != T(0) ? this->find(label) : 0;
      }
      to.row(y)[x] = number;
    });
  }
};

struct Numbered {
  View<const std::uint32_t> plane;    ///< numbers from 1, background 0
  std::vector<std::uint32_t> labels;  ///< of each number
};

template <class T, class Exec>
Numbered number_labels(Exec& exec, const View<const T>& in, std::string_view operation) {
  constexpr int kMaxBits = 31;
  const std::uint64_t pixels = std::uint64_t(in.width) * std::uint64_t(in.height);
  const int across = components::tiles_across(in.width), down = components::tiles_down(in.height);
  Table table{};
  table.state = exec.template scratch<std::uint32_t>(2);
  std::uint32_t count = 0;
  // 65536 labels at first; a table that proves too small is made anew.
  for (int bits = 17;; bits += 4) {
    while (bits > 1 && std::uint64_t(1) << (bits - 2) >= pixels) --bits;
    bits = smaller(bits, kMaxBits);
    table.slots = std::uint32_t(1) << bits;
    table.shift = 32 - bits;
    const bool is_ample = table.slots / 2 >= pixels || bits == kMaxBits;
    table.limit = is_ample ? table.slots : 1024;
    table.keys = exec.template scratch<std::uint32_t>(table.slots);
    table.numbers = exec.template scratch<std::uint32_t>(table.slots);
    table.labels = exec.template scratch<std::uint32_t>(table.slots / 2);
    exec.fill(table.keys, table.slots);
    exec.fill(table.state, 2);
    exec.tiles(CollectLabels<T>{table, in}, across, down);
    const std::vector<std::uint32_t> state = exec.download(static_cast<const std::uint32_t*>(table.state), 2);
    count = state[0];
    if (state[1] == 0) break;
    if (bits == kMaxBits) refuse(operation, "the image has more than 1073741824 labels");
  }
  const View<std::uint32_t> plane = exec.template plane<std::uint32_t>(in.width, in.height);
  exec.tiles(WriteNumbers<T>{table, in, plane}, across, down);
  return {plane, exec.download(static_cast<const std::uint32_t*>(table.labels), count)};
}

}  // namespace zp::detail_numbers

#endif
