// Sequence on the three simulated models: what stays on the device, what comes back and when, nesting, threads,
// strictness.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/sequence.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "memory/context.h"
#include "memory/simulated_device.h"
#include "zeroplane/hash.h"
#include "zeroplane/image.h"

namespace zp::test {
namespace {

constexpr const char* kModels[] = {"unified", "discrete", "coherent"};
constexpr std::size_t kCount = 1000, kBytes = kCount * sizeof(float);

std::vector<float> ramp(std::size_t count = kCount) {
  std::vector<float> samples(count);
  std::iota(samples.begin(), samples.end(), 0.0f);
  return samples;
}

/// A wrapper as users have it: pointer and count in, done when it returns.
void add(float* samples, std::size_t count, float constant, Access access = Access::in_out) {
  DeviceView<float> view(samples, count, access);
  launch_over<float>(view.stream(), PlaneView(view.view()), [=](float v) { return v + constant; });
  view.commit();
}
void copy(const float* from, float* to, std::size_t count) {
  DeviceView<const float> in(from, count, Access::in);
  DeviceView<float> out(to, count, Access::out);
  const PlaneView source(const_cast<float*>(in.device()), PlaneShape{int(count), 1, 1, Format::f32});
  launch_from<float>(out.stream(), source, PlaneView(out.view()), [](float v) { return v; });
  in.commit();
  out.commit();
}
float* samples_of(Image& image) { return static_cast<float*>(image.data()); }
Image image_of_ramp() {
  Image image(Format::f32, int(kCount), 1);
  std::iota(samples_of(image), samples_of(image) + kCount, 0.0f);
  return image;
}
void expect_ramp(const float* samples, float plus, const std::string& where, std::size_t count = kCount) {
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(samples[i], float(i) + plus) << where << ", sample " << i;
}

TEST(Sequence, WrappersBecomeResidentWithoutAChange) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    auto mine = ramp();
    const CounterScope scope;
    Sequence sequence;
    for (int k = 0; k < 7; ++k) add(mine.data(), kCount, 1.0f);
    EXPECT_EQ(scope.counted().waits, 0u) << model;
    sequence.finish();
    expect_ramp(mine.data(), 7, model);
    const Counters counted = scope.counted();
    const bool crosses = model != "coherent";
    EXPECT_EQ(counted.waits, 1u) << model;
    EXPECT_EQ(counted.bytes_to_device, crosses ? kBytes : 0u) << model;
    EXPECT_EQ(counted.bytes_to_host, crosses ? kBytes : 0u) << model;
    EXPECT_EQ(sequence.device_bytes(), 0u);
  }
}

TEST(Sequence, AnImageOnUnifiedIsNeverStagedAndWaitedForOnce) {
  SimulatedDevice simulated("unified");
  Image image = image_of_ramp();
  const CounterScope scope;
  Sequence sequence;
  const NoStaging guard;
  for (int k = 0; k < 7; ++k) add(samples_of(image), kCount, 1.0f);
  sequence.finish();
  expect_ramp(samples_of(image), 7, "unified");
  EXPECT_EQ(scope.counted().waits, 1u);
  EXPECT_EQ(scope.counted().views_staged, 0u);
}

TEST(Sequence, ImagesThatDieInsideNeverCrossTheBus) {
  SimulatedDevice simulated("discrete");
  Image first = image_of_ramp(), last(Format::f32, int(kCount), 1);
  const CounterScope scope;
  Sequence sequence;
  {
    std::optional<Image> between(std::in_place, Format::f32, int(kCount), 1);
    copy(samples_of(first), samples_of(*between), kCount);
    for (int k = 0; k < 5; ++k) {
      Image next(Format::f32, int(kCount), 1);
      copy(samples_of(*between), samples_of(next), kCount);
      add(samples_of(next), kCount, 1.0f);
      between = std::move(next);
    }
    copy(samples_of(*between), samples_of(last), kCount);
  }
  sequence.finish();
  expect_ramp(samples_of(last), 5, "last");
  EXPECT_EQ(scope.counted().bytes_to_device, kBytes);
  EXPECT_EQ(scope.counted().bytes_to_host, kBytes);
  EXPECT_EQ(scope.counted().waits, 1u);
}

