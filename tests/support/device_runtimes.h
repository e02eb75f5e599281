// The runtimes that a device test runs over, and what such tests ask of them.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_SUPPORT_DEVICE_RUNTIMES_H
#define ZP_TESTS_SUPPORT_DEVICE_RUNTIMES_H

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "device/runtime.h"
#include "zeroplane/error.h"

namespace zp::test {

using device::MemoryKind;
using device::PointerInfo;

inline std::shared_ptr<device::Runtime> simulated(MemoryModel model, int delay_microseconds = 50) {
  device::SimulatedOptions options;
  options.model = model;
  options.stream_delay_microseconds = delay_microseconds;
  return device::make_simulated(options);
}

inline std::optional<Error> error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// The message of the zp::Error that `body` throws; empty if it throws none.
inline std::string message_of(const std::function<void()>& body) {
  const auto error = error_of(body);
  return error ? error->what() : "";
}

inline char* at(void* pointer, std::ptrdiff_t offset) {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(pointer) + static_cast<std::uintptr_t>(offset));
}

/// Reads a byte that a stream may write later: the missing wait is what the test is about.
__attribute__((noinline, no_sanitize("thread"))) inline char peek(const char* address) {
  return *static_cast<const volatile char*>(address);
}

/// Work that holds a stream of a simulated device up until it is let go.
class Gate {
 public:
  Gate(device::Runtime& runtime, device::Stream stream) {
    runtime.launch(stream, "gate", [opened = opened_.get_future().share()] { opened.wait(); });
  }
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void open() {
    if (!std::exchange(is_open_, true)) opened_.set_value();
  }

 private:
  std::promise<void> opened_;
  bool is_open_ = false;
};

}  // namespace zp::test

#endif
