// The simulated device's blocks: where each lies for the host and for the device, and what the device may reach.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_DEVICE_SIMULATED_MEMORY_H
#define ZP_DEVICE_SIMULATED_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "device/reserved_range.h"
#include "device/runtime.h"

namespace zp::device {

/// Not thread-safe but for is_device_address(). Addresses are whole numbers here: nothing is dereferenced.
class SimulatedMemory {
 public:
  enum class Origin { ordinary, pinned, mapped, device, registered };
  struct Block {
    Origin origin = Origin::ordinary;
    std::uintptr_t host = 0;     ///< where the bytes lie
    std::uintptr_t address = 0;  ///< where the device sees them; 0 if it does not know them
    std::size_t bytes = 0;
  };

  SimulatedMemory(MemoryModel model, std::size_t device_bytes) : model_(model), device_bytes_(device_bytes) {}
  ~SimulatedMemory();
  SimulatedMemory(const SimulatedMemory&) = delete;
  SimulatedMemory& operator=(const SimulatedMemory&) = delete;

  void* allocate(MemoryKind kind, std::size_t bytes);
  /// Whether such a block is live; free() waits for the device in between.
  bool owns(MemoryKind kind, const void* pointer) const;
  bool free(MemoryKind kind, void* pointer);
  void register_host(void* pointer, std::size_t bytes);
  void unregister_host(void* pointer);
  PointerInfo query(const void* pointer) const;

  void* translate(const void* address, std::size_t bytes) const;
  std::size_t reachable(const void* address) const;
  bool is_device_address(const void* address) const noexcept;

  /// The host bytes of one side of a copy, which may be pageable as well.
  struct Side {
    void* host = nullptr;
    bool pageable = false;
  };
  Side copy_side(const char* call, const void* address, std::size_t bytes) const;

  SimulatedControl::Ledger ledger() const;

 private:
  using Blocks = std::map<std::uintptr_t, Block>;

  const Blocks& blocks_of(MemoryKind kind) const;
  std::uintptr_t place(std::uintptr_t host, std::size_t bytes);
  void insert(const Block& block);
  void retire(const Block& block);
  const Block* find(const Blocks& blocks, std::uintptr_t address) const;
  bool overlaps_known_host(std::uintptr_t begin, std::size_t bytes) const;
  bool runs_into_range(std::uintptr_t address, std::size_t bytes) const;
  std::string why_unreachable(std::uintptr_t address) const;
  void check_end(const Block& block, std::uintptr_t begin, std::uintptr_t address, std::size_t bytes) const;

  MemoryModel model_;
  std::size_t device_bytes_;
  ReservedRange range_;
  std::uintptr_t cursor_ = 0;
  Blocks by_host_;     // pinned, mapped, registered
  Blocks by_address_;  // all that lie in the reserved range
  Blocks ordinary_;    // kept for the ledger; the device does not know them
  std::deque<Block> retired_;
  std::size_t device_bytes_live_ = 0;
  std::uint64_t allocated_ = 0, freed_ = 0;
};

}  // namespace zp::device

#endif