TEST(Sequence, ABlockThatDiedIsNotWrittenWhenItsNextOwnerHasIt) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    Sequence sequence;
    std::optional<Image> old(image_of_ramp());
    add(samples_of(*old), kCount, 100.0f);
    old.reset();
    // The same bytes again where the pool has them: the work of the old image must not reach them.
    Image next = image_of_ramp();
    sequence.finish();
    expect_ramp(samples_of(next), 0, model);
  }
}

TEST(Sequence, ABlockThatDiesOnAnotherThreadIsForgottenToo) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    Sequence sequence;
    Image image = image_of_ramp();
    add(samples_of(image), kCount, 100.0f);
    std::optional<Image> next;
    std::thread([&] {
      { const Image dies = std::move(image); }
      next.emplace(image_of_ramp());
    }).join();
    sequence.finish();
    expect_ramp(samples_of(*next), 0, model);
    next.reset();
  }
}

TEST(Sequence, HostWaitsForWhatItNeedsAndTakesPart) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    Sequence sequence;
    Image image = image_of_ramp();
    add(samples_of(image), kCount, 1.0f);
    expect_ramp(static_cast<const float*>(std::as_const(image).host()), 1, model + " read");
    add(samples_of(image), kCount, 1.0f);
    auto* writable = static_cast<float*>(image.host());
    expect_ramp(writable, 2, model + " write");
    for (std::size_t i = 0; i < kCount; ++i) writable[i] = float(i);
    add(samples_of(image), kCount, 3.0f);
    const Image copied = image.clone();
    EXPECT_EQ(static_cast<const float*>(copied.data())[7], 10.0f) << model;
    EXPECT_EQ(hash(image.view()), hash(copied.view())) << model;
    sequence.finish();
    expect_ramp(samples_of(image), 3, model + " end");
  }
}

TEST(Sequence, ReadAndWrittenSpeakOfForeignMemory) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    Sequence sequence;
    auto mine = ramp();
    add(mine.data(), kCount, 1.0f);
    sequence.read(mine.data() + 10);
    expect_ramp(mine.data(), 1, model);
    for (std::size_t i = 0; i < kCount; ++i) mine[i] = float(i);
    sequence.written(mine.data() + kCount - 1);
    add(mine.data(), kCount, 2.0f);
    sequence.finish();
    expect_ramp(mine.data(), 2, model);
  }
}

TEST(Sequence, DiscardedMemoryMayBeFreed) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    Sequence sequence;
    auto kept = ramp();
    {
      auto temporary = std::make_unique<std::vector<float>>(kCount);
      copy(kept.data(), temporary->data(), kCount);
      add(temporary->data(), kCount, 1.0f);
      copy(temporary->data(), kept.data(), kCount);
      sequence.discard(temporary->data());
      std::memset(temporary->data(), 0x55, kBytes);
    }
    sequence.finish();
    expect_ramp(kept.data(), 1, model);
  }
}

TEST(Sequence, ChangesThatWereNotAnnouncedAreFound) {
  for (const std::string model : {"unified", "discrete"}) {
    SimulatedDevice simulated(model);
    auto mine = ramp();
    Sequence sequence;
    add(mine.data(), kCount, 1.0f);
    mine[3] = -1.0f;
    const std::string next = message_of(ErrorKind::invalid_argument, [&] { add(mine.data(), kCount, 1.0f); });
    expect_words(next, {"the host wrote to 4000 bytes", "Image::host()", "written()"});
    sequence.written(mine.data());
    add(mine.data(), kCount, 1.0f);
    mine[4] = -1.0f;
    const std::string end = message_of(ErrorKind::invalid_argument, [&] { sequence.finish(); });
    expect_words(end, {"the host wrote to 4000 bytes"});
    EXPECT_EQ(sequence.device_bytes(), 0u);
  }
}

