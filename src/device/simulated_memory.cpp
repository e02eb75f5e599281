// Keeps the simulated device's blocks and refuses every address that the imitated device could not reach.
// SPDX-License-Identifier: Apache-2.0
#include "device/simulated_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>

#include "device/ordinary.h"
#include "zeroplane/error.h"

namespace zp::device {
namespace {

constexpr int kFreshByte = 0xCB;
constexpr int kFreedByte = 0xDB;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kGap = 16 * kPage;          // a small overrun of one block never lands in the next
constexpr std::size_t kRetiredRemembered = 4096;  // enough to name a stale pointer as such
constexpr std::size_t kHostAlignment = 256;       // what a plane is promised, and no more

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
void* pointer_to(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

std::string hex(std::uintptr_t number) {
  std::ostringstream words;
  words << "0x" << std::hex << number;
  return words.str();
}

std::string named(SimulatedMemory::Origin origin) {
  using Origin = SimulatedMemory::Origin;
  switch (origin) {
    case Origin::ordinary:
      return "ordinary";
    case Origin::pinned:
      return "pinned";
    case Origin::mapped:
      return "mapped";
    case Origin::device:
      return "device";
    case Origin::registered:
      return "registered";
  }
  return "?";
}

SimulatedMemory::Origin origin_of(MemoryKind kind) {
  using Origin = SimulatedMemory::Origin;
  switch (kind) {
    case MemoryKind::pinned:
      return Origin::pinned;
    case MemoryKind::mapped:
      return Origin::mapped;
    case MemoryKind::device:
      return Origin::device;
    case MemoryKind::ordinary:
      break;
  }
  return Origin::ordinary;
}

std::string described(const SimulatedMemory::Block& block) {
  return std::to_string(block.bytes) + "-byte block of " + named(block.origin) + " memory";
}

[[noreturn]] void fail_call(const char* call, const char* error, const std::string& detail,
                            ErrorKind kind = ErrorKind::device) {
  throw Error(kind, std::string("simulated ") + call + " failed: " + error + ", " + detail);
}

}  // namespace

SimulatedMemory::~SimulatedMemory() {
  for (const auto& [address, block] : by_address_) {
    if (block.origin == Origin::device) free_ordinary(pointer_to(block.host));
  }
  for (const auto& [host, block] : by_host_) {
    if (block.origin != Origin::registered) free_ordinary(pointer_to(block.host));
  }
  for (const auto& [host, block] : ordinary_) free_ordinary(pointer_to(block.host));
}

const SimulatedMemory::Blocks& SimulatedMemory::blocks_of(MemoryKind kind) const {
  if (kind == MemoryKind::ordinary) return ordinary_;
  return kind == MemoryKind::device ? by_address_ : by_host_;
}

std::uintptr_t SimulatedMemory::place(std::uintptr_t host, std::size_t bytes) {
  const std::uintptr_t offset = host % kPage;
  const std::uintptr_t whole = (offset + bytes + kPage - 1) / kPage * kPage + kGap;
  if (bytes > range_.end() - range_.begin() || whole > range_.end() - range_.begin()) return 0;
  const std::uintptr_t first = range_.begin() + kGap;
  std::uintptr_t candidate = std::max(cursor_, first);
  for (bool wrapped = false;;) {
    if (whole > range_.end() - candidate) {
      if (wrapped) return 0;
      wrapped = true;
      candidate = first;
    }
    auto next = by_address_.upper_bound(candidate);
    if (next != by_address_.begin()) {
      const Block& before = std::prev(next)->second;
      const std::uintptr_t free_from = (before.address + before.bytes + kPage - 1) / kPage * kPage + kGap;
      if (free_from > candidate) {
        candidate = free_from;
        continue;
      }
    }
    if (next != by_address_.end() && next->first - candidate < whole) {
      candidate = next->first;
      continue;
    }
    cursor_ = candidate + whole;
    return candidate + offset;
  }
}

void SimulatedMemory::insert(const Block& block) {
  if (block.address != 0) by_address_.emplace(block.address, block);
  if (block.origin == Origin::ordinary) {
    ordinary_.emplace(block.host, block);
  } else if (block.origin != Origin::device) {
    by_host_.emplace(block.host, block);
  }
}

void SimulatedMemory::retire(const Block& block) {
  const Block gone = block;
  if (gone.address != 0) by_address_.erase(gone.address);
  if (gone.origin == Origin::ordinary) {
    ordinary_.erase(gone.host);
  } else if (gone.origin != Origin::device) {
    by_host_.erase(gone.host);
  }
  if (gone.address == 0) return;
  retired_.push_back(gone);
  if (retired_.size() > kRetiredRemembered) retired_.pop_front();
}

const SimulatedMemory::Block* SimulatedMemory::find(const Blocks& blocks, std::uintptr_t address) const {
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin()) return nullptr;
  const auto& [begin, block] = *std::prev(next);
  return address - begin < block.bytes ? &block : nullptr;
}

void* SimulatedMemory::allocate(MemoryKind kind, std::size_t bytes) {
  const char* call = kind == MemoryKind::device ? "cudaMalloc" : "cudaHostAlloc";
  const auto refuse = [&] {
    fail_call(call, "cudaErrorMemoryAllocation", std::to_string(bytes) + " bytes asked for", ErrorKind::out_of_memory);
  };
  Block block{.origin = origin_of(kind), .bytes = std::max<std::size_t>(bytes, 1)};
  if (kind == MemoryKind::ordinary) {
    block.host = number(allocate_ordinary(bytes));
  } else {
    if (block.bytes > device_bytes_) refuse();
    if (kind == MemoryKind::device && block.bytes > device_bytes_ - device_bytes_live_) refuse();
    void* host = nullptr;
    if (posix_memalign(&host, kHostAlignment, block.bytes) != 0) refuse();
    block.host = number(host);
    if (kind == MemoryKind::device || model_ != MemoryModel::coherent) {
      // Device blocks begin on a page like those of cudaMalloc; host blocks keep their offset in it.
      block.address = place(kind == MemoryKind::device ? 0 : block.host, block.bytes);
      if (block.address == 0) {
        std::free(host);
        refuse();
      }
    }
  }
  std::memset(pointer_to(block.host), kFreshByte, block.bytes);
  insert(block);
  ++allocated_;
  if (kind == MemoryKind::device) device_bytes_live_ += block.bytes;
  return pointer_to(kind == MemoryKind::device ? block.address : block.host);
}

bool SimulatedMemory::owns(MemoryKind kind, const void* pointer) const {
  const Blocks& blocks = blocks_of(kind);
  const auto found = blocks.find(number(pointer));
  return found != blocks.end() && found->second.origin == origin_of(kind);
}

bool SimulatedMemory::free(MemoryKind kind, void* pointer) {
  if (!owns(kind, pointer)) return false;
  const Block block = blocks_of(kind).at(number(pointer));
  retire(block);
  ++freed_;
  if (kind == MemoryKind::device) device_bytes_live_ -= block.bytes;
  std::memset(pointer_to(block.host), kFreedByte, block.bytes);
  free_ordinary(pointer_to(block.host));
  return true;
}

bool SimulatedMemory::overlaps_known_host(std::uintptr_t begin, std::size_t bytes) const {
  if (find(by_host_, begin) != nullptr) return true;
  const auto next = by_host_.lower_bound(begin);
  return next != by_host_.end() && next->first - begin < bytes;
}

void SimulatedMemory::register_host(void* pointer, std::size_t bytes) {
  const std::string detail = std::to_string(bytes) + " bytes at " + hex(number(pointer)) + " asked for";
  const std::uintptr_t begin = number(pointer);
  if (pointer == nullptr || bytes == 0 || begin + bytes < begin || range_.contains(begin)) {
    fail_call("cudaHostRegister", "cudaErrorInvalidValue", detail);
  }
  if (overlaps_known_host(begin, bytes)) {
    fail_call("cudaHostRegister", "cudaErrorHostMemoryAlreadyRegistered (712)", detail);
  }
  Block block{.origin = Origin::registered, .host = begin, .bytes = bytes};
  if (model_ != MemoryModel::coherent) {
    block.address = place(begin, bytes);
    if (block.address == 0) {
      fail_call("cudaHostRegister", "cudaErrorMemoryAllocation", detail, ErrorKind::out_of_memory);
    }
  }
  insert(block);
}

void SimulatedMemory::unregister_host(void* pointer) {
  const Block* block = find(by_host_, number(pointer));
  const std::string detail = "at " + hex(number(pointer));
  if (block == nullptr || block->origin != Origin::registered) {
    fail_call("cudaHostUnregister", "cudaErrorHostMemoryNotRegistered (713)", detail);
  }
  if (block->host != number(pointer)) {
    fail_call("cudaHostUnregister", "cudaErrorInvalidValue (1)",
              detail + ", which lies inside the " + described(*block) + " at " + hex(block->host));
  }
  retire(*block);
}

PointerInfo SimulatedMemory::query(const void* pointer) const {
  const std::uintptr_t address = number(pointer);
  if (range_.contains(address)) {
    const Block* block = find(by_address_, address);
    if (block == nullptr) return {};
    return {block->origin == Origin::device ? PointerInfo::Kind::device : PointerInfo::Kind::host, pointer_to(address)};
  }
  const Block* block = find(by_host_, address);
  if (block == nullptr) return {};
  const std::uintptr_t seen_at = block->address == 0 ? address : block->address + (address - block->host);
  return {PointerInfo::Kind::host, pointer_to(seen_at)};
}

void SimulatedMemory::check_end(const Block& block, std::uintptr_t begin, std::uintptr_t address,
                                std::size_t bytes) const {
  const std::size_t left = block.bytes - (address - begin);
  if (bytes <= left) return;
  throw Error(ErrorKind::device, "the simulated device cannot reach " + std::to_string(bytes) + " bytes at " +
                                     hex(address) + ": they run " + std::to_string(bytes - left) +
                                     " bytes past the end of the " + described(block) + " at " + hex(begin));
}

bool SimulatedMemory::runs_into_range(std::uintptr_t address, std::size_t bytes) const {
  if (bytes > std::numeric_limits<std::uintptr_t>::max() - address) return true;
  return address < range_.begin() && bytes > range_.begin() - address;
}

std::string SimulatedMemory::why_unreachable(std::uintptr_t address) const {
  if (address == 0) return "it is null";
  if (range_.contains(address)) {
    for (auto gone = retired_.rbegin(); gone != retired_.rend(); ++gone) {
      if (address - gone->address < gone->bytes) {
        return "it lies in a " + described(*gone) + " that was " +
               (gone->origin == Origin::registered ? "unregistered" : "freed");
      }
    }
    return "no block is there";
  }
  const Block* block = find(by_host_, address);
  if (block != nullptr) {
    return "it is the host address of " + named(block->origin) + " memory, which the device sees at " +
           hex(block->address + (address - block->host));
  }
  return std::string("it is pageable host memory, which a ") + std::string(name_of(model_)) + " device does not read";
}

void* SimulatedMemory::translate(const void* pointer, std::size_t bytes) const {
  const std::uintptr_t address = number(pointer);
  if (const Block* block = range_.contains(address) ? find(by_address_, address) : nullptr) {
    check_end(*block, block->address, address, bytes);
    return pointer_to(block->host + (address - block->address));
  }
  if (bytes == 0) return pointer_to(address);
  if (model_ == MemoryModel::coherent && address != 0 && !range_.contains(address)) {
    if (!runs_into_range(address, bytes)) return pointer_to(address);
  }
  throw Error(ErrorKind::device, "the simulated device cannot reach " + std::to_string(bytes) + " bytes at " +
                                     hex(address) + ": " + why_unreachable(address));
}

std::size_t SimulatedMemory::reachable(const void* pointer) const {
  const std::uintptr_t address = number(pointer);
  if (range_.contains(address)) {
    const Block* block = find(by_address_, address);
    return block == nullptr ? 0 : block->bytes - (address - block->address);
  }
  if (model_ != MemoryModel::coherent || address == 0) return 0;
  for (const Blocks* blocks : {&by_host_, &ordinary_}) {
    if (const Block* block = find(*blocks, address)) return block->bytes - (address - block->host);
  }
  return address < range_.begin() ? range_.begin() - address : std::numeric_limits<std::uintptr_t>::max() - address;
}

bool SimulatedMemory::is_device_address(const void* address) const noexcept { return range_.contains(number(address)); }

SimulatedMemory::Side SimulatedMemory::copy_side(const char* call, const void* pointer, std::size_t bytes) const {
  const std::uintptr_t address = number(pointer);
  if (address == 0) fail_call(call, "cudaErrorInvalidValue", std::to_string(bytes) + " bytes at null");
  if (range_.contains(address)) return {translate(pointer, bytes), false};
  if (const Block* block = find(by_host_, address)) {
    check_end(*block, block->host, address, bytes);
    return {pointer_to(address), false};
  }
  // A range that is pageable at one end and pinned at the other is neither, and CUDA refuses it too.
  if (overlaps_known_host(address, bytes) || runs_into_range(address, bytes)) {
    fail_call(call, "cudaErrorInvalidValue",
              std::to_string(bytes) + " bytes at " + hex(address) +
                  " that only partly are pinned, registered or of the device");
  }
  return {pointer_to(address), true};
}

SimulatedControl::Ledger SimulatedMemory::ledger() const {
  SimulatedControl::Ledger ledger;
  ledger.allocated = allocated_;
  ledger.freed = freed_;
  const auto count = [&](const Block& block) {
    if (block.origin == Origin::registered) {
      ++ledger.registered_ranges;
    } else {
      ++ledger.live_blocks;
      ledger.live_bytes += block.bytes;
    }
  };
  for (const auto& [host, block] : by_host_) count(block);
  for (const auto& [host, block] : ordinary_) count(block);
  for (const auto& [address, block] : by_address_) {
    if (block.origin == Origin::device) count(block);
  }
  return ledger;
}

}  // namespace zp::device
