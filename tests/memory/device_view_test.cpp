// DeviceView on the three simulated models: every kind of pointer, rectangles, aliasing, empty and huge views.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/device_view.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "memory/pools.h"
#include "memory/simulated_device.h"
#include "zeroplane/image.h"

namespace zp::test {
namespace {

constexpr const char* kModels[] = {"unified", "discrete", "coherent"};

void add(const DevicePlane& plane, float constant) {
  launch_over<float>(plane.stream(), plane.device(), [constant](float v) { return v + constant; });
}
template <class T>
void add(const DeviceView<T>& view, T constant) {
  launch_over<T>(view.stream(), PlaneView(view.view()), [constant](T v) { return T(v + constant); });
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> samples(count);
  std::iota(samples.begin(), samples.end(), 0.0f);
  return samples;
}

/// The wrapper of the documentation, with what it counted.
struct Outcome {
  Placement placement;
  std::string reason;
  Counters counted;
};
Outcome add_in_place(float* samples, std::size_t count, Reuse reuse = Reuse::once) {
  const CounterScope scope;
  DeviceView<float> view(samples, count, Access::in_out, reuse);
  add(view, 1.0f);
  view.commit();
  return {view.placement(), std::string(view.reason()), scope.counted()};
}

void expect_counted(const Outcome& outcome, std::size_t bytes, const std::string& where) {
  const bool staged = outcome.placement == Placement::staged;
  EXPECT_EQ(outcome.counted.views_staged, staged ? 1u : 0u) << where;
  EXPECT_EQ(outcome.counted.views_in_place, outcome.placement == Placement::in_place ? 1u : 0u) << where;
  EXPECT_EQ(outcome.counted.views_device_resident, outcome.placement == Placement::device_resident ? 1u : 0u) << where;
  EXPECT_EQ(outcome.counted.bytes_to_device, staged ? bytes : 0u) << where;
  EXPECT_EQ(outcome.counted.bytes_to_host, staged ? bytes : 0u) << where;
  EXPECT_EQ(outcome.counted.launches, 1u) << where;
  EXPECT_EQ(outcome.counted.waits, 1u) << where;
  EXPECT_FALSE(outcome.reason.empty()) << where;
}

void expect_ramp_plus_one(const float* samples, std::size_t count, std::size_t first, const std::string& where) {
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(samples[i], float(first + i) + 1) << where << ", sample " << i;
}

TEST(DeviceView, ForeignMemoryIsStagedUnlessTheDeviceReadsIt) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    auto mine = ramp(1001);
    const Outcome outcome = add_in_place(mine.data() + 1, 999);
    EXPECT_EQ(outcome.placement, model == "coherent" ? Placement::in_place : Placement::staged) << model;
    expect_counted(outcome, 999 * 4, model);
    EXPECT_EQ(mine[0], 0.0f);
    expect_ramp_plus_one(mine.data() + 1, 999, 1, model);
    EXPECT_EQ(mine[1000], 1000.0f);
  }
}

TEST(DeviceView, AnImageIsUsedInPlace) {
  for (const std::string model : kModels)
    for (Reuse reuse : {Reuse::once, Reuse::neighbourhood, Reuse::many}) {
      SimulatedDevice simulated(model);
      Image image(Format::f32, 20, 10);
      auto* samples = static_cast<float*>(image.data());
      for (int interior : {0, 37}) {
        const std::size_t count = std::size_t(200 - interior);
        std::iota(samples, samples + 200, 0.0f);
        const Outcome outcome = add_in_place(samples + interior, count, reuse);
        const bool staged = model == "discrete" && reuse != Reuse::once;
        EXPECT_EQ(outcome.placement, staged ? Placement::staged : Placement::in_place) << model;
        expect_counted(outcome, count * 4, model);
        expect_ramp_plus_one(samples + interior, count, std::size_t(interior), model);
        for (int i = 0; i < interior; ++i) ASSERT_EQ(samples[i], float(i));
      }
    }
}