TEST(Sequence, ChangesOfBytesThatAreReadInPlaceAreFound) {
  for (const std::string model : {"unified", "coherent"}) {
    SimulatedDevice simulated(model);
    Image from = image_of_ramp(), to = image_of_ramp();
    Sequence sequence;
    copy(samples_of(from), samples_of(to), kCount);
    samples_of(from)[9] = 0.5f;
    message_of(ErrorKind::invalid_argument, [&] { sequence.finish(); });
    sequence.finish();
    // A kernel may write what an earlier one only read.
    copy(samples_of(from), samples_of(to), kCount);
    add(samples_of(from), kCount, 1.0f);
    EXPECT_NO_THROW(sequence.finish());
  }
}

TEST(Sequence, PartsOfACopyAreServedByIt) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    const CounterScope scope;
    auto mine = ramp();
    Sequence sequence;
    add(mine.data(), kCount, 1.0f);
    add(mine.data() + 100, 50, 1.0f);
    EXPECT_EQ(scope.counted().bytes_to_device, model == "coherent" ? 0u : kBytes);
    sequence.finish();
    for (std::size_t i = 0; i < kCount; ++i)
      ASSERT_EQ(mine[i], float(i) + (i >= 100 && i < 150 ? 2.0f : 1.0f)) << model << " " << i;
  }
}

TEST(Sequence, PartsThatDoNotFitComeBackFirst) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    auto mine = ramp();
    Sequence sequence;
    add(mine.data(), 600, 1.0f);         // a part
    add(mine.data() + 400, 600, 10.0f);  // overlaps it
    add(mine.data(), kCount, 100.0f);    // holds both
    sequence.finish();
    for (std::size_t i = 0; i < kCount; ++i)
      ASSERT_EQ(mine[i], float(i) + 100 + (i < 600 ? 1.0f : 0.0f) + (i >= 400 ? 10.0f : 0.0f)) << model << " " << i;
  }
}

TEST(Sequence, RectanglesOfOnePlaneStayApart) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    constexpr int kWidth = 40, kHeight = 25;
    auto mine = ramp(kWidth * kHeight);
    const View<float> plane(mine.data(), kWidth, kHeight);
    const auto add_to = [](View<float> part, float constant) {
      DeviceView<float> view(part, Access::in_out);
      launch_over<float>(view.stream(), PlaneView(view.view()), [=](float v) { return v + constant; });
      view.commit();
    };
    Sequence sequence;
    for (int k = 0; k < 3; ++k) {
      add_to(plane.sub(0, 0, 17, kHeight), 1.0f);
      add_to(plane.sub(17, 0, 23, kHeight), 10.0f);
    }
    sequence.finish();
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        ASSERT_EQ(plane.at(x, y), float(y * kWidth + x) + (x < 17 ? 3.0f : 30.0f)) << model << " " << x << "," << y;
  }
}

TEST(Sequence, TheLimitWritesBackWhatWasUsedLongestAgo) {
  SimulatedDevice simulated("discrete");
  std::vector<std::vector<float>> planes(8, ramp());
  Sequence sequence({.limit_bytes = 3 * kBytes});
  for (int round = 0; round < 3; ++round)
    for (auto& plane : planes) {
      add(plane.data(), kCount, 1.0f);
      EXPECT_LE(sequence.device_bytes(), 3 * kBytes);
    }
  sequence.finish();
  for (const auto& plane : planes) expect_ramp(plane.data(), 3, "limit");
}

TEST(Sequence, InnerOnesMakeTheirOwnReady) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    auto outer_only = ramp(), both = ramp();
    const CounterScope scope;
    Sequence outer;
    add(outer_only.data(), kCount, 1.0f);
    add(both.data(), kCount, 1.0f);
    {
      Sequence inner;
      add(both.data(), kCount, 1.0f);
      inner.finish();
      expect_ramp(both.data(), 2, model + " inner");
      // The scope's end is the end of its rule.
      for (std::size_t i = 0; i < kCount; ++i) both[i] = float(i);
    }
    EXPECT_EQ(outer.device_bytes(), model == "coherent" ? 0u : kBytes);
    add(outer_only.data(), kCount, 1.0f);
    add(both.data(), kCount, 5.0f);
    outer.finish();
    expect_ramp(outer_only.data(), 2, model + " outer");
    expect_ramp(both.data(), 5, model + " both");
  }
}

