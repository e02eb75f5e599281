// Home: everything that belongs to one runtime for as long as something of it is in use: two pools and the streams.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_HOME_H
#define ZP_MEMORY_HOME_H

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/pool.h"

namespace zp::memory {

/// How often this process was forked off after it, or a parent, first used the library.
unsigned fork_generation() noexcept;

/// The ranges that adopt() registered. The two ends of a range do not tell whether the driver knows what is between.
/// Thread-safe.
class AdoptedRanges {
 public:
  void add(std::uintptr_t base, std::size_t bytes);
  void remove(std::uintptr_t base) noexcept;
  /// True if an adopted range holds a part of [base, end), but none holds all of it.
  bool hold_a_part(std::uintptr_t base, std::uintptr_t end) const noexcept;

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, std::uintptr_t> ends_;
  std::atomic<std::size_t> count_{0};
};

/// Streams and events beside a thread's own stream, for copies that run while kernels do.
struct Lanes {
  static constexpr int kSlots = 3;
  device::Stream in = nullptr, out = nullptr;
  device::Event start = nullptr, copied_in[kSlots] = {}, computed[kSlots] = {}, copied_out[kSlots] = {};
};

/// Made once per context. Blocks, adopted memory and threads with a stream hold it.
class Home {
 public:
  explicit Home(std::shared_ptr<device::Runtime> runtime);
  ~Home();

  device::Runtime& runtime() const noexcept { return *runtime_; }
  /// False in a child after fork(): nothing of the runtime may be touched, not even a lock.
  bool alive() const noexcept { return generation_ == fork_generation(); }

  /// Streams of threads that ended wait here for the next thread.
  device::Stream lend_stream();
  void return_stream(device::Stream stream) noexcept;
  void destroy_stream(device::Stream stream) noexcept;

  /// Nothing may be queued on lanes that are given back.
  std::unique_ptr<Lanes> lend_lanes();
  void return_lanes(std::unique_ptr<Lanes> lanes) noexcept;

  /// Frees everything that is idle.
  void release() noexcept;
  /// Another context took over: threads give their streams back when they next ask for one.
  void retire() noexcept { retired_.store(true, std::memory_order_relaxed); }
  bool retired() const noexcept { return retired_.load(std::memory_order_relaxed); }

 private:
  void destroy(Lanes& lanes) noexcept;

  std::shared_ptr<device::Runtime> runtime_;
  unsigned generation_ = fork_generation();
  std::atomic<bool> retired_{false};
  std::mutex mutex_;
  std::vector<device::Stream> idle_streams_;
  std::size_t streams_ = 0;
  std::vector<std::unique_ptr<Lanes>> idle_lanes_;
  std::size_t lanes_ = 0;

 public:
  Pool host;     ///< planes
  Pool scratch;  ///< device memory
  AdoptedRanges adopted;
};

std::size_t host_limit() noexcept;
std::size_t scratch_limit() noexcept;

/// The stream that this thread uses with `home`.
device::Stream stream_of_thread(const std::shared_ptr<Home>& home);
/// Waits for and destroys this thread's streams of `home`.
void destroy_streams_of_thread(const Home& home) noexcept;

}  // namespace zp::memory

#endif