TEST(DeviceView, AnImageWorksUnderForcedModelsToo) {
  {
    SimulatedDevice simulated("discrete", "unified");
    Image image(Format::f32, 20, 10);
    std::iota(static_cast<float*>(image.data()), static_cast<float*>(image.data()) + 200, 0.0f);
    EXPECT_EQ(add_in_place(static_cast<float*>(image.data()), 200, Reuse::many).placement, Placement::in_place);
    expect_ramp_plus_one(static_cast<float*>(image.data()), 200, 0, "discrete as unified");
  }
  {
    SimulatedDevice simulated("coherent", "discrete");
    auto mine = ramp(200);
    EXPECT_EQ(add_in_place(mine.data(), 200).placement, Placement::staged);
    expect_ramp_plus_one(mine.data(), 200, 0, "coherent as discrete");
  }
}

TEST(DeviceView, RegisteredMemoryIsUsedInPlaceUpToItsLastByte) {
  for (const std::string model : {"unified", "discrete"}) {
    SimulatedDevice simulated(model);
    auto mine = ramp(2000);
    const Adopted adopted = adopt(mine.data() + 100, 1000 * 4);
    Outcome outcome = add_in_place(mine.data() + 100, 1000);
    EXPECT_EQ(outcome.placement, Placement::in_place) << model;
    expect_counted(outcome, 4000, model);
    expect_ramp_plus_one(mine.data() + 100, 1000, 100, model);
  }
}

TEST(DeviceView, InteriorAndReachingPastOfRegisteredMemory) {
  for (const std::string model : {"unified", "discrete"}) {
    SimulatedDevice simulated(model);
    std::vector<float> mine(2000);
    const Adopted adopted = adopt(mine.data() + 100, 1000 * 4);
    const auto run = [&](std::size_t first, std::size_t count, Placement expected) {
      std::iota(mine.begin(), mine.end(), 0.0f);
      const std::string where = model + " from " + std::to_string(first);
      const Outcome outcome = add_in_place(mine.data() + first, count);
      EXPECT_EQ(outcome.placement, expected) << where;
      expect_counted(outcome, count * 4, where);
      for (std::size_t i = 0; i < mine.size(); ++i)
        EXPECT_EQ(mine[i], float(i) + (i >= first && i < first + count ? 1.0f : 0.0f)) << where;
      return outcome;
    };
    run(333, 400, Placement::in_place);
    run(1099, 1, Placement::in_place);
    expect_words(run(600, 501, Placement::staged).reason, {"in part"});  // one sample past the end
    run(99, 10, Placement::staged);                                      // one sample before the start
    run(50, 1500, Placement::staged);                                    // both ends outside, known in the middle
  }
}

TEST(DeviceView, TwoRegistrationsSideBySideAreNotOneRange) {
  SimulatedDevice simulated("unified");
  auto mine = ramp(2048);
  const Adopted low = adopt(mine.data(), 1024 * 4);
  const Adopted high = adopt(mine.data() + 1024, 1024 * 4);
  // The simulated device sees the two at addresses that do not follow each other.
  DeviceView<float> view(mine.data() + 1000, 48, Access::in);
  EXPECT_EQ(view.placement(), Placement::staged);
}

TEST(DeviceView, DeviceMemoryIsUsedWhereItIs) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    const auto context = memory::context();
    auto block = memory::borrow_scratch(*context, 4000, memory::thread_stream(*context));
    const auto mine = ramp(1000);
    context->runtime->copy(block->data(), mine.data(), 4000, memory::thread_stream(*context));
    const Outcome outcome = add_in_place(static_cast<float*>(block->data()) + 10, 990, Reuse::many);
    EXPECT_EQ(outcome.placement, Placement::device_resident) << model;
    expect_counted(outcome, 990 * 4, model);
    std::vector<float> back(1000);
    context->runtime->copy(back.data(), block->data(), 4000, memory::thread_stream(*context));
    context->runtime->wait_stream(memory::thread_stream(*context));
    expect_ramp_plus_one(back.data() + 10, 990, 10, model);
    message_of(ErrorKind::invalid_argument,
               [&] { DeviceView<float> past(static_cast<float*>(block->data()), 100000, Access::in); });
  }
}

