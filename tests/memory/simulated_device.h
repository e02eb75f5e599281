// A simulated device for one test: its control, a kernel to run on it, and the ledger at the end.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_MEMORY_SIMULATED_DEVICE_H
#define ZP_TESTS_MEMORY_SIMULATED_DEVICE_H

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "device/runtime.h"
#include "memory/context.h"
#include "zeroplane/device_view.h"
#include "zeroplane/error.h"
#include "zeroplane/memory.h"

namespace zp::test {

constexpr std::size_t kGibibyte = std::size_t(1) << 30;

/// Makes the device current; at the end everything it lent must have come back.
class SimulatedDevice {
 public:
  explicit SimulatedDevice(const std::string& model, const std::string& forced = "auto") {
    initialize({.device = "simulated:" + model, .memory_model = forced, .executor = "auto"});
    runtime_ = memory::context()->runtime;
  }
  ~SimulatedDevice() {
    set_pool_limits(kGibibyte, kGibibyte);
    set_log_callback(nullptr);
    using Call = device::SimulatedControl::Call;
    for (Call call :
         {Call::allocate, Call::copy, Call::launch, Call::wait, Call::register_host, Call::query, Call::create})
      control().fail(call, 0);
    memory::release_context();
    expect_nothing_lives();
    initialize({.device = "none", .memory_model = "auto", .executor = "auto"});
  }
  void expect_nothing_lives() {
    const auto ledger = control().ledger();
    EXPECT_EQ(ledger.live_blocks, 0u);
    EXPECT_EQ(ledger.live_bytes, 0u);
    EXPECT_EQ(ledger.live_streams, 0u);
    EXPECT_EQ(ledger.live_events, 0u);
    EXPECT_EQ(ledger.registered_ranges, 0u);
    EXPECT_EQ(ledger.allocated, ledger.freed);
  }
  device::Runtime& runtime() { return *runtime_; }
  device::SimulatedControl& control() { return *device::simulated_control(*runtime_); }

 private:
  std::shared_ptr<device::Runtime> runtime_;
};

/// Runs `change` over every sample of a plane on the device.
template <class T>
void launch_over(void* stream, const PlaneView& plane, std::function<T(T)> change) {
  if (plane.shape.empty()) return;
  device::Runtime& runtime = *memory::context()->runtime;
  PlaneView reached = plane;
  reached.data = runtime.translate(plane.data, plane.span_bytes());
  memory::count_launch();
  runtime.launch(stream, "test", [view = reached.as<T>(), change] {
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        for (int c = 0; c < view.channels; ++c) view.at(x, y, c) = change(view.at(x, y, c));
  });
}

/// One sample of the destination from the sample of the source at the same place.
template <class T>
void launch_from(void* stream, const PlaneView& from, const PlaneView& to, std::function<T(T)> make) {
  device::Runtime& runtime = *memory::context()->runtime;
  PlaneView in = from, out = to;
  in.data = runtime.translate(from.data, from.span_bytes());
  out.data = runtime.translate(to.data, to.span_bytes());
  memory::count_launch();
  runtime.launch(stream, "test", [in = in.as<T>(), out = out.as<T>(), make] {
    for (int y = 0; y < in.height; ++y)
      for (int x = 0; x < in.width; ++x) out.at(x, y) = make(in.at(x, y));
  });
}

/// The error of `body`, which must throw one; its kind must be `kind`.
inline std::string message_of(ErrorKind kind, const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(name_of(error.kind()), name_of(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error, expected " << name_of(kind);
  return {};
}

inline void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << "\"" << word << "\" in: " << text;
}

}  // namespace zp::test

#endif
