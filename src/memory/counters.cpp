// Counting per thread and process, the log callback, and the innermost NoStaging guard.
// SPDX-License-Identifier: Apache-2.0
#include "memory/counters.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace zp {

namespace {

constinit Counters process_counters;
thread_local constinit Counters thread_counters;
thread_local constinit const NoStaging* innermost_guard = nullptr;
constinit std::atomic<bool> trace{false};

constexpr std::uint64_t Counters::*kFields[] = {
    &Counters::views_in_place,  &Counters::views_staged,  &Counters::views_device_resident,
    &Counters::bytes_to_device, &Counters::bytes_to_host, &Counters::allocations,
    &Counters::frees,           &Counters::waits,         &Counters::launches,
};
static_assert(sizeof(kFields) / sizeof(kFields[0]) * sizeof(std::uint64_t) == sizeof(Counters));

struct Log {
  std::mutex mutex;
  std::shared_ptr<const LogCallback> callback;
};

// Leaked: destructors of static objects may still log.
Log& the_log() {
  static Log* log = new Log;
  return *log;
}

}  // namespace

Counters operator-(const Counters& a, const Counters& b) noexcept {
  Counters difference;
  for (auto field : kFields) difference.*field = a.*field - b.*field;
  return difference;
}

Counters counters() noexcept {
  Counters now;
  for (auto field : kFields)
    now.*field = std::atomic_ref<std::uint64_t>(process_counters.*field).load(std::memory_order_relaxed);
  return now;
}

CounterScope::CounterScope() noexcept : start_(thread_counters) {}
Counters CounterScope::counted() const noexcept { return thread_counters - start_; }

NoStaging::NoStaging(const char* file, int line) noexcept : outer_(innermost_guard), file_(file), line_(line) {
  innermost_guard = this;
}
NoStaging::~NoStaging() { innermost_guard = outer_; }

struct NoStagingAccess {
  static std::string place() {
    if (innermost_guard == nullptr) return {};
    return std::string(innermost_guard->file_) + ":" + std::to_string(innermost_guard->line_);
  }
};

void set_log_callback(LogCallback callback) {
  auto shared = callback ? std::make_shared<const LogCallback>(std::move(callback)) : nullptr;
  std::lock_guard lock(the_log().mutex);
  the_log().callback.swap(shared);
}

namespace memory {

void count(std::uint64_t Counters::*what, std::uint64_t amount) noexcept {
  thread_counters.*what += amount;
  std::atomic_ref<std::uint64_t>(process_counters.*what).fetch_add(amount, std::memory_order_relaxed);
}

void count_launch() noexcept { count(&Counters::launches); }

void log(std::string_view line) noexcept {
  try {
    std::shared_ptr<const LogCallback> callback;
    {
      std::lock_guard lock(the_log().mutex);
      callback = the_log().callback;
    }
    if (callback) (*callback)(line);
  } catch (...) {  // a log line is never worth an exception in a destructor
  }
}

bool trace_enabled() noexcept { return trace.load(std::memory_order_relaxed); }

void read_trace_variable() noexcept {
  const char* value = std::getenv("ZEROPLANE_TRACE");
  trace.store(value != nullptr && std::string_view(value) == "1", std::memory_order_relaxed);
}

std::string staging_guard() { return NoStagingAccess::place(); }

void lock_log() noexcept { the_log().mutex.lock(); }
void unlock_log() noexcept { the_log().mutex.unlock(); }

}  // namespace memory
}  // namespace zp
