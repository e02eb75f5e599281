// One pool: pieces of memory in exact-size buckets, kept for reuse up to a limit, guarded by the streams that use them.
// SPDX-License-Identifier: Apache-2.0
#include "memory/pool.h"

#include <algorithm>
#include <string>

#include "memory/counters.h"
#include "zeroplane/error.h"

namespace zp::memory {

namespace {

// Blocks of one size that may wait for a stream before the host waits too. A pinned block costs 0.4 ms per MiB to make,
// longer than most kernels run on it.
constexpr std::size_t kWaitingPieces = 4;

// A wait that failed once is tried again, because the bytes are freed either way.
void wait_before_free(device::Runtime& runtime, device::Stream stream) noexcept {
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      count(&Counters::waits);
      runtime.wait_stream(stream);
      return;
    } catch (const std::exception& error) {
      if (attempt == 1) log(std::string("zeroplane: waiting before memory is freed: ") + error.what());
    }
  }
}

}  // namespace

bool Pool::finished(Piece& piece) {
  if (piece.stream == nullptr) return true;
  if (!piece.recorded) {
    if (piece.event == nullptr) piece.event = runtime_.create_event();
    runtime_.record(piece.event, piece.stream);
    piece.recorded = true;
  }
  if (!runtime_.finished(piece.event)) return false;
  piece.stream = nullptr;
  piece.recorded = false;
  return true;
}

Piece* Pool::lend(Bucket& bucket, std::size_t index) {
  const auto piece = bucket.idle[index];
  bucket.idle.erase(bucket.idle.begin() + std::ptrdiff_t(index));
  lent_.splice(lent_.end(), idle_, piece);
  bytes_idle_ -= piece->bytes;
  bytes_lent_ += piece->bytes;
  ++hits_;
  return &*piece;
}

Piece* Pool::reuse_for_host(device::MemoryKind kind, std::size_t bytes, bool may_wait) {
  std::unique_lock lock(mutex_);
  const auto found = buckets_.find({kind, bytes});
  if (found == buckets_.end()) return nullptr;
  Bucket& bucket = found->second;
  // From the back: what was given back last is in the caches.
  for (std::size_t i = bucket.idle.size(); i-- > 0;)
    if (finished(*bucket.idle[i])) return lend(bucket, i);
  if (!may_wait || bucket.idle.size() < kWaitingPieces) return nullptr;
  Piece* oldest = lend(bucket, 0);
  lock.unlock();
  try {
    count(&Counters::waits);
    runtime_.wait_event(oldest->event);
  } catch (...) {
    give_back(*oldest);
    throw;
  }
  oldest->stream = nullptr;
  oldest->recorded = false;
  return oldest;
}

Piece* Pool::reuse_for_stream(device::MemoryKind kind, std::size_t bytes, device::Stream stream) {
  std::lock_guard lock(mutex_);
  const auto found = buckets_.find({kind, bytes});
  if (found == buckets_.end()) return nullptr;
  Bucket& bucket = found->second;
  Piece* piece = nullptr;
  for (std::size_t i = bucket.idle.size(); i-- > 0 && piece == nullptr;)
    if (bucket.idle[i]->stream == stream) piece = lend(bucket, i);
  for (std::size_t i = bucket.idle.size(); i-- > 0 && piece == nullptr;)
    if (finished(*bucket.idle[i])) piece = lend(bucket, i);
  if (piece == nullptr) return nullptr;
  piece->stream = stream;
  piece->recorded = false;
  return piece;
}