TEST(DeviceView, TheAddressIsTheOneThatTheDriverReports) {
  SimulatedDevice simulated("unified");
  Image image(Format::u8, 64, 64);
  auto* bytes = static_cast<std::uint8_t*>(image.data());
  DeviceView<std::uint8_t> view(bytes + 5, 100, Access::in);
  EXPECT_EQ(static_cast<void*>(view.device()), simulated.runtime().query(bytes + 5).device_address);
  EXPECT_NE(view.device(), bytes + 5);
  EXPECT_EQ(view.stream(), memory::thread_stream(*memory::context()));
  DevicePlane row(View<std::uint8_t>(bytes, 64, 64).sub(3, 2, 10, 5), Access::in);
  EXPECT_EQ(row.device().pitch, 64);
}

// ---- rectangles ---------------------------------------------------------------------------------------------------

TEST(DeviceView, ARectangleMovesOnlyItsOwnBytes) {
  for (const std::string model : kModels)
    for (bool foreign : {true, false}) {
      SimulatedDevice simulated(model);
      constexpr int kWidth = 40, kHeight = 30;
      Image image(Format::u16, kWidth, kHeight);
      std::vector<std::uint16_t> mine(kWidth * kHeight);
      auto* samples = foreign ? mine.data() : static_cast<std::uint16_t*>(image.data());
      std::iota(samples, samples + kWidth * kHeight, std::uint16_t(0));
      const View<std::uint16_t> whole(samples, kWidth, kHeight);
      const CounterScope scope;
      bool staged = false;
      {
        DeviceView<std::uint16_t> view(whole.sub(7, 5, 11, 13), Access::in_out, Reuse::neighbourhood);
        staged = view.placement() == Placement::staged;
        EXPECT_EQ(view.view().pitch, staged ? 22 : 80) << "rows of a staged copy are tight";
        add(view, std::uint16_t(10000));
        // Padding belongs to the host meanwhile.
        samples[0] = 5555;
        samples[5 * kWidth + 6] = 6666;
        view.commit();
      }
      EXPECT_EQ(staged, model == "discrete" || (model == "unified" && foreign));
      const std::uint64_t bytes = staged ? 11 * 13 * 2 : 0;
      EXPECT_EQ(scope.counted().bytes_to_device, bytes);
      EXPECT_EQ(scope.counted().bytes_to_host, bytes);
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
          const bool inside = x >= 7 && x < 18 && y >= 5 && y < 18;
          int expected = y * kWidth + x + (inside ? 10000 : 0);
          if (x == 0 && y == 0) expected = 5555;
          if (x == 6 && y == 5) expected = 6666;
          ASSERT_EQ(whole.at(x, y), expected) << model << " foreign " << foreign << " at " << x << ", " << y;
        }
    }
}

TEST(DeviceView, ARectangleOfMixedMemoryMovesOnlyItsOwnBytes) {
  SimulatedDevice simulated("discrete");
  std::vector<float> mine(40 * 30);
  std::iota(mine.begin(), mine.end(), 0.0f);
  const Adopted adopted = adopt(mine.data(), 40 * 15 * 4);
  const View<float> whole(mine.data(), 40, 30);
  DeviceView<float> view(whole.sub(3, 10, 9, 12), Access::in_out);
  EXPECT_EQ(view.placement(), Placement::staged);
  add(view, 5000.0f);
  view.commit();
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) {
      const bool inside = x >= 3 && x < 12 && y >= 10 && y < 22;
      ASSERT_EQ(whole.at(x, y), float(y * 40 + x) + (inside ? 5000.0f : 0.0f)) << x << ", " << y;
    }
}

