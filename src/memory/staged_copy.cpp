// Moves rows between the host and a copy on the device.
// SPDX-License-Identifier: Apache-2.0
#include "memory/staged_copy.h"

#include "memory/counters.h"

namespace zp::memory {
namespace {

void copy_rows(device::Runtime& runtime, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
               const Rows& rows, device::Stream stream) {
  if (rows.rows == 1)
    runtime.copy(to, from, rows.row_bytes, stream);
  else
    runtime.copy_2d(to, std::ptrdiff_t(to_pitch), from, std::ptrdiff_t(from_pitch), rows.row_bytes, rows.rows, stream);
}

std::byte* bytes_of(const Rows& host) { return reinterpret_cast<std::byte*>(host.base); }
/// The bounce block is laid out like the copy.
std::byte* between(const StagedCopy& copy, const Inside& inside) {
  return static_cast<std::byte*>(copy.bounce->data()) + inside.offset;
}

}  // namespace

void copy_in(const Context& context, const StagedCopy& copy, const Rows& host, const Inside& inside,
             device::Stream stream) {
  std::byte* const to = copy.at(inside.offset);
  if (copy.bounce != nullptr) {
    copy_rows_on_host(between(copy, inside), std::ptrdiff_t(inside.pitch), bytes_of(host), std::ptrdiff_t(host.pitch),
                      host.row_bytes, host.rows);
    copy_rows(*context.runtime, to, inside.pitch, between(copy, inside), inside.pitch, host, stream);
  } else {
    copy_rows(*context.runtime, to, inside.pitch, bytes_of(host), host.pitch, host, stream);
  }
  count(&Counters::bytes_to_device, host.bytes());
}

void queue_copy_back(const Context& context, const StagedCopy& copy, const Rows& host, const Inside& inside,
                     device::Stream stream) {
  const std::byte* const from = copy.at(inside.offset);
  if (copy.bounce != nullptr)
    copy_rows(*context.runtime, between(copy, inside), inside.pitch, from, inside.pitch, host, stream);
  else
    copy_rows(*context.runtime, bytes_of(host), host.pitch, from, inside.pitch, host, stream);
  count(&Counters::bytes_to_host, host.bytes());
}

void finish_copy_back(const StagedCopy& copy, const Rows& host, const Inside& inside) {
  if (copy.bounce != nullptr)
    copy_rows_on_host(bytes_of(host), std::ptrdiff_t(host.pitch), between(copy, inside), std::ptrdiff_t(inside.pitch),
                      host.row_bytes, host.rows);
}

}  // namespace zp::memory
