// What a pointer is to the device, and how messages speak of it.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_POINTER_H
#define ZP_MEMORY_POINTER_H

#include <cstddef>
#include <string>
#include <string_view>

#include "memory/context.h"
#include "memory/decide.h"
#include "zeroplane/view.h"

namespace zp::memory {

std::string hexadecimal(const void* pointer);
/// "add: view of 64 bytes at 0x7f..."
std::string in_words(std::string_view operation, const void* pointer, std::size_t bytes);

struct Reached {
  PointerKind kind = PointerKind::foreign;
  void* device_address = nullptr;
  bool mixed = false;  ///< known to the driver in part
};
/// Asks for both ends: a range may begin in registered memory and end outside. Throws invalid_argument if one of them
/// only is device memory; `words` begins the message.
Reached find_out(const Home& home, void* pointer, std::size_t span, const std::string& words);

/// True if a view of this thread that is neither committed nor destroyed holds some of the plane's bytes.
bool viewed(const Context& context, const ConstPlaneView& plane);

}  // namespace zp::memory

#endif