TEST(DeviceView, RowsFarApartNeed64Bits) {
  constexpr std::size_t kPitch = 4194304, kRows = 600;
  void* const range =
      mmap(nullptr, kPitch * kRows, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) GTEST_SKIP() << "2.4 GiB of addresses are not to be had";
  auto* const bytes = static_cast<std::uint8_t*>(range);
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    bytes[599 * kPitch] = 8;
    const CounterScope scope;
    const View<std::uint8_t> rows(bytes, 1, int(kRows), 1, std::ptrdiff_t(kPitch));
    DeviceView<std::uint8_t> view(rows, Access::in_out);
    add(view, std::uint8_t(1));
    view.commit();
    EXPECT_EQ(scope.counted().bytes_to_device, model == "coherent" ? 0u : 600u);
    EXPECT_EQ(bytes[2512388096u], 9) << "row 599 lies at 599 * 4194304";
    EXPECT_EQ(bytes[0], model == "unified" ? 1 : model == "discrete" ? 2 : 3);
    EXPECT_EQ(bytes[1], 0);
  }
  munmap(range, kPitch * kRows);
}

// ---- access -------------------------------------------------------------------------------------------------------

TEST(DeviceView, OutCopiesNothingInAndInCopiesNothingBack) {
  SimulatedDevice simulated("discrete");
  auto mine = ramp(100);
  {
    const CounterScope scope;
    DeviceView<float> view(mine.data(), 100, Access::out);
    launch_over<float>(view.stream(), PlaneView(view.view()), [](float) { return 7.0f; });
    view.commit();
    EXPECT_EQ(scope.counted().bytes_to_device, 0u);
    EXPECT_EQ(scope.counted().bytes_to_host, 400u);
    EXPECT_EQ(mine, std::vector<float>(100, 7.0f));
  }
  {
    const CounterScope scope;
    DeviceView<const float> view(mine.data(), 100, Access::in);
    float found = 0;
    const auto* on_device =
        static_cast<const float*>(simulated.runtime().translate(const_cast<float*>(view.device()), 400));
    simulated.runtime().launch(view.stream(), "read", [&found, on_device] { found = on_device[99]; });
    view.commit();
    EXPECT_EQ(found, 7.0f);
    EXPECT_EQ(scope.counted().bytes_to_device, 400u);
    EXPECT_EQ(scope.counted().bytes_to_host, 0u);
  }
}

TEST(DeviceView, WithoutCommitTheStagedBytesAreDiscardedAndTheWorkIsOver) {
  SimulatedDevice simulated("discrete");
  simulated.control().set_delay(5000);
  auto mine = ramp(100);
  Image image(Format::f32, 10, 10);
  std::memcpy(image.data(), mine.data(), 400);
  {
    const CounterScope scope;
    {
      DeviceView<float> view(mine.data(), 100, Access::in_out);
      add(view, 1.0f);
    }
    EXPECT_EQ(scope.counted().waits, 1u);
    EXPECT_EQ(scope.counted().bytes_to_host, 0u);
  }
  EXPECT_EQ(mine, ramp(100));
  {
    DevicePlane plane(image.view(), Access::in_out);
    add(plane, 1.0f);
  }
  expect_ramp_plus_one(static_cast<float*>(image.data()), 100, 0, "in place: the kernel has finished");
}

TEST(DeviceView, CommitTwiceDoesNothingMore) {
  SimulatedDevice simulated("discrete");
  auto mine = ramp(100);
  DeviceView<float> view(mine.data(), 100, Access::in_out);
  add(view, 1.0f);
  view.commit();
  mine[0] = 77;
  const CounterScope scope;
  view.commit();
  EXPECT_EQ(scope.counted(), Counters{});
  EXPECT_EQ(mine[0], 77.0f);
}

