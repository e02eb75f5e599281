// Blocks and the two pools that lend them: host blocks for planes, device memory for scratch.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_POOLS_H
#define ZP_MEMORY_POOLS_H

#include <cstddef>
#include <memory>

#include "memory/context.h"

namespace zp {

namespace memory {
struct Piece;
}

/// Bytes of the library: remembers where they came from and goes back to the pool it was borrowed from. The destructor
/// never calls the driver.
class Block {
 public:
  Block(Block&&) noexcept;
  Block& operator=(Block&&) = delete;
  ~Block();
  void* data() const noexcept { return data_; }
  /// What was asked for, rounded up to 256; all of it may be used.
  std::size_t bytes() const noexcept { return bytes_; }
  device::MemoryKind kind() const noexcept { return kind_; }
  /// The block may be handed out again only after what the stream holds now. Where several streams use it, the later
  /// call makes its stream wait for the earlier one. Scratch is guarded on its own stream without this call.
  void used_by(device::Stream stream);

 private:
  friend struct PoolAccess;
  Block() = default;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  device::MemoryKind kind_ = device::MemoryKind::ordinary;
  std::shared_ptr<memory::Home> home_;
  memory::Piece* piece_ = nullptr;
};

namespace memory {

/// A block for a plane in the memory that suits the model (mapped, pinned, or ordinary and pre-faulted), 256-byte
/// aligned. Exact-size buckets. No stream uses it any more. Throws out_of_memory.
std::unique_ptr<Block> borrow_host(std::size_t bytes);
std::unique_ptr<Block> borrow_host(const Context& context, std::size_t bytes);

/// Device memory (device::MemoryKind::device) from the scratch pool of the context. Work that was queued on `stream`
/// by earlier borrowers of the same stream is ordered before; a block last used on another stream is handed out only
/// after its event. Throws out_of_memory; Error(device) where there is no device.
std::unique_ptr<Block> borrow_scratch(const Context& context, std::size_t bytes, device::Stream stream);

}  // namespace memory
}  // namespace zp

#endif
