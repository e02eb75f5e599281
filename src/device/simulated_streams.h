// The simulated device's streams and events: threads that run what was queued, in order and late.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_DEVICE_SIMULATED_STREAMS_H
#define ZP_DEVICE_SIMULATED_STREAMS_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "device/runtime.h"
#include "zeroplane/error.h"

namespace zp::device {

/// Thread-safe. Items of one stream run in order, each no sooner than the delay after it was queued. What an item
/// throws is kept: items behind it on the stream are skipped, as on a device whose context has failed, until a wait
/// for the stream, or for an event recorded on it, throws it.
class SimulatedStreams {
 public:
  explicit SimulatedStreams(int delay_microseconds) : delay_microseconds_(delay_microseconds) {}
  /// Runs what is queued to its end.
  ~SimulatedStreams();
  SimulatedStreams(const SimulatedStreams&) = delete;
  SimulatedStreams& operator=(const SimulatedStreams&) = delete;

  void set_delay(int microseconds) noexcept { delay_microseconds_ = microseconds; }

  Stream create_stream();
  void destroy_stream(Stream stream) noexcept;
  /// `label` is put in front of what the body throws.
  void enqueue(Stream stream, std::string label, std::function<void()> body);
  void wait_stream(Stream stream);
  /// Throws for a stream that is none of the device's.
  void require(Stream stream) const;
  /// Waits for all that is queued on a stream and leaves its failure where it is.
  void drain(Stream stream);
  /// The same for all streams but the one this thread runs.
  void drain_all() noexcept;

  Event create_event();
  void destroy_event(Event event) noexcept;
  void record(Event event, Stream stream);
  bool finished(Event event);
  void wait_event(Event event);
  void stream_waits(Stream stream, Event event);

  std::size_t live_streams() const;
  std::size_t live_events() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct StreamState;
  struct Failure {
    Error error;
    bool thrown = false;
  };
  struct Mark {  // one record of an event
    const StreamState* stream = nullptr;
    bool reached = false;
    std::shared_ptr<Failure> failure;  // the stream's, when the mark was reached
  };
  struct EventState {
    std::shared_ptr<Mark> mark;
  };
  struct Item {
    Clock::time_point due = {};
    std::string label = {};
    std::function<void()> body = {};
    std::shared_ptr<Mark> record = {}, wait = {};
  };
  struct StreamState {
    std::deque<Item> queue;
    std::uint64_t queued = 0, done = 0;
    bool stopping = false;
    std::shared_ptr<Failure> failure;
    std::condition_variable work;
    std::thread thread;
  };

  void work_off(StreamState& stream);
  static bool failed(const StreamState& stream) { return stream.failure && !stream.failure->thrown; }
  static void throw_once(const std::shared_ptr<Failure>& failure);
  void run(StreamState& stream, Item& item, std::unique_lock<std::mutex>& lock);
  void push(StreamState& stream, Item item);
  void wait_until_done(const StreamState& stream, std::unique_lock<std::mutex>& lock);
  std::shared_ptr<StreamState> find_stream(Stream stream) const;
  std::shared_ptr<EventState> find_event(Event event) const;

  mutable std::mutex mutex_;
  std::condition_variable progress_;
  std::unordered_map<Stream, std::shared_ptr<StreamState>> streams_;
  std::unordered_map<Event, std::shared_ptr<EventState>> events_;
  std::atomic<int> delay_microseconds_;
};

}  // namespace zp::device

#endif