TEST(DeviceView, SeveralAreCommittedWithOneWait) {
  SimulatedDevice simulated("discrete");
  auto a = ramp(100), b = ramp(50);
  DevicePlane first(View<float>(a.data(), 10, 10), Access::in_out),
      second(View<float>(b.data(), 5, 10), Access::in_out);
  add(first, 1.0f);
  add(second, 1.0f);
  const CounterScope scope;
  DevicePlane* const both[] = {&first, nullptr, &second};
  DevicePlane::commit(both);
  EXPECT_EQ(scope.counted().waits, 1u);
  EXPECT_EQ(scope.counted().bytes_to_host, 600u);
  expect_ramp_plus_one(a.data(), 100, 0, "first");
  expect_ramp_plus_one(b.data(), 50, 0, "second");
}

TEST(DeviceView, MovesAndTheOldOneIsInert) {
  SimulatedDevice simulated("discrete");
  auto mine = ramp(100);
  DevicePlane first(View<float>(mine.data(), 10, 10), Access::in_out);
  DevicePlane second(std::move(first));
  EXPECT_EQ(first.device().data, nullptr);
  EXPECT_EQ(first.stream(), nullptr);
  EXPECT_NO_THROW(first.commit());
  add(second, 1.0f);
  second.commit();
  expect_ramp_plus_one(mine.data(), 100, 0, "moved");
}

// ---- edges --------------------------------------------------------------------------------------------------------

TEST(DeviceView, WithoutPixelsDoesNothing) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    float sample = 3;
    const CounterScope scope;
    DeviceView<float> nothing(static_cast<float*>(nullptr), 0, Access::in_out);
    DeviceView<float> at_something(&sample, 0, Access::out);
    DevicePlane flat(View<float>(&sample, 0, 5), Access::in_out), thin(View<float>(&sample, 5, 0), Access::in_out);
    EXPECT_EQ(nothing.device(), nullptr);
    EXPECT_NE(nothing.stream(), nullptr);
    EXPECT_EQ(nothing.view().width, 0);
    EXPECT_EQ(thin.device().shape.width, 5);
    for (auto* view : {&nothing, &at_something}) view->commit();
    flat.commit();
    EXPECT_EQ(scope.counted(), Counters{});
    EXPECT_EQ(sample, 3.0f);
  }
}

TEST(DeviceView, RefusesArgumentsThatDescribeNoMemory) {
  SimulatedDevice simulated("discrete");
  float sample = 0;
  const auto refuse = [](const std::function<void()>& body, const char* word) {
    expect_words(message_of(ErrorKind::invalid_argument, body), {word});
  };
  refuse([&] { DeviceView<float> view(static_cast<float*>(nullptr), 1, Access::in); }, "null");
  refuse([&] { DeviceView<float> view(&sample, ~std::size_t(0) / 2, Access::in); }, "63 bits");
  refuse([&] { DevicePlane plane(PlaneView(nullptr, PlaneShape{4, 4}), Access::in); }, "null");
  refuse([&] { DevicePlane plane(PlaneView(&sample, PlaneShape{-4, 4}), Access::in); }, "0 or more");
  refuse([&] { DevicePlane plane(PlaneView(&sample, PlaneShape{4, -4}), Access::in); }, "0 or more");
  refuse([&] { DevicePlane plane(PlaneView(&sample, PlaneShape{4, 4, 5}), Access::in); }, "channels");
  refuse([&] { DevicePlane plane(PlaneView(&sample, PlaneShape{4, 4}, 3), Access::in); }, "pitch");
  refuse([&] { DevicePlane plane(PlaneView(&sample, PlaneShape{4, 4}, -8), Access::in); }, "pitch");
  refuse(
      [&] {
        DevicePlane plane(PlaneView(&sample, PlaneShape{4, 2147483647}, std::numeric_limits<std::ptrdiff_t>::max() / 4),
                          Access::in);
      },
      "63 bits");
  refuse([&] { DevicePlane plane(PlaneView(nullptr, PlaneShape{4, 4}), Access::in, Reuse::once, "blur"); }, "blur");
}

