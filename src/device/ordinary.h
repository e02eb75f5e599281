// Ordinary host memory as every runtime allocates it: aligned, pre-faulted, in huge pages when big.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_DEVICE_ORDINARY_H
#define ZP_DEVICE_ORDINARY_H

#include <cstddef>

namespace zp::device {

/// At least 256-byte aligned and resident. Throws Error(out_of_memory). 0 bytes gives a block nobody may touch.
void* allocate_ordinary(std::size_t bytes);
void free_ordinary(void* pointer) noexcept;

}  // namespace zp::device

#endif
