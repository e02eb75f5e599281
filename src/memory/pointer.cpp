// Asks the runtime what a pointer is.
// SPDX-License-Identifier: Apache-2.0
#include "memory/pointer.h"

#include <cstdint>
#include <cstdio>

#include "memory/home.h"
#include "zeroplane/error.h"

namespace zp::memory {
namespace {

Reached reached(const device::PointerInfo& info) {
  using Kind = device::PointerInfo::Kind;
  switch (info.kind) {
    case Kind::foreign:
      return {PointerKind::foreign, info.device_address};
    case Kind::host:
      return {info.device_address == nullptr ? PointerKind::pinned : PointerKind::mapped, info.device_address};
    case Kind::device:
      return {PointerKind::device, info.device_address};
    case Kind::managed:
      return {PointerKind::managed, info.device_address};
    case Kind::other_device:
      return {PointerKind::other_device, nullptr};
  }
  return {};
}

bool is_host(PointerKind kind) {
  return kind == PointerKind::foreign || kind == PointerKind::pinned || kind == PointerKind::mapped;
}

}  // namespace

std::string hexadecimal(const void* pointer) {
  char text[24];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

std::string in_words(std::string_view operation, const void* pointer, std::size_t bytes) {
  return (operation.empty() ? std::string("view") : std::string(operation) + ": view") + " of " +
         std::to_string(bytes) + " bytes at " + hexadecimal(pointer);
}

Reached find_out(const Home& home, void* pointer, std::size_t span, const std::string& words) {
  device::Runtime& runtime = home.runtime();
  auto* first_byte = static_cast<std::byte*>(pointer);
  const Reached first = reached(runtime.query(first_byte));
  const auto base = reinterpret_cast<std::uintptr_t>(pointer);
  if (is_host(first.kind) && home.adopted.hold_a_part(base, base + span)) return {PointerKind::foreign, nullptr, true};
  if (span == 1) return first;
  const Reached last = reached(runtime.query(first_byte + (span - 1)));
  const bool one_range = first.kind == last.kind && (first.device_address == nullptr || last.device_address == nullptr
                                                         ? first.device_address == last.device_address
                                                         : static_cast<std::byte*>(last.device_address) -
                                                                   static_cast<std::byte*>(first.device_address) ==
                                                               std::ptrdiff_t(span - 1));
  if (one_range) return first;
  if (is_host(first.kind) && is_host(last.kind)) return {PointerKind::foreign, nullptr, true};
  throw Error(ErrorKind::invalid_argument,
              words + ": the range begins and ends in different allocations, one of them device memory");
}

}  // namespace zp::memory
