// Runs the queues of the simulated device.
// SPDX-License-Identifier: Apache-2.0
#include "device/simulated_streams.h"

#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace zp::device {
namespace {

thread_local const void* stream_of_this_thread = nullptr;

[[noreturn]] void bad_handle(const char* what) {
  throw Error(ErrorKind::device, std::string("simulated device: cudaErrorInvalidResourceHandle, not a live ") + what);
}

std::optional<Error> failure_of(const std::string& label, const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    const std::string words = error.what();
    return Error(error.kind(), words.rfind(label, 0) == 0 ? words : label + ": " + words);
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::out_of_memory, label + ": host memory ran out on the simulated device");
  } catch (const std::exception& error) {
    return Error(ErrorKind::device, label + ": the simulated device failed: " + error.what());
  } catch (...) {
    return Error(ErrorKind::device, label + ": the simulated device failed: an exception of unknown type");
  }
  return std::nullopt;
}

}  // namespace

SimulatedStreams::~SimulatedStreams() {
  std::vector<std::shared_ptr<StreamState>> streams;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [handle, stream] : streams_) {
      stream->stopping = true;
      stream->work.notify_all();
      streams.push_back(stream);
    }
  }
  for (auto& stream : streams) stream->thread.join();
}

Stream SimulatedStreams::create_stream() {
  auto stream = std::make_shared<StreamState>();
  const std::lock_guard lock(mutex_);
  streams_.emplace(stream.get(), stream);
  try {
    stream->thread = std::thread([this, state = stream.get()] { work_off(*state); });
  } catch (const std::system_error& error) {
    streams_.erase(stream.get());
    throw Error(ErrorKind::device, std::string("simulated cudaStreamCreate failed: no thread: ") + error.what());
  }
  return stream.get();
}

void SimulatedStreams::destroy_stream(Stream handle) noexcept {
  std::shared_ptr<StreamState> stream;
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(handle);
    if (found == streams_.end() || found->second->stopping) return;
    stream = found->second;
    stream->stopping = true;
    stream->work.notify_all();
  }
  // Stays in the table until its thread is gone, so that a free on another thread still waits for it.
  stream->thread.join();
  const std::lock_guard lock(mutex_);
  streams_.erase(handle);
}

void SimulatedStreams::work_off(StreamState& stream) {
  stream_of_this_thread = &stream;
  std::unique_lock lock(mutex_);
  for (;;) {
    stream.work.wait(lock, [&] { return !stream.queue.empty() || stream.stopping; });
    if (stream.queue.empty()) return;
    for (const auto due = stream.queue.front().due; Clock::now() < due;) stream.work.wait_until(lock, due);
    Item item = std::move(stream.queue.front());
    stream.queue.pop_front();
    run(stream, item, lock);
    ++stream.done;
    progress_.notify_all();
  }
}

void SimulatedStreams::run(StreamState& stream, Item& item, std::unique_lock<std::mutex>& lock) {
  if (item.wait) {
    progress_.wait(lock, [&] { return item.wait->reached; });
    if (item.wait->failure && !failed(stream)) {
      stream.failure = std::make_shared<Failure>(Failure{item.wait->failure->error});
    }
  }
  if (item.body) {
    const bool skip = failed(stream);
    lock.unlock();
    std::optional<Error> failure;
    if (!skip) failure = failure_of(item.label, item.body);
    item.body = nullptr;  // before the item counts as done, so that nothing it captured outlives a wait
    lock.lock();
    if (failure) stream.failure = std::make_shared<Failure>(Failure{*failure});
  }
  if (item.record) {
    item.record->reached = true;
    if (failed(stream)) item.record->failure = stream.failure;
  }
}

void SimulatedStreams::throw_once(const std::shared_ptr<Failure>& failure) {
  if (!failure || failure->thrown) return;
  failure->thrown = true;
  throw failure->error;
}

void SimulatedStreams::push(StreamState& stream, Item item) {
  if (stream.stopping) bad_handle("stream");
  item.due = Clock::now() + std::chrono::microseconds(delay_microseconds_.load());
  stream.queue.push_back(std::move(item));
  ++stream.queued;
  stream.work.notify_one();
}

