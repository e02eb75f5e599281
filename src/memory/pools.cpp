// Lends blocks from the pools of a context.
// SPDX-License-Identifier: Apache-2.0
#include "memory/pools.h"

#include <limits>
#include <string>
#include <utility>

#include "device/ordinary.h"
#include "memory/counters.h"
#include "memory/home.h"
#include "memory/residents.h"
#include "zeroplane/error.h"

namespace zp {

struct PoolAccess {
  static std::unique_ptr<Block> empty_block() { return std::unique_ptr<Block>(new Block); }
  static void fill(Block& block, std::shared_ptr<memory::Home> home, memory::Piece& piece) noexcept {
    block.data_ = piece.data;
    block.bytes_ = piece.bytes;
    block.kind_ = piece.kind;
    block.home_ = std::move(home);
    block.piece_ = &piece;
  }
};

Block::Block(Block&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      kind_(other.kind_),
      home_(std::move(other.home_)),
      piece_(std::exchange(other.piece_, nullptr)) {}

namespace {
memory::Pool& pool_of(memory::Home& home, device::MemoryKind kind) {
  return kind == device::MemoryKind::device ? home.scratch : home.host;
}
}  // namespace

Block::~Block() {
  if (piece_ == nullptr) return;
  if (home_->alive()) {
    const bool device = kind_ == device::MemoryKind::device;
    pool_of(*home_, kind_).give_back(*piece_, device ? nullptr : memory::Residents::block_dies(data_, bytes_));
  } else if (kind_ == device::MemoryKind::ordinary) {
    device::free_ordinary(data_);
  } else {
    memory::log("zeroplane: " + std::to_string(bytes_) + " bytes of " + std::string(device::name_of(kind_)) +
                " memory left to the parent process after fork()");
  }
}

void Block::used_by(device::Stream stream) {
  if (piece_ != nullptr && home_->alive()) pool_of(*home_, kind_).used_by(*piece_, stream);
}

namespace memory {

namespace {

constexpr std::size_t kGranule = 256;

std::size_t round_up(std::size_t bytes) {
  if (bytes > std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) - kGranule)
    throw Error(ErrorKind::out_of_memory,
                "a block of " + std::to_string(bytes) + " bytes is larger than memory can be");
  return bytes == 0 ? kGranule : (bytes + kGranule - 1) / kGranule * kGranule;
}

device::MemoryKind plane_kind(MemoryModel model) {
  switch (model) {
    case MemoryModel::unified:
      return device::MemoryKind::mapped;
    case MemoryModel::discrete:
      return device::MemoryKind::pinned;
    case MemoryModel::coherent:
    case MemoryModel::no_device:
      break;
  }
  return device::MemoryKind::ordinary;
}

/// Frees everything idle anywhere, because something could not be had.
std::size_t free_all_idle(Home& home) noexcept {
  return home.host.free_idle(0) + home.scratch.free_idle(0) + sweep_retired();
}

Piece* make(Home& home, device::MemoryKind kind, std::size_t bytes, device::Stream stream) {
  sweep_retired();
  Pool& pool = pool_of(home, kind);
  try {
    return pool.make(kind, bytes, stream);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory || free_all_idle(home) == 0) throw;
  }
  return pool.make(kind, bytes, stream);
}

}  // namespace

std::unique_ptr<Block> borrow_host(const Context& context, std::size_t bytes) {
  const std::size_t rounded = round_up(bytes);
  const device::MemoryKind kind = plane_kind(context.model);
  auto block = PoolAccess::empty_block();
  Piece* piece = context.home->host.reuse_for_host(kind, rounded, Residents::of_thread(context) == nullptr);
  if (piece == nullptr) piece = make(*context.home, kind, rounded, nullptr);
  PoolAccess::fill(*block, context.home, *piece);
  return block;
}

std::unique_ptr<Block> borrow_host(std::size_t bytes) { return borrow_host(*context(), bytes); }

std::unique_ptr<Block> borrow_scratch(const Context& context, std::size_t bytes, device::Stream stream) {
  if (context.model == MemoryModel::no_device)
    throw Error(ErrorKind::device, "there is no device memory to lend: " + context.reason);
  const std::size_t rounded = round_up(bytes);
  auto block = PoolAccess::empty_block();
  Piece* piece = context.home->scratch.reuse_for_stream(device::MemoryKind::device, rounded, stream);
  if (piece == nullptr) piece = make(*context.home, device::MemoryKind::device, rounded, stream);
  PoolAccess::fill(*block, context.home, *piece);
  return block;
}

}  // namespace memory
}  // namespace zp
