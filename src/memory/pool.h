// One pool: pieces of memory in exact-size buckets, kept for reuse up to a limit, guarded by the streams that use them.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_POOL_H
#define ZP_MEMORY_POOL_H

#include <atomic>
#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "device/runtime.h"
#include "zeroplane/memory.h"

namespace zp::memory {

struct Piece;
using Pieces = std::list<Piece>;

/// The pieces of one kind and size.
struct Bucket {
  std::vector<Pieces::iterator> idle;  ///< has room for every piece, so that giving one back allocates nothing
  std::size_t pieces = 0;
};
using Buckets = std::map<std::pair<device::MemoryKind, std::size_t>, Bucket>;

/// Bytes from the runtime, and what a stream may still do with them.
struct Piece {
  void* data = nullptr;
  std::size_t bytes = 0;
  device::MemoryKind kind = device::MemoryKind::ordinary;
  device::Stream stream = nullptr;  ///< last to use the bytes; null if none does
  device::Event event = nullptr;    ///< made when first needed, kept with the bytes
  bool recorded = false;            ///< the event stands for the stream's use; else it is recorded when asked for
  Buckets::iterator bucket;
  Pieces::iterator self;
};

/// Thread-safe. Giving back never calls the runtime, and the destructor frees nothing: Home says when.
class Pool {
 public:
  Pool(device::Runtime& runtime, const std::atomic<std::size_t>& limit) : runtime_(runtime), limit_(limit) {}

  /// A piece for the host: no stream uses it any more. Up to a few pieces of a size may be waiting for their streams;
  /// beyond that the oldest is waited for rather than another one made. Null if a new piece is needed.
  /// `may_wait` false: then another one is made.
  Piece* reuse_for_host(device::MemoryKind kind, std::size_t bytes, bool may_wait);
  /// A piece for `stream`, where what the same stream still does to it is in order. Null if a new piece is needed.
  Piece* reuse_for_stream(device::MemoryKind kind, std::size_t bytes, device::Stream stream);
  /// A new piece, after freeing idle ones beyond the limit.
  Piece* make(device::MemoryKind kind, std::size_t bytes, device::Stream stream);
  /// `stream`, where not null, may still use it.
  void give_back(Piece& piece, device::Stream stream = nullptr) noexcept;

  void used_by(Piece& piece, device::Stream stream);
  /// The stream has been waited for: what it used is free.
  void forget(device::Stream stream) noexcept;

  /// Frees the idle pieces that were given back first until at most `keep` bytes are idle. Waits for their streams.
  /// Returns the bytes freed.
  std::size_t free_idle(std::size_t keep) noexcept;
  bool has_lent() const;
  PoolReport report() const;

 private:
  bool finished(Piece& piece);
  Piece* lend(Bucket& bucket, std::size_t index);

  device::Runtime& runtime_;
  const std::atomic<std::size_t>& limit_;
  mutable std::mutex mutex_;
  Buckets buckets_;
  Pieces lent_, idle_;  // idle_: given back first stands first
  std::size_t bytes_lent_ = 0, bytes_idle_ = 0;
  std::uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace zp::memory

#endif
