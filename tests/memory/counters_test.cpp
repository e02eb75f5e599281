// Counters per thread and process, the NoStaging guard, the log and the trace.
// SPDX-License-Identifier: Apache-2.0
#include "memory/counters.h"

#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "memory/simulated_device.h"
#include "zeroplane/image.h"

namespace zp::test {
namespace {

TEST(CounterScope, SeesItsOwnThreadOnly) {
  const CounterScope outer;
  const Counters process_before = counters();
  std::thread([] {
    memory::count_launch();
    memory::count_launch();
  }).join();
  EXPECT_EQ(outer.counted(), Counters{});
  EXPECT_EQ((counters() - process_before).launches, 2u);
  memory::count_launch();
  const CounterScope inner;
  memory::count(&Counters::bytes_to_host, 10);
  EXPECT_EQ(outer.counted().launches, 1u);
  EXPECT_EQ(inner.counted().launches, 0u);
  EXPECT_EQ(inner.counted().bytes_to_host, 10u);
}

TEST(CounterScope, DifferencesAreFieldByField) {
  const Counters a{1, 2, 3, 4, 5, 6, 7, 8, 9}, b{10, 20, 30, 40, 50, 60, 70, 80, 90};
  EXPECT_EQ(b - a, (Counters{9, 18, 27, 36, 45, 54, 63, 72, 81}));
}

TEST(CounterScope, CountsAViewFromEndToEnd) {
  SimulatedDevice simulated("discrete");
  std::vector<float> mine(100, 1.0f);
  const auto run = [&] {
    DeviceView<float> view(mine.data(), mine.size(), Access::in_out);
    launch_over<float>(view.stream(), PlaneView(view.view()), [](float v) { return v + 1; });
    view.commit();
  };
  run();
  const CounterScope scope;
  run();
  const Counters counted = scope.counted();
  EXPECT_EQ(counted.views_staged, 1u);
  EXPECT_EQ(counted.views_in_place, 0u);
  EXPECT_EQ(counted.bytes_to_device, 400u);
  EXPECT_EQ(counted.bytes_to_host, 400u);
  EXPECT_EQ(counted.waits, 1u);
  EXPECT_EQ(counted.launches, 1u);
  EXPECT_EQ(counted.allocations, 0u) << "steady state";
  EXPECT_EQ(counted.frees, 0u);
  EXPECT_EQ(mine[99], 3.0f);
}

void wrapper(float* samples, std::size_t count) {
  DeviceView<float> view(samples, count, Access::in_out);
  view.commit();
}

TEST(NoStagingGuard, NamesOperationPointerSizeReasonAndItsOwnLine) {
  SimulatedDevice simulated("unified");
  std::vector<float> mine(25, 1.0f);
  char address[32];
  std::snprintf(address, sizeof address, "%p", static_cast<void*>(mine.data()));
  const NoStaging guard("camera.cpp", 42);
  const CounterScope scope;
  expect_words(message_of(ErrorKind::staging_forbidden, [&] { wrapper(mine.data(), mine.size()); }),
               {"wrapper", address, "100 bytes", "cannot reach", "camera.cpp:42"});
  expect_words(message_of(ErrorKind::staging_forbidden,
                          [&] { DevicePlane plane(View<float>(mine.data(), 5, 5), Access::in, Reuse::once, "blur"); }),
               {"blur"});
  EXPECT_EQ(scope.counted().views_staged, 0u);
  EXPECT_EQ(scope.counted().bytes_to_device, 0u);
}

TEST(NoStagingGuard, LetsEverythingElsePass) {
  SimulatedDevice simulated("unified");
  const NoStaging guard;
  Image image(Format::f32, 8, 8);
  DevicePlane plane(image.view(), Access::in_out, Reuse::many);
  EXPECT_EQ(plane.placement(), Placement::in_place);
  plane.commit();
  DeviceView<float> nothing(static_cast<float*>(nullptr), 0, Access::in);
}

TEST(NoStagingGuard, NestsAndEnds) {
  SimulatedDevice simulated("discrete");
  std::vector<float> mine(25);
  {
    const NoStaging outer("outer.cpp", 1);
    {
      const NoStaging inner("inner.cpp", 2);
      expect_words(message_of(ErrorKind::staging_forbidden, [&] { wrapper(mine.data(), 25); }), {"inner.cpp:2"});
    }
    expect_words(message_of(ErrorKind::staging_forbidden, [&] { wrapper(mine.data(), 25); }), {"outer.cpp:1"});
    std::thread([&] { EXPECT_NO_THROW(wrapper(mine.data(), 25)); }).join();
  }
  EXPECT_NO_THROW(wrapper(mine.data(), 25));
}

TEST(NoStagingGuard, KnowsItsSourceLine) {
  SimulatedDevice simulated("discrete");
  std::vector<float> mine(25);
  const int line = __LINE__ + 1;
  const NoStaging guard;
  expect_words(message_of(ErrorKind::staging_forbidden, [&] { wrapper(mine.data(), 25); }),
               {"counters_test.cpp", std::to_string(line).c_str()});
}

TEST(Log, GoesToTheCallbackAndNowhereElse) {
  std::vector<std::string> lines;
  set_log_callback([&](std::string_view line) { lines.emplace_back(line); });
  memory::log("one");
  set_log_callback(nullptr);
  memory::log("two");
  EXPECT_EQ(lines, std::vector<std::string>{"one"});
  set_log_callback([](std::string_view) { throw std::runtime_error("no"); });
  memory::log("three");
  // A callback may replace itself.
  set_log_callback([](std::string_view) { set_log_callback(nullptr); });
  memory::log("four");
}

TEST(Trace, LogsEachStagingOnRequest) {
  std::vector<std::string> lines;
  std::vector<float> mine(25);
  for (const char* value : {"1", "0"}) {
    setenv("ZEROPLANE_TRACE", value, 1);
    SimulatedDevice simulated("discrete");
    set_log_callback([&](std::string_view line) { lines.emplace_back(line); });
    wrapper(mine.data(), 25);
    Image image(Format::u8, 4, 4);
    DevicePlane(image.view(), Access::in).commit();
  }
  unsetenv("ZEROPLANE_TRACE");
  ASSERT_EQ(lines.size(), 1u) << "one staging with the variable at 1";
  expect_words(lines[0], {"staged", "wrapper", "100 bytes", "copied in"});
}

}  // namespace
}  // namespace zp::test