TEST(Sequence, AnExceptionLosesNothingThatWasCommitted) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    auto mine = ramp(), other = ramp();
    try {
      Sequence sequence;
      add(mine.data(), kCount, 1.0f);
      DeviceView<float> given_up(other.data(), kCount, Access::in_out);
      launch_over<float>(given_up.stream(), PlaneView(given_up.view()), [](float v) { return v + 1; });
      throw std::runtime_error("the caller's");
    } catch (const std::runtime_error&) {
    }
    expect_ramp(mine.data(), 1, model);
    if (model != "coherent") expect_ramp(other.data(), 0, model + " given up");
    add(mine.data(), kCount, 1.0f);
    expect_ramp(mine.data(), 2, model + " afterwards");
  }
}

TEST(Sequence, AFailedDeviceIsReportedAndLeavesACleanThread) {
  using Call = device::SimulatedControl::Call;
  for (const Call call : {Call::copy, Call::wait}) {
    SimulatedDevice simulated("discrete");
    auto mine = ramp();
    {
      Sequence sequence;
      add(mine.data(), kCount, 1.0f);
      simulated.control().fail(call, 1);
      message_of(ErrorKind::device, [&] { sequence.finish(); });
      EXPECT_EQ(sequence.device_bytes(), 0u);
    }
    mine = ramp();
    add(mine.data(), kCount, 1.0f);
    expect_ramp(mine.data(), 1, "afterwards");
  }
}

TEST(Sequence, EveryFailureInsideLeavesTheNextCallRight) {
  using Call = device::SimulatedControl::Call;
  for (const std::string model : kModels)
    for (const Call call : {Call::allocate, Call::copy, Call::launch, Call::wait, Call::query, Call::create})
      for (int nth = 1; nth <= 12; ++nth) {
        SimulatedDevice simulated(model);
        auto a = ramp(), b = ramp();
        simulated.control().fail(call, nth);
        try {
          Sequence sequence({.limit_bytes = kBytes});
          add(a.data(), kCount, 1.0f);
          copy(a.data(), b.data(), kCount);
          add(b.data(), kCount, 1.0f);
          sequence.finish();
          expect_ramp(b.data(), 2, model);
        } catch (const Error& error) {
          EXPECT_TRUE(error.kind() == ErrorKind::device || error.kind() == ErrorKind::out_of_memory) << error.what();
        }
        simulated.control().fail(call, 0);
        a = ramp();
        add(a.data(), kCount, 1.0f);
        expect_ramp(a.data(), 1, model + " afterwards");
      }
}

TEST(Sequence, ThreadsHaveTheirOwn) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int round = 0; round < 5; ++round) {
          Image image = image_of_ramp();
          auto mine = ramp();
          Sequence sequence;
          for (int k = 0; k <= t; ++k) {
            add(samples_of(image), kCount, 1.0f);
            copy(samples_of(image), mine.data(), kCount);
          }
          sequence.finish();
          expect_ramp(samples_of(image), float(t + 1), model);
          expect_ramp(mine.data(), float(t + 1), model);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(Sequence, OneOfAnotherStreamInsideTwoBringsEverythingBack) {
  SimulatedDevice simulated("discrete");
  const device::Stream stream = simulated.runtime().create_stream();
  {
    auto outermost = ramp(), middle = ramp();
    Sequence one;
    add(outermost.data(), kCount, 1.0f);
    Sequence two;
    add(middle.data(), kCount, 1.0f);
    {
      Sequence other({.stream = stream});
      add(outermost.data(), kCount, 1.0f);
      add(middle.data(), kCount, 1.0f);
      other.finish();
      expect_ramp(outermost.data(), 2, "outermost");
      expect_ramp(middle.data(), 2, "middle");
    }
    two.finish();
    one.finish();
    expect_ramp(outermost.data(), 2, "outermost at the end");
  }
  simulated.runtime().destroy_stream(stream);
}

TEST(Sequence, RunsOnTheCallersStream) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    const device::Stream stream = simulated.runtime().create_stream();
    {
      auto mine = ramp();
      Image image = image_of_ramp();
      Sequence sequence({.stream = stream});
      EXPECT_EQ(sequence.stream(), stream);
      DeviceView<float> view(mine.data(), kCount, Access::in_out);
      EXPECT_EQ(view.stream(), stream);
      view.commit();
      add(mine.data(), kCount, 1.0f);
      add(samples_of(image), kCount, 1.0f);
      sequence.finish();
      expect_ramp(mine.data(), 1, model);
      expect_ramp(samples_of(image), 1, model);
    }
    // Nothing of the library may use it any more, not even a pool.
    simulated.runtime().wait_stream(stream);
    simulated.runtime().destroy_stream(stream);
    const Image again = image_of_ramp();
    message_of(ErrorKind::device, [&] { Sequence({.stream = stream}); });
  }
}

