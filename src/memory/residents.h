// Residents: what a Sequence keeps on the device, and which host bytes its queued work may still touch.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_RESIDENTS_H
#define ZP_MEMORY_RESIDENTS_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "memory/staged_copy.h"
#include "zeroplane/device_view.h"
#include "zeroplane/sequence.h"

namespace zp::memory {

/// Of one stream, on one thread, from the outermost Sequence to its end; inner Sequences of the same stream share it.
/// Its functions are called by that thread alone, but for block_dies(). No two copies in it hold the same byte.
class Residents {
 public:
  /// Throws where the stream cannot be used.
  Residents(std::shared_ptr<const Context> context, const SequenceOptions& options);
  ~Residents();
  Residents(const Residents&) = delete;
  Residents& operator=(const Residents&) = delete;

  /// This thread's innermost; null outside a Sequence.
  static Residents* of_thread() noexcept;
  /// The same if it belongs to the context.
  static Residents* of_thread(const Context& context) noexcept;

  const Context& context() const noexcept { return *context_; }
  device::Stream stream() const noexcept { return stream_; }
  /// No other of the process has it; never 0.
  std::uint64_t serial() const noexcept { return serial_; }
  /// The stream is being captured into a graph.
  bool capturing() const noexcept { return capturing_; }
  std::size_t bytes() const;

  // ---- nesting
  void enter() noexcept { ++depth_; }
  void leave() noexcept { --depth_; }
  int depth() const noexcept { return depth_; }
  /// Brings back and drops what was used at this depth or deeper; waits.
  void finish(int depth);

  // ---- views
  /// The copy that holds all of `host`, and where. Copies that hold a part of it only, or any where the view is in
  /// place (`staged` false), are brought back and dropped first.
  std::shared_ptr<StagedCopy> find(const Rows& host, bool staged, Inside& inside);
  /// Writes back and drops those used longest ago until `bytes` more fit into the limit; all that can go if `all`.
  /// True if something was dropped.
  bool make_room(std::size_t bytes, bool all = false);
  /// Room for one more, so that add() cannot fail.
  void reserve();
  void add(std::shared_ptr<StagedCopy> copy, bool changed = false) noexcept;
  /// Work is queued that nobody waited for.
  void queued() noexcept { queued_ = true; }
  /// A view's work is queued. `copy` is null for one in place; one of a view from outside, which shares it, is taken
  /// in.
  void committed(const std::shared_ptr<StagedCopy>& copy, const Rows& host, Access access);
  /// A view was given up: what its kernels may have written counts only if the copy held results already.
  void abandoned(const StagedCopy* copy, Access access) noexcept;
  /// A captured call needs the block as long as its graph.
  void keep(std::unique_ptr<Block> block) { kept_.push_back(std::move(block)); }

  // ---- the host
  bool holds(const Rows& host) const;
  /// Before the host reads, or writes, the bytes.
  void host_reads(const Rows& host);
  void host_writes(const Rows& host);
  /// Forgets the copies that hold any of the bytes.
  void drop(const Rows& host);
  /// True if queued work may still read or write some of the bytes.
  bool touched(const Rows& host) const;
  void wait();

  /// A block of host memory goes back to its pool: no Sequence writes to it any more. The stream that may still use it,
  /// or null. From any thread.
  static device::Stream block_dies(const void* data, std::size_t bytes) noexcept;

 private:
  struct Entry {
    std::shared_ptr<StagedCopy> copy;
    bool changed = false;
    int depth = 0;
    std::uint64_t used = 0;
    std::uint64_t host_hash = 0;  ///< of a strict Sequence
  };
  /// Host bytes that queued work reads or writes.
  struct Touched {
    Rows host;
    std::optional<std::uint64_t> hash;  ///< strict, and nothing that is queued writes them
  };
  enum class Touch { reads_in_place, copies_in, writes };

  void touch(const Rows& host, Touch how);
  void bring_back(std::vector<Entry>& entries);
  void check(const Rows& host, std::uint64_t hash) const;
  template <class Condition>
  std::vector<Entry> take_if(const Condition& condition);
  std::vector<Entry> take(const Rows& host);
  device::Stream forget(const Rows& host) noexcept;

  std::shared_ptr<const Context> context_;
  device::Stream stream_ = nullptr;
  std::uint64_t serial_ = 0;
  bool own_stream_ = true, capturing_ = false, strict_ = false;
  std::size_t limit_ = 0;
  bool queued_ = false;  ///< something that was not waited for
  int depth_ = 0;
  std::uint64_t uses_ = 0;
  Residents* outer_ = nullptr;
  mutable std::mutex mutex_;  ///< never held while the runtime is called
  std::vector<Entry> entries_;
  std::vector<Touched> touched_;
  std::vector<std::unique_ptr<Block>> kept_;
};

/// Before the library's own host code reads, or writes, pixels: inside a Sequence what it needs is brought back and
/// waited for; elsewhere nothing.
void host_reads(const ConstPlaneView& plane);
void host_writes(const ConstPlaneView& plane);
/// True if the thread's Sequence has some of the plane's bytes on the device.
bool resident(const Context& context, const ConstPlaneView& plane);

}  // namespace zp::memory

#endif
