// A copy on the device of host bytes, and the moves between the two.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_STAGED_COPY_H
#define ZP_MEMORY_STAGED_COPY_H

#include <cstddef>
#include <memory>

#include "memory/pools.h"
#include "memory/rows.h"

namespace zp::memory {

/// Shared by the views that lie in it.
struct StagedCopy {
  Rows host;
  std::unique_ptr<Block> block;   ///< device memory, rows tightly packed
  std::unique_ptr<Block> bounce;  ///< host memory in between, where the runtime cannot copy the caller's range at once
  bool copied_in = false;         ///< all of it
  bool address_given = false;     ///< device() was asked for: a kernel may have written

  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(block->data()) + offset; }
};

/// The rows of `host`, which lie at `inside` in the copy, from the host's bytes to the copy. Queued on the stream;
/// counted.
void copy_in(const Context& context, const StagedCopy& copy, const Rows& host, const Inside& inside,
             device::Stream stream);
/// The same rows back to the host: queued and counted; finish_copy_back() follows once the stream was waited for.
void queue_copy_back(const Context& context, const StagedCopy& copy, const Rows& host, const Inside& inside,
                     device::Stream stream);
void finish_copy_back(const StagedCopy& copy, const Rows& host, const Inside& inside);

}  // namespace zp::memory

#endif