Piece* Pool::make(device::MemoryKind kind, std::size_t bytes, device::Stream stream) {
  free_idle(limit_.load(std::memory_order_relaxed));
  Pieces made;
  made.emplace_back();
  Piece& piece = made.front();
  piece.bytes = bytes;
  piece.kind = kind;
  piece.stream = stream;
  piece.self = made.begin();
  {
    std::lock_guard lock(mutex_);
    piece.bucket = buckets_.try_emplace({kind, bytes}).first;
    Bucket& bucket = piece.bucket->second;
    bucket.idle.reserve(bucket.pieces + 1);
    ++bucket.pieces;
  }
  // Without the lock: pinning a large plane takes long, and other threads go on meanwhile.
  try {
    count(&Counters::allocations);
    piece.data = runtime_.allocate(kind, bytes);
  } catch (...) {
    std::lock_guard lock(mutex_);
    if (--piece.bucket->second.pieces == 0) buckets_.erase(piece.bucket);
    throw;
  }
  std::lock_guard lock(mutex_);
  lent_.splice(lent_.end(), made);
  bytes_lent_ += bytes;
  ++misses_;
  return &piece;
}

void Pool::give_back(Piece& piece, device::Stream stream) noexcept {
  std::lock_guard lock(mutex_);
  if (stream != nullptr && (piece.stream == nullptr || piece.stream == stream)) {
    piece.stream = stream;
    piece.recorded = false;
  }
  idle_.splice(idle_.end(), lent_, piece.self);
  piece.bucket->second.idle.push_back(piece.self);
  bytes_lent_ -= piece.bytes;
  bytes_idle_ += piece.bytes;
}

void Pool::used_by(Piece& piece, device::Stream stream) {
  if (stream == nullptr) return;
  // The device's own memory mostly goes back to the stream that used it, and needs an event only where it does not.
  if (piece.kind == device::MemoryKind::device && piece.stream == stream) {
    piece.recorded = false;
    return;
  }
  if (piece.event == nullptr) piece.event = runtime_.create_event();
  if (piece.stream != nullptr && piece.stream != stream) {
    // One event must stand for both streams: the later one waits for the earlier.
    if (!piece.recorded) runtime_.record(piece.event, piece.stream);
    runtime_.stream_waits(stream, piece.event);
  }
  runtime_.record(piece.event, stream);
  piece.stream = stream;
  piece.recorded = true;
}

void Pool::forget(device::Stream stream) noexcept {
  std::lock_guard lock(mutex_);
  for (Pieces* pieces : {&lent_, &idle_}) {
    for (Piece& piece : *pieces) {
      if (piece.stream != stream) continue;
      piece.stream = nullptr;
      piece.recorded = false;
    }
  }
}

std::size_t Pool::free_idle(std::size_t keep) noexcept {
  Pieces victims;
  std::size_t freed = 0;
  {
    std::lock_guard lock(mutex_);
    while (bytes_idle_ > keep) {
      const auto piece = idle_.begin();
      Bucket& bucket = piece->bucket->second;
      bucket.idle.erase(std::find(bucket.idle.begin(), bucket.idle.end(), piece));
      if (--bucket.pieces == 0) buckets_.erase(piece->bucket);
      bytes_idle_ -= piece->bytes;
      freed += piece->bytes;
      victims.splice(victims.end(), idle_, piece);
    }
  }
  device::Stream waited = nullptr;
  for (Piece& piece : victims) {
    if (piece.stream != nullptr && piece.stream != waited) {
      wait_before_free(runtime_, piece.stream);
      waited = piece.stream;
    }
    count(&Counters::frees);
    if (!runtime_.free(piece.kind, piece.data)) {
      log("zeroplane: " + std::to_string(piece.bytes) + " bytes of " + std::string(name_of(piece.kind)) +
          " memory leaked: the runtime that made them is gone");
    }
    if (piece.event != nullptr) runtime_.destroy_event(piece.event);
  }
  return freed;
}

bool Pool::has_lent() const {
  std::lock_guard lock(mutex_);
  return !lent_.empty();
}

PoolReport Pool::report() const {
  std::lock_guard lock(mutex_);
  return {bytes_lent_, bytes_idle_, limit_.load(std::memory_order_relaxed), hits_, misses_};
}

}  // namespace zp::memory
