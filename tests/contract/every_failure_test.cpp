// Every operation while the n-th call to the device fails: one error, nothing lost, and the next call works.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/runtime.h"
#include "memory/context.h"
#include "registry/cases.h"
#include "support/everywhere.h"

namespace zp::test {
namespace {

using device::SimulatedControl;
using registry::OperationCase;

TEST(EveryFailure, OfTheDeviceIsOneErrorAndTheNextCallWorks) {
  const At at({"simulated:discrete", "", Executor::simulated});
  SimulatedControl& control = *device::simulated_control(*memory::context()->runtime);
  control.set_delay(0);
  std::size_t injected = 0;
  std::string_view last;
  for (const OperationCase& c : registry::all_cases(20, 12)) {
    if (c.operation.name() == last) continue;  // one case of each
    last = c.operation.name();
    const std::vector<Image> inputs = registry::case_inputs(c);
    std::vector<std::vector<char>> foreign;
    std::vector<ConstPlaneView> views;
    for (const Image& in : inputs) {
      const auto* p = static_cast<const char*>(in.data());
      foreign.emplace_back(p, p + in.bytes());
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) views.emplace_back(foreign[k].data(), inputs[k].shape());
    Values expected_values;
    const Image expected = c.operation.evaluate(views, &expected_values);
    std::vector<char> bytes(expected.bytes() + 1);
    const PlaneView out(bytes.data(), expected.shape());
    trim_pools();
    const auto before = control.ledger();
    for (const auto call : {SimulatedControl::Call::allocate, SimulatedControl::Call::copy,
                            SimulatedControl::Call::launch, SimulatedControl::Call::wait})
      for (int nth = 1; nth <= 40; ++nth) {
        trim_pools();
        const std::uint64_t calls = control.calls(call);
        control.fail(call, nth);
        bool failed = false;
        try {
          c.operation.run(views, &out);
        } catch (const Error& error) {
          failed = true;
          EXPECT_TRUE(error.kind() == ErrorKind::device || error.kind() == ErrorKind::out_of_memory) << error.what();
        }
        control.fail(call, 0);
        const bool reached = control.calls(call) - calls >= std::uint64_t(nth);
        EXPECT_EQ(failed, reached) << c.operation.name() << " call " << int(call) << " #" << nth;
        if (!reached) break;
        ++injected;
        const Values values = c.operation.run(views, &out);
        EXPECT_EQ(registry::result_hash(nullptr, values), registry::result_hash(nullptr, expected_values))
            << c.operation.name();
        if (c.operation.makes_image()) {
          EXPECT_EQ(hash_text(hash(out)), hash_text(hash(expected.view()))) << c.operation.name();
        }
        if (HasFailure()) return;
      }
    trim_pools();
    const auto after = control.ledger();
    EXPECT_EQ(after.live_blocks, before.live_blocks) << c.operation.name();
    EXPECT_EQ(after.live_bytes, before.live_bytes) << c.operation.name();
  }
  EXPECT_GT(injected, 100u);
}

}  // namespace
}  // namespace zp::test