TEST(Sequence, AnInnerOneOfAnotherStreamBeginsWithEverythingBack) {
  SimulatedDevice simulated("discrete");
  const device::Stream stream = simulated.runtime().create_stream();
  {
    auto mine = ramp();
    Sequence outer;
    add(mine.data(), kCount, 1.0f);
    {
      Sequence inner({.stream = stream});
      expect_ramp(mine.data(), 1, "outer");
      add(mine.data(), kCount, 1.0f);
    }
    expect_ramp(mine.data(), 2, "inner");
    add(mine.data(), kCount, 1.0f);
    outer.finish();
    expect_ramp(mine.data(), 3, "both");
  }
  simulated.runtime().destroy_stream(stream);
}

TEST(Sequence, AViewIsCommittedAsWhereItWasMade) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    auto outside = ramp(), inside = ramp(), shared = ramp();
    const auto launch = [](const DeviceView<float>& view) {
      launch_over<float>(view.stream(), PlaneView(view.view()), [](float v) { return v + 1; });
    };
    std::optional<DeviceView<float>> late;
    {
      DeviceView<float> before(outside.data(), kCount, Access::in_out), open(shared.data(), kCount, Access::in_out);
      Sequence sequence;
      launch(before);
      before.commit();
      expect_ramp(outside.data(), 1, model + " made before");
      // A view inside that shares the copy of one from outside.
      add(shared.data(), kCount, 1.0f);
      sequence.finish();
      expect_ramp(shared.data(), 1, model + " shared");
      late.emplace(inside.data(), kCount, Access::in_out);
      launch(*late);
    }
    late->commit();
    expect_ramp(inside.data(), 1, model + " committed behind");
  }
}

TEST(Sequence, WithoutADeviceItDoesNothing) {
  initialize({.device = "none", .memory_model = "auto", .executor = "auto"});
  Image image = image_of_ramp();
  Sequence sequence;
  EXPECT_EQ(sequence.stream(), nullptr);
  EXPECT_EQ(image.host(), image.data());
  sequence.read(image.data());
  sequence.written(image.data());
  sequence.discard(image.data());
  sequence.finish();
  EXPECT_EQ(sequence.device_bytes(), 0u);
}

TEST(Sequence, TheSteadyStateAllocatesNothing) {
  for (const std::string model : kModels) {
    SimulatedDevice simulated(model);
    Image frame = image_of_ramp();
    const auto once = [&] {
      Sequence sequence;
      Image between(Format::f32, int(kCount), 1), last(Format::f32, int(kCount), 1);
      copy(samples_of(frame), samples_of(between), kCount);
      for (int k = 0; k < 6; ++k) {
        Image next(Format::f32, int(kCount), 1);
        copy(samples_of(between), samples_of(next), kCount);
        between = std::move(next);
      }
      copy(samples_of(between), samples_of(last), kCount);
      sequence.finish();
      expect_ramp(samples_of(last), 0, model);
    };
    // Behind a slow device every image of a frame is in use at once; more than those it never takes.
    simulated.control().set_delay(3000);
    once();
    simulated.control().set_delay(50);
    const CounterScope scope;
    for (int k = 0; k < 5; ++k) once();
    EXPECT_EQ(scope.counted().allocations, 0u) << model;
    EXPECT_EQ(scope.counted().frees, 0u) << model;
    EXPECT_EQ(scope.counted().waits, 5u) << model;
  }
}

}  // namespace
}  // namespace zp::test
