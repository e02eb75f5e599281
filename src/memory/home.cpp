// Home: everything that belongs to one runtime for as long as something of it is in use: two pools and the streams.
// SPDX-License-Identifier: Apache-2.0
#include "memory/home.h"

#include <algorithm>
#include <string>
#include <utility>

#include "memory/counters.h"
#include "zeroplane/error.h"

namespace zp {
namespace memory {

namespace {

constexpr std::size_t kDefaultLimit = std::size_t(1) << 30;
constinit std::atomic<std::size_t> host_bytes_limit{kDefaultLimit};
constinit std::atomic<std::size_t> scratch_bytes_limit{kDefaultLimit};

struct StreamOfThread {
  std::shared_ptr<Home> home;
  device::Stream stream = nullptr;
};
using StreamsOfThread = std::vector<StreamOfThread>;

// Plain values beside the object with a destructor: what runs after it must see that it is gone.
thread_local constinit StreamsOfThread* streams_of_thread = nullptr;
thread_local constinit bool thread_ends = false;

struct ThreadEnd {
  ~ThreadEnd() {
    thread_ends = true;
    StreamsOfThread* streams = std::exchange(streams_of_thread, nullptr);
    if (streams == nullptr) return;
    for (StreamOfThread& entry : *streams)
      if (entry.home->alive()) entry.home->return_stream(entry.stream);
    delete streams;
  }
  void touch() {}
};
thread_local ThreadEnd thread_end;

}  // namespace

std::size_t host_limit() noexcept { return host_bytes_limit.load(std::memory_order_relaxed); }
std::size_t scratch_limit() noexcept { return scratch_bytes_limit.load(std::memory_order_relaxed); }

void AdoptedRanges::add(std::uintptr_t base, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  ends_[base] = base + bytes;
  count_.store(ends_.size());
}

void AdoptedRanges::remove(std::uintptr_t base) noexcept {
  std::lock_guard lock(mutex_);
  ends_.erase(base);
  count_.store(ends_.size());
}

bool AdoptedRanges::hold_a_part(std::uintptr_t base, std::uintptr_t end) const noexcept {
  if (count_.load() == 0) return false;
  std::lock_guard lock(mutex_);
  auto next = ends_.upper_bound(base);  // the ranges do not overlap: the driver refuses that
  if (next != ends_.begin()) {
    const std::uintptr_t end_before = std::prev(next)->second;
    if (end_before >= end) return false;
    if (end_before > base) return true;
  }
  return next != ends_.end() && next->first < end;
}

Home::Home(std::shared_ptr<device::Runtime> runtime)
    : runtime_(std::move(runtime)), host(*runtime_, host_bytes_limit), scratch(*runtime_, scratch_bytes_limit) {}

Home::~Home() {
  if (alive()) release();
}

device::Stream Home::lend_stream() {
  std::lock_guard lock(mutex_);
  if (!idle_streams_.empty()) {
    device::Stream stream = idle_streams_.back();
    idle_streams_.pop_back();
    return stream;
  }
  idle_streams_.reserve(streams_ + 1);
  device::Stream stream = runtime_->create_stream();
  ++streams_;
  return stream;
}

void Home::return_stream(device::Stream stream) noexcept {
  std::lock_guard lock(mutex_);
  idle_streams_.push_back(stream);
}

void Home::destroy_stream(device::Stream stream) noexcept {
  try {
    runtime_->wait_stream(stream);
  } catch (const std::exception& error) {
    log(std::string("zeroplane: waiting for a stream before it is destroyed: ") + error.what());
  }
  host.forget(stream);
  scratch.forget(stream);
  runtime_->destroy_stream(stream);
  std::lock_guard lock(mutex_);
  --streams_;
}

namespace {

/// Every event of the lanes.
template <class Call>
void each_event(Lanes& lanes, const Call& call) {
  call(lanes.start);
  for (int k = 0; k < Lanes::kSlots; ++k) {
    call(lanes.copied_in[k]);
    call(lanes.computed[k]);
    call(lanes.copied_out[k]);
  }
}

}  // namespace

std::unique_ptr<Lanes> Home::lend_lanes() {
  {
    std::lock_guard lock(mutex_);
    if (!idle_lanes_.empty()) {
      std::unique_ptr<Lanes> lanes = std::move(idle_lanes_.back());
      idle_lanes_.pop_back();
      return lanes;
    }
    idle_lanes_.reserve(lanes_ + 1);
    ++lanes_;
  }
  auto made = std::make_unique<Lanes>();
  try {
    made->in = runtime_->create_stream();
    made->out = runtime_->create_stream();
    each_event(*made, [&](device::Event& event) { event = runtime_->create_event(); });
  } catch (...) {
    destroy(*made);
    throw;
  }
  return made;
}

void Home::return_lanes(std::unique_ptr<Lanes> lanes) noexcept {
  std::lock_guard lock(mutex_);
  idle_lanes_.push_back(std::move(lanes));
}

void Home::destroy(Lanes& lanes) noexcept {
  each_event(lanes, [&](device::Event& event) {
    if (event != nullptr) runtime_->destroy_event(event);
  });
  for (const device::Stream stream : {lanes.in, lanes.out})
    if (stream != nullptr) runtime_->destroy_stream(stream);
  std::lock_guard lock(mutex_);
  --lanes_;
}

void Home::release() noexcept {
  host.free_idle(0);
  scratch.free_idle(0);
  std::vector<std::unique_ptr<Lanes>> lanes;
  {
    std::lock_guard lock(mutex_);
    lanes.swap(idle_lanes_);
  }
  for (const auto& lane : lanes) destroy(*lane);
  std::vector<device::Stream> streams;
  {
    std::lock_guard lock(mutex_);
    streams.swap(idle_streams_);
  }
  for (device::Stream stream : streams) destroy_stream(stream);
  std::lock_guard lock(mutex_);
  try {
    idle_streams_.reserve(streams_);
    idle_lanes_.reserve(lanes_);
  } catch (...) {  // return_stream() then asks for the memory itself
  }
}

device::Stream stream_of_thread(const std::shared_ptr<Home>& home) {
  if (thread_ends) {
    // A static or thread-local object of the caller works here while the thread is taken down: it shares a stream.
    device::Stream stream = home->lend_stream();
    home->return_stream(stream);
    return stream;
  }
  thread_end.touch();
  if (streams_of_thread == nullptr) streams_of_thread = new StreamsOfThread;
  StreamsOfThread& streams = *streams_of_thread;
  for (const StreamOfThread& entry : streams)
    if (entry.home == home) return entry.stream;
  std::erase_if(streams, [](StreamOfThread& entry) {
    if (!entry.home->alive()) return true;
    if (!entry.home->retired()) return false;
    entry.home->return_stream(entry.stream);
    return true;
  });
  streams.reserve(streams.size() + 1);
  streams.push_back({home, home->lend_stream()});
  return streams.back().stream;
}

void destroy_streams_of_thread(const Home& home) noexcept {
  if (streams_of_thread == nullptr) return;
  std::erase_if(*streams_of_thread, [&](StreamOfThread& entry) {
    if (entry.home.get() != &home) return false;
    entry.home->destroy_stream(entry.stream);
    return true;
  });
}

}  // namespace memory

void set_pool_limits(std::size_t host_bytes, std::size_t scratch_bytes) {
  memory::host_bytes_limit.store(host_bytes, std::memory_order_relaxed);
  memory::scratch_bytes_limit.store(scratch_bytes, std::memory_order_relaxed);
}

}  // namespace zp