TEST(DeviceView, WithoutADeviceSaysWhy) {
  initialize({.device = "none", .memory_model = "auto", .executor = "auto"});
  auto mine = ramp(10);
  expect_words(message_of(ErrorKind::device, [&] { DeviceView<float> view(mine.data(), 10, Access::in); }),
               {"no device", "none"});
}

TEST(DeviceView, TakesElementsThatAreNoSamples) {
  struct Pixel {
    double x;
    int y;
  };
  SimulatedDevice simulated("discrete");
  std::vector<Pixel> mine(10, Pixel{1.5, 2});
  DeviceView<Pixel> view(mine.data(), mine.size(), Access::in_out);
  auto* on_device = static_cast<Pixel*>(simulated.runtime().translate(view.device(), 10 * sizeof(Pixel)));
  simulated.runtime().launch(view.stream(), "double", [on_device] {
    for (int i = 0; i < 10; ++i) on_device[i].x *= 2;
  });
  view.commit();
  for (const Pixel& pixel : mine) {
    EXPECT_EQ(pixel.x, 3.0);
    EXPECT_EQ(pixel.y, 2);
  }
}

TEST(DeviceView, AFlatViewDescribesLongArraysAsFarAsAPlaneCan) {
  SimulatedDevice simulated("coherent");
  // Nothing is touched: the device reads every host address, and the view is never launched over.
  constexpr std::size_t kBytes = std::size_t(5) << 30;
  void* const range = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) GTEST_SKIP() << "5 GiB of addresses are not to be had";
  auto* const bytes = static_cast<std::uint8_t*>(range);
  const auto plane_of = [&](std::size_t count) {
    DeviceView<std::uint8_t> view(bytes, count, Access::in);
    EXPECT_EQ(view.device(), bytes);
    return view.view();
  };
  EXPECT_EQ(plane_of(2147483647).width, 2147483647);
  EXPECT_EQ(plane_of(kFlatRow + 1).width, int(kFlatRow + 1));
  const auto rows = plane_of(kFlatRow * 3000);
  EXPECT_EQ(rows.width, int(kFlatRow));
  EXPECT_EQ(rows.height, 3000);
  EXPECT_EQ(plane_of(kFlatRow * 3000 + 1).width, 0) << "no plane has so many samples";
  munmap(range, kBytes);
}

// ---- the same bytes twice -----------------------------------------------------------------------------------------

TEST(DeviceView, TwoViewsOfTheSameBytesShareOneCopy) {
  SimulatedDevice simulated("discrete");
  auto mine = ramp(100);
  const CounterScope scope;
  DeviceView<const float> in(mine.data(), 100, Access::in);
  DeviceView<float> out(mine.data(), 100, Access::out);
  EXPECT_EQ(static_cast<const void*>(in.device()), static_cast<const void*>(out.device()));
  EXPECT_EQ(scope.counted().bytes_to_device, 400u);
  EXPECT_EQ(scratch_pool_report().bytes_in_use, 512u);
  EXPECT_NE(std::string(out.reason()).find("shared"), std::string::npos);
  add(out, 1.0f);
  out.commit();
  expect_ramp_plus_one(mine.data(), 100, 0, "in then out");
}

TEST(DeviceView, ReadersOfTheSameBytesCopyThemOnce) {
  SimulatedDevice simulated("discrete");
  auto mine = ramp(100);
  const CounterScope scope;
  DeviceView<const float> a(mine.data(), 100, Access::in), b(mine.data(), 100, Access::in);
  EXPECT_EQ(a.device(), b.device());
  EXPECT_EQ(scope.counted().bytes_to_device, 400u);
  EXPECT_EQ(scope.counted().views_staged, 2u);
}

TEST(DeviceView, AReaderMadeAfterTheWriterSeesTheCallersBytes) {
  SimulatedDevice simulated("discrete");
  auto mine = ramp(100);
  DevicePlane out(View<float>(mine.data(), 10, 10), Access::out);
  DevicePlane in(View<float>(mine.data(), 10, 10), Access::in);
  launch_from<float>(in.stream(), in.device(), out.device(), [](float v) { return v + 1; });
  out.commit();
  in.commit();
  expect_ramp_plus_one(mine.data(), 100, 0, "out then in");
}