void SimulatedStreams::enqueue(Stream handle, std::string label, std::function<void()> body) {
  Item item;
  item.label = std::move(label);
  item.body = std::move(body);
  const std::lock_guard lock(mutex_);
  push(*find_stream(handle), std::move(item));
}

void SimulatedStreams::wait_until_done(const StreamState& stream, std::unique_lock<std::mutex>& lock) {
  const std::uint64_t target = stream.queued;
  progress_.wait(lock, [&] { return stream.done >= target; });
}

void SimulatedStreams::wait_stream(Stream handle) {
  if (handle == stream_of_this_thread) {
    throw Error(ErrorKind::device, "simulated cudaStreamSynchronize failed: called from work that runs on the stream");
  }
  std::unique_lock lock(mutex_);
  const auto stream = find_stream(handle);
  wait_until_done(*stream, lock);
  throw_once(stream->failure);
}

void SimulatedStreams::require(Stream handle) const {
  const std::lock_guard lock(mutex_);
  find_stream(handle);
}

void SimulatedStreams::drain(Stream handle) {
  std::unique_lock lock(mutex_);
  const auto stream = find_stream(handle);
  if (handle != stream_of_this_thread) wait_until_done(*stream, lock);
}

void SimulatedStreams::drain_all() noexcept {
  std::unique_lock lock(mutex_);
  std::vector<std::pair<std::shared_ptr<StreamState>, std::uint64_t>> targets;
  for (const auto& [handle, stream] : streams_) {
    if (handle != stream_of_this_thread) targets.emplace_back(stream, stream->queued);
  }
  progress_.wait(lock, [&] {
    for (const auto& [stream, target] : targets) {
      if (stream->done < target) return false;
    }
    return true;
  });
}

Event SimulatedStreams::create_event() {
  auto event = std::make_shared<EventState>();
  const std::lock_guard lock(mutex_);
  events_.emplace(event.get(), event);
  return event.get();
}

void SimulatedStreams::destroy_event(Event handle) noexcept {
  const std::lock_guard lock(mutex_);
  events_.erase(handle);
}

void SimulatedStreams::record(Event handle, Stream on) {
  const std::lock_guard lock(mutex_);
  const auto event = find_event(handle);
  const auto stream = find_stream(on);
  auto mark = std::make_shared<Mark>();
  mark->stream = stream.get();
  Item item;
  item.record = mark;
  push(*stream, std::move(item));
  event->mark = std::move(mark);
}

bool SimulatedStreams::finished(Event handle) {
  const std::lock_guard lock(mutex_);
  const auto event = find_event(handle);
  return !event->mark || event->mark->reached;
}

void SimulatedStreams::wait_event(Event handle) {
  std::unique_lock lock(mutex_);
  const auto mark = find_event(handle)->mark;
  if (!mark) return;
  if (mark->stream == stream_of_this_thread) {
    throw Error(ErrorKind::device, "simulated cudaEventSynchronize failed: called from work that runs on the stream");
  }
  progress_.wait(lock, [&] { return mark->reached; });
  throw_once(mark->failure);
}

void SimulatedStreams::stream_waits(Stream handle, Event awaited) {
  const std::lock_guard lock(mutex_);
  Item item;
  item.wait = find_event(awaited)->mark;
  push(*find_stream(handle), std::move(item));
}

std::shared_ptr<SimulatedStreams::StreamState> SimulatedStreams::find_stream(Stream stream) const {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) bad_handle("stream");
  return found->second;
}

std::shared_ptr<SimulatedStreams::EventState> SimulatedStreams::find_event(Event event) const {
  const auto found = events_.find(event);
  if (found == events_.end()) bad_handle("event");
  return found->second;
}

std::size_t SimulatedStreams::live_streams() const {
  const std::lock_guard lock(mutex_);
  return streams_.size();
}

std::size_t SimulatedStreams::live_events() const {
  const std::lock_guard lock(mutex_);
  return events_.size();
}

}  // namespace zp::device
