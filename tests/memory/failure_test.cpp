// Each runtime call fails once at each place where a wrapper makes it: an error, no leak, and the next call works.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include "memory/pools.h"
#include "memory/simulated_device.h"
#include "zeroplane/image.h"

namespace zp::test {
namespace {

using Call = device::SimulatedControl::Call;

/// Foreign memory in, a rectangle with padding and a library image in and out: every path of a view.
void wrapper(std::vector<float>& in, std::vector<float>& padded) {
  Image image(Format::f32, 10, 10);
  std::memset(image.data(), 0, image.bytes());
  DevicePlane a(View<float>(in.data(), 10, 10), Access::in);
  DevicePlane b(View<float>(padded.data(), 10, 10, 1, 64), Access::in_out);
  DevicePlane c(image.view(), Access::in_out, Reuse::many);
  launch_from<float>(a.stream(), a.device(), b.device(), [](float v) { return v + 1; });
  launch_from<float>(a.stream(), a.device(), c.device(), [](float v) { return v + 1; });
  c.commit();
  b.commit();
  a.commit();
}

struct Case {
  const char* model;
  Call call;
  const char* name;
};

class Failure : public testing::TestWithParam<Case> {};

TEST_P(Failure, OfAnyCallIsAnErrorThatLeaksNothing) {
  SimulatedDevice simulated(GetParam().model);
  int failures = 0, n = 1;
  for (; n <= 40; ++n) {
    std::vector<float> in(100, 1.0f), padded(160, -1.0f);
    memory::release_context();  // so that everything is allocated and created anew
    simulated.control().fail(GetParam().call, n);
    bool failed = false;
    try {
      wrapper(in, padded);
    } catch (const Error& error) {
      failed = true;
      EXPECT_TRUE(error.kind() == ErrorKind::device || error.kind() == ErrorKind::out_of_memory) << error.what();
    }
    simulated.control().fail(GetParam().call, 0);
    EXPECT_EQ(host_pool_report().bytes_in_use, 0u) << n;
    EXPECT_EQ(scratch_pool_report().bytes_in_use, 0u) << n;
    memory::release_context();
    simulated.expect_nothing_lives();
    std::vector<float> padded_again(160, -1.0f);
    EXPECT_NO_THROW(wrapper(in, padded_again)) << n;
    for (int i = 0; i < 160; ++i) ASSERT_EQ(padded_again[std::size_t(i)], i % 16 < 10 ? 2.0f : -1.0f) << n << ": " << i;
    if (!failed) break;
    ++failures;
  }
  EXPECT_GT(failures, 0) << "the call is made at all";
  EXPECT_LT(n, 40) << "the wrapper makes it a few times only";
}

INSTANTIATE_TEST_SUITE_P(
    Calls, Failure,
    testing::Values(Case{"unified", Call::allocate, "unified_allocate"}, Case{"unified", Call::copy, "unified_copy"},
                    Case{"unified", Call::wait, "unified_wait"}, Case{"unified", Call::query, "unified_query"},
                    Case{"unified", Call::create, "unified_create"}, Case{"unified", Call::launch, "unified_launch"},
                    Case{"discrete", Call::allocate, "discrete_allocate"},
                    Case{"discrete", Call::copy, "discrete_copy"}, Case{"discrete", Call::wait, "discrete_wait"},
                    Case{"discrete", Call::query, "discrete_query"}, Case{"discrete", Call::create, "discrete_create"},
                    Case{"discrete", Call::launch, "discrete_launch"},
                    Case{"coherent", Call::allocate, "coherent_allocate"},
                    Case{"coherent", Call::wait, "coherent_wait"}, Case{"coherent", Call::query, "coherent_query"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Failure, OfACommitCanBeRepeated) {
  SimulatedDevice simulated("discrete");
  for (Call call : {Call::wait, Call::copy}) {
    std::vector<float> mine(100, 1.0f);
    DeviceView<float> view(mine.data(), 100, Access::in_out);
    launch_over<float>(view.stream(), PlaneView(view.view()), [](float v) { return v + 1; });
    simulated.control().fail(call, 1);
    message_of(ErrorKind::device, [&] { view.commit(); });
    view.commit();
    EXPECT_EQ(mine, std::vector<float>(100, 2.0f));
  }
}

TEST(Failure, InADestructorIsLoggedAndWaitedForAgain) {
  SimulatedDevice simulated("unified");
  std::vector<std::string> lines;
  set_log_callback([&](std::string_view line) { lines.emplace_back(line); });
  Image image(Format::f32, 10, 10);
  std::memset(image.data(), 0, image.bytes());
  {
    DevicePlane plane(image.view(), Access::in_out);
    launch_over<float>(plane.stream(), plane.device(), [](float v) { return v + 1; });
    simulated.control().fail(Call::wait, 1);
  }
  ASSERT_EQ(lines.size(), 1u);
  expect_words(lines[0], {"not committed"});
  EXPECT_EQ(static_cast<float*>(image.data())[99], 1.0f);
}

TEST(Failure, OfAKernelComesOutOfCommit) {
  SimulatedDevice simulated("discrete");
  std::vector<float> mine(100, 1.0f);
  {
    DeviceView<float> view(mine.data(), 100, Access::in_out);
    simulated.runtime().launch(view.stream(), "broken",
                               [] { throw Error(ErrorKind::device, "the kernel touched a bad address"); });
    expect_words(message_of(ErrorKind::device, [&] { view.commit(); }), {"bad address"});
  }
  DeviceView<float> view(mine.data(), 100, Access::in_out);
  launch_over<float>(view.stream(), PlaneView(view.view()), [](float v) { return v + 1; });
  view.commit();
  EXPECT_EQ(mine, std::vector<float>(100, 2.0f));
}

TEST(Failure, OfAMixedRangeLeaksNothingEither) {
  SimulatedDevice simulated("discrete");
  std::vector<float> mine(1000, 1.0f);
  const Adopted adopted = adopt(mine.data(), 2000);
  for (Call call : {Call::allocate, Call::copy, Call::wait}) {
    for (int n = 1; n <= 2; ++n) {
      trim_pools();
      simulated.control().fail(call, n);
      try {
        DeviceView<float> view(mine.data() + 100, 600, Access::in_out);
        view.commit();
      } catch (const Error&) {
      }
      simulated.control().fail(call, 0);
      EXPECT_EQ(host_pool_report().bytes_in_use, 0u);
      EXPECT_EQ(scratch_pool_report().bytes_in_use, 0u);
    }
  }
  DeviceView<float> view(mine.data() + 100, 600, Access::in_out);
  launch_over<float>(view.stream(), PlaneView(view.view()), [](float v) { return v + 1; });
  view.commit();
  EXPECT_EQ(mine[99], 1.0f);
  EXPECT_EQ(mine[100], 2.0f);
  EXPECT_EQ(mine[699], 2.0f);
  EXPECT_EQ(mine[700], 1.0f);
}

}  // namespace
}  // namespace zp::test