TEST(DeviceView, AReaderMadeAfterTheWritersKernelSeesWhatItWrote) {
  for (const std::string model : kModels)
    for (Access first : {Access::out, Access::in_out}) {
      SimulatedDevice simulated(model);
      std::vector<float> mine(100, 1.0f), result(100);
      DevicePlane written(View<float>(mine.data(), 10, 10), first);
      launch_over<float>(written.stream(), written.device(), [](float) { return 5.0f; });
      DevicePlane read(View<float>(mine.data(), 10, 10), Access::in);
      DevicePlane out(View<float>(result.data(), 10, 10), Access::out);
      launch_from<float>(read.stream(), read.device(), out.device(), [](float v) { return v * 2; });
      out.commit();
      written.commit();
      EXPECT_EQ(result, std::vector<float>(100, 10.0f)) << model;
      EXPECT_EQ(mine, std::vector<float>(100, 5.0f)) << model;
    }
}

TEST(DeviceView, ARectangleInsideAStagedPlaneSharesItsCopy) {
  SimulatedDevice simulated("discrete");
  for (std::ptrdiff_t pitch : {40, 64}) {  // without and with padding
    std::vector<std::uint8_t> mine(64 * 30, 1);
    const View<std::uint8_t> whole(mine.data(), 40, 30, 1, pitch);
    const CounterScope scope;
    DeviceView<std::uint8_t> all(whole, Access::in_out), part(whole.sub(5, 6, 7, 8), Access::in_out);
    EXPECT_EQ(scope.counted().bytes_to_device, 40u * 30u) << "the rectangle is on the device already";
    add(all, std::uint8_t(10));
    add(part, std::uint8_t(100));
    part.commit();
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 40; ++x) {
        const bool inside = x >= 5 && x < 12 && y >= 6 && y < 14;
        ASSERT_EQ(whole.at(x, y), inside ? 111 : 1) << x << ", " << y;
      }
    all.commit();
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 40; ++x) {
        const bool inside = x >= 5 && x < 12 && y >= 6 && y < 14;
        ASSERT_EQ(whole.at(x, y), inside ? 111 : 11) << x << ", " << y;
      }
    EXPECT_TRUE(pitch != 64 || mine[63] == 1) << "padding";
  }
}

TEST(DeviceView, RectanglesSideBySideAreIndependent) {
  SimulatedDevice simulated("discrete");
  std::vector<std::uint8_t> mine(40 * 30, 1);
  const View<std::uint8_t> whole(mine.data(), 40, 30);
  DeviceView<std::uint8_t> left(whole.sub(0, 0, 20, 30), Access::in_out),
      right(whole.sub(20, 0, 20, 30), Access::in_out);
  add(left, std::uint8_t(10));
  add(right, std::uint8_t(20));
  left.commit();
  right.commit();
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) ASSERT_EQ(whole.at(x, y), x < 20 ? 11 : 21);
}

TEST(DeviceView, AnOverlapThatOneCopyCannotServeIsRefused) {
  SimulatedDevice simulated("discrete");
  std::vector<float> mine(40 * 30, 1.0f);
  const View<float> whole(mine.data(), 40, 30);
  {
    DeviceView<float> upper(whole.sub(0, 0, 40, 29), Access::in);
    expect_words(
        message_of(ErrorKind::unsupported, [&] { DeviceView<float> lower(whole.sub(0, 1, 40, 29), Access::out); }),
        {"overlaps", "enclosing"});
    EXPECT_NO_THROW(DeviceView<float>(whole.sub(0, 1, 40, 29), Access::in)) << "readers may overlap in any way";
  }
  {
    DeviceView<float> part(whole.sub(3, 3, 5, 5), Access::in_out);
    message_of(ErrorKind::unsupported, [&] { DeviceView<float> all(whole, Access::in); });
    part.commit();
    EXPECT_NO_THROW(DeviceView<float>(whole, Access::in)) << "a committed view is out of the way";
  }
  {
    DeviceView<float> upper(whole.sub(0, 0, 40, 29), Access::in), lower(whole.sub(0, 1, 40, 29), Access::in);
    message_of(ErrorKind::unsupported, [&] { DeviceView<float> both(whole.sub(0, 5, 40, 3), Access::out); });
  }
  EXPECT_NO_THROW(DeviceView<float>(whole, Access::in_out));
}

