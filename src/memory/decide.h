// The decision table: pointer kind x memory model x reuse x access x Sequence -> in place, staged, device resident or
// refused.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_DECIDE_H
#define ZP_MEMORY_DECIDE_H

#include <cstddef>
#include <string_view>

#include "zeroplane/device_view.h"
#include "zeroplane/memory.h"

namespace zp::memory {

/// What a pointer is to the stream's device.
enum class PointerKind {
  foreign,       ///< the driver does not know it: new[], malloc, mmap
  pinned,        ///< page-locked host memory that the device has no address for
  mapped,        ///< page-locked host memory with a device address: mapped, pinned, registered, interior addresses
  device,        ///< memory of this device
  managed,       ///< cudaMallocManaged
  other_device,  ///< memory of another device
};

enum class Verdict { in_place, staged, device_resident, refuse };

struct Decision {
  Verdict verdict = Verdict::refuse;
  std::string_view reason;
};

/// One row; a negative number stands for every value. The first row that matches decides.
struct DecisionRow {
  int kind, model, reuse, access, kept;
  Decision decision;

  constexpr bool matches(PointerKind k, MemoryModel m, Reuse r, Access a, bool in_sequence) const {
    return (kind < 0 || kind == int(k)) && (model < 0 || model == int(m)) && (reuse < 0 || reuse == int(r)) &&
           (access < 0 || access == int(a)) && (kept < 0 || kept == int(in_sequence));
  }
};

namespace decision_table {

using enum PointerKind;
using enum Verdict;
inline constexpr int kAny = -1;
inline constexpr int kNoDevice = int(MemoryModel::no_device), kDiscrete = int(MemoryModel::discrete),
                     kUnified = int(MemoryModel::unified), kCoherent = int(MemoryModel::coherent);

// Access decides nothing today: a written plane crosses the bus once as well as a read one. The column stays, so that
// a device for which it matters needs a row and no new question.
// clang-format off
inline constexpr DecisionRow kRows[] = {
    // kind             model      reuse             access kept verdict
    {kAny,              kNoDevice, kAny,             kAny, kAny, {refuse, "there is no device"}},
    {int(other_device), kAny,      kAny,             kAny, kAny, {refuse, "the memory belongs to another device"}},
    {int(device),       kAny,      kAny,             kAny, kAny, {device_resident, "device memory is used where it is"}},
    {int(managed),      kAny,      kAny,             kAny, kAny, {in_place, "managed memory has one address for host and device"}},
    {kAny,              kCoherent, kAny,             kAny, kAny, {in_place, "the device reads every host address"}},
    {int(mapped),       kUnified,  kAny,             kAny, kAny, {in_place, "page-locked host memory that the device shares"}},
    {int(pinned),       kUnified,  kAny,             kAny, kAny, {staged, "page-locked host memory without a device address"}},
    {int(foreign),      kUnified,  kAny,             kAny, kAny, {staged, "ordinary host memory that the device cannot reach; an Image or adopt() avoids the copy"}},
    {int(mapped),       kDiscrete, int(Reuse::once), kAny, 0,    {in_place, "page-locked host memory touched once is used over the bus"}},
    {int(mapped),       kDiscrete, int(Reuse::once), kAny, 1,    {staged, "in a Sequence the bytes cross the bus once, and stay on the device"}},
    {int(mapped),       kDiscrete, kAny,             kAny, kAny, {staged, "bytes that are touched more than once cross the bus once, as a copy"}},
    {int(pinned),       kDiscrete, kAny,             kAny, kAny, {staged, "page-locked host memory without a device address"}},
    {int(foreign),      kDiscrete, kAny,             kAny, kAny, {staged, "ordinary host memory that the device cannot reach"}},
};
// clang-format on

}  // namespace decision_table

/// `kept`: inside a Sequence, which keeps staged copies.
constexpr Decision decide(PointerKind kind, MemoryModel model, Reuse reuse, Access access, bool kept = false) {
  for (const DecisionRow& row : decision_table::kRows)
    if (row.matches(kind, model, reuse, access, kept)) return row.decision;
  return {};
}

namespace decision_table {

constexpr bool complete() {
  for (int kind = 0; kind <= int(other_device); ++kind)
    for (int model = 0; model <= kCoherent; ++model)
      for (int reuse = 0; reuse <= int(Reuse::many); ++reuse)
        for (int access = 0; access <= int(Access::in_out); ++access)
          for (const bool kept : {false, true})
            if (decide(PointerKind(kind), MemoryModel(model), Reuse(reuse), Access(access), kept).reason.empty())
              return false;
  return true;
}
static_assert(complete(), "every combination needs a row");

}  // namespace decision_table

/// How the operands of a whole call cross the bus.
enum class Transfer { one_by_one, in_bands };
struct TransferRow {
  int kind, model, reuse;
  std::size_t bytes;  ///< from here on
  Transfer transfer;
  std::string_view reason;
};

// clang-format off
inline constexpr TransferRow kTransferRows[] = {
    // kind              model                        reuse             bytes    transfer
    {int(PointerKind::mapped),  int(MemoryModel::discrete), int(Reuse::once), 32u << 20, Transfer::in_bands, "in row bands: copies each way and kernels overlap"},
    {int(PointerKind::mapped),  int(MemoryModel::discrete), -1,               4u << 20,  Transfer::in_bands, "in row bands: copies each way and kernels overlap"},
    {int(PointerKind::pinned),  int(MemoryModel::discrete), -1,               4u << 20,  Transfer::in_bands, "in row bands: copies each way and kernels overlap"},
    {int(PointerKind::foreign), int(MemoryModel::discrete), -1,               4u << 20,  Transfer::in_bands, "in row bands through page-locked memory that threads fill: the caller's memory is ordinary"},
    {-1,                        -1,                         -1,               0,         Transfer::one_by_one, "each operand by itself"},
};
// clang-format on

/// `bytes`: of the operand.
constexpr const TransferRow& decide_transfer(PointerKind kind, MemoryModel model, Reuse reuse, std::size_t bytes) {
  const TransferRow* row = kTransferRows;
  const auto matches = [&](const TransferRow& r) {
    return (r.kind < 0 || r.kind == int(kind)) && (r.model < 0 || r.model == int(model)) &&
           (r.reuse < 0 || r.reuse == int(reuse)) && bytes >= r.bytes;
  };
  while (!matches(*row)) ++row;
  return *row;
}

/// Smaller operands go one by one, whatever they are.
constexpr std::size_t least_bytes_in_bands() {
  std::size_t least = ~std::size_t(0);
  for (const TransferRow& row : kTransferRows)
    if (row.transfer == Transfer::in_bands && row.bytes < least) least = row.bytes;
  return least;
}

}  // namespace zp::memory

#endif
