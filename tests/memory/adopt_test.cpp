// Registering the caller's memory: placement while the handle lives, refusals, failures.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include "memory/home.h"
#include "memory/pools.h"
#include "memory/simulated_device.h"
#include "zeroplane/image.h"

namespace zp::test {
namespace {

Placement placement_of(std::vector<float>& samples) {
  DeviceView<float> view(samples.data(), samples.size(), Access::in_out);
  view.commit();
  return view.placement();
}

TEST(Adopt, MakesForeignMemoryInPlaceForTheLifeOfTheHandle) {
  for (const char* model : {"unified", "discrete"}) {
    SimulatedDevice simulated(model);
    std::vector<float> mine(1000);
    EXPECT_EQ(placement_of(mine), Placement::staged);
    {
      const Adopted adopted = adopt(mine.data(), mine.size() * sizeof(float));
      EXPECT_TRUE(adopted.registered());
      EXPECT_FALSE(adopted.reason().empty());
      EXPECT_EQ(placement_of(mine), Placement::in_place);
      EXPECT_EQ(simulated.control().ledger().registered_ranges, 1u);
    }
    EXPECT_EQ(simulated.control().ledger().registered_ranges, 0u);
    EXPECT_EQ(placement_of(mine), Placement::staged);
  }
}

TEST(Adopt, TheHandleMoves) {
  SimulatedDevice simulated("unified");
  std::vector<float> a(100), b(100);
  Adopted first = adopt(a.data(), 400);
  Adopted second = std::move(first);
  EXPECT_FALSE(first.registered());
  EXPECT_TRUE(second.registered());
  second = adopt(b.data(), 400);
  EXPECT_EQ(simulated.control().ledger().registered_ranges, 1u) << "the old range is let go";
  EXPECT_EQ(placement_of(a), Placement::staged);
  EXPECT_EQ(placement_of(b), Placement::in_place);
}

TEST(Adopt, SaysWhyItDidNotRegister) {
  std::vector<float> mine(100);
  {
    SimulatedDevice simulated("coherent");
    const Adopted adopted = adopt(mine.data(), 400);
    EXPECT_FALSE(adopted.registered());
    expect_words(adopted.reason(), {"not needed"});
  }
  const Adopted adopted = adopt(mine.data(), 400);
  EXPECT_FALSE(adopted.registered());
  expect_words(adopted.reason(), {"no device"});
}

TEST(Adopt, RefusesWhatIsNoRange) {
  SimulatedDevice simulated("unified");
  float sample = 0;
  message_of(ErrorKind::invalid_argument, [&] { adopt(nullptr, 4); });
  message_of(ErrorKind::invalid_argument, [&] { adopt(&sample, 0); });
}

TEST(Adopt, RefusesARangeThatIsRegistered) {
  SimulatedDevice simulated("unified");
  std::vector<float> mine(1000);
  const Adopted adopted = adopt(mine.data(), 2000);
  message_of(ErrorKind::device, [&] { adopt(mine.data() + 100, 2000); });
  const Image image(Format::u8, 100, 100);
  message_of(ErrorKind::device, [&] { adopt(const_cast<void*>(image.data()), 100); });
  EXPECT_EQ(simulated.control().ledger().registered_ranges, 1u);
}

TEST(Adopt, AFailureLeavesNothingRegistered) {
  SimulatedDevice simulated("unified");
  std::vector<float> mine(1000);
  simulated.control().fail(device::SimulatedControl::Call::register_host, 1);
  message_of(ErrorKind::device, [&] { adopt(mine.data(), 400); });
  EXPECT_EQ(simulated.control().ledger().registered_ranges, 0u);
  EXPECT_TRUE(adopt(mine.data(), 400).registered());
}

TEST(Adopt, TwoRangesWithAGapAreNotOneRange) {
  SimulatedDevice simulated("unified");
  std::vector<float> mine(3000, 1.0f);
  const Adopted low = adopt(mine.data(), 4000), high = adopt(mine.data() + 2000, 4000);
  DeviceView<float> view(mine.data() + 500, 2000, Access::in_out);
  EXPECT_EQ(view.placement(), Placement::staged);
  launch_over<float>(view.stream(), PlaneView(view.view()), [](float v) { return v + 1; });
  view.commit();
  for (std::size_t i = 0; i < mine.size(); ++i) ASSERT_EQ(mine[i], i >= 500 && i < 2500 ? 2.0f : 1.0f) << i;
}

TEST(AdoptedRanges, TellAPartFromTheWhole) {
  memory::AdoptedRanges ranges;
  EXPECT_FALSE(ranges.hold_a_part(0, 1000));
  ranges.add(100, 50);
  ranges.add(150, 50);  // a neighbour is another registration
  ranges.add(300, 10);
  EXPECT_FALSE(ranges.hold_a_part(100, 150));
  EXPECT_FALSE(ranges.hold_a_part(120, 130));
  EXPECT_FALSE(ranges.hold_a_part(200, 300));
  EXPECT_FALSE(ranges.hold_a_part(50, 100));
  EXPECT_TRUE(ranges.hold_a_part(99, 101));
  EXPECT_TRUE(ranges.hold_a_part(140, 160));
  EXPECT_TRUE(ranges.hold_a_part(199, 201));
  EXPECT_TRUE(ranges.hold_a_part(250, 400));
  ranges.remove(300);
  EXPECT_FALSE(ranges.hold_a_part(250, 400));
}

TEST(Adopt, KeepsItsRuntimeAlive) {
  std::vector<float> mine(1000);
  initialize({.device = "simulated:unified", .memory_model = "auto", .executor = "auto"});
  std::weak_ptr<device::Runtime> runtime = memory::context()->runtime;
  {
    const Adopted adopted = adopt(mine.data(), 400);
    initialize({.device = "none", .memory_model = "auto", .executor = "auto"});
    ASSERT_FALSE(runtime.expired());
    EXPECT_EQ(device::simulated_control(*runtime.lock())->ledger().registered_ranges, 1u);
  }
  EXPECT_TRUE(runtime.expired());
}

}  // namespace
}  // namespace zp::test