TEST(DeviceView, ACommittedCopyIsNotUsedAgain) {
  SimulatedDevice simulated("discrete");
  auto mine = ramp(100);
  DeviceView<float> first(mine.data(), 100, Access::in_out);
  add(first, 1.0f);
  first.commit();
  mine = ramp(100);  // the host's turn, while `first` is still in scope
  DeviceView<float> second(mine.data(), 100, Access::in_out);
  add(second, 1.0f);
  second.commit();
  expect_ramp_plus_one(mine.data(), 100, 0, "second");
}

TEST(DeviceView, InPlaceStaysInPlaceForTheSameBytes) {
  SimulatedDevice simulated("discrete");
  Image image(Format::f32, 10, 10);
  std::iota(static_cast<float*>(image.data()), static_cast<float*>(image.data()) + 100, 0.0f);
  DevicePlane once(image.view(), Access::out, Reuse::once);
  add(once, 1.0f);
  DevicePlane many(image.view(), Access::in_out, Reuse::many);
  EXPECT_EQ(once.placement(), Placement::in_place);
  EXPECT_EQ(many.placement(), Placement::in_place);
  add(many, 1.0f);
  many.commit();
  once.commit();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(static_cast<float*>(image.data())[i], float(i) + 2);
}

TEST(DeviceView, StagedStaysStagedForTheSameBytes) {
  SimulatedDevice simulated("discrete");
  Image image(Format::f32, 10, 10);
  std::iota(static_cast<float*>(image.data()), static_cast<float*>(image.data()) + 100, 0.0f);
  DevicePlane many(image.view(), Access::in, Reuse::many);
  DevicePlane once(image.view(), Access::out, Reuse::once);
  EXPECT_EQ(many.placement(), Placement::staged);
  EXPECT_EQ(once.placement(), Placement::staged);
  add(once, 1.0f);
  once.commit();
  expect_ramp_plus_one(static_cast<float*>(image.data()), 100, 0, "shared");
}

TEST(DeviceView, ThreadsDoNotShare) {
  SimulatedDevice simulated("discrete");
  const auto mine = ramp(100);
  DeviceView<const float> here(mine.data(), 100, Access::in);
  std::thread([&] {
    DeviceView<const float> there(mine.data(), 100, Access::in);
    EXPECT_NE(here.device(), there.device());
    EXPECT_NE(here.stream(), there.stream());
  }).join();
}

TEST(DeviceView, SteadyStateAllocatesNothing) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    simulated.control().set_delay(0);
    std::vector<float> in(1000, 1.0f), out(1000);
    const auto call = [&] {
      DevicePlane from(View<float>(in.data(), 10, 100), Access::in);
      DevicePlane to(View<float>(out.data(), 10, 100), Access::out);
      launch_from<float>(from.stream(), from.device(), to.device(), [](float v) { return v + 1; });
      to.commit();
    };
    call();
    const auto before = simulated.control().ledger();
    const CounterScope scope;
    for (int i = 0; i < 50; ++i) call();
    EXPECT_EQ(scope.counted().allocations, 0u) << model;
    EXPECT_EQ(scope.counted().frees, 0u) << model;
    EXPECT_EQ(simulated.control().ledger().allocated, before.allocated) << model;
    EXPECT_EQ(simulated.control().ledger().live_events, before.live_events) << model;
    EXPECT_EQ(out, std::vector<float>(1000, 2.0f));
  }
}

}  // namespace
}  // namespace zp::test
