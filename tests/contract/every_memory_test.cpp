// Every operation on every kind of memory and model: what is staged is counted, what need not be staged is not.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "registry/cases.h"
#include "support/everywhere.h"

namespace zp::test {
namespace {

using registry::OperationCase;

std::vector<Place> devices() {
  std::vector<Place> all;
  for (const Place& p : places())
    if (p.executor != Executor::cpu) all.push_back(p);
  return all;
}

TEST(EveryMemory, LibraryImagesAreNeverStagedOnUnifiedAndCoherent) {
  for (const Place& place : devices()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    if (memory_model() == MemoryModel::discrete) continue;
    for (const OperationCase& c : registry::all_cases(47, 31)) {
      const std::vector<Image> inputs = registry::case_inputs(c);
      const std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
      const CounterScope scope;
      {
        const NoStaging guard;
        c.operation.evaluate(views);
      }
      EXPECT_EQ(scope.counted().views_staged, 0u) << c.operation.name();
      EXPECT_EQ(scope.counted().bytes_to_device + scope.counted().bytes_to_host, 0u) << c.operation.name();
      EXPECT_GE(scope.counted().views_in_place, inputs.size()) << c.operation.name();
    }
  }
}

TEST(EveryMemory, CallersMemoryIsStagedOnceEachWayAndCounted) {
  for (const Place& place : devices()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (const OperationCase& c : registry::all_cases(47, 31)) {
      const std::vector<Image> inputs = registry::case_inputs(c);
      std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
      Values expected_values;
      const Image expected = c.operation.evaluate(views, &expected_values);

      std::vector<std::unique_ptr<char[]>> foreign;
      std::uint64_t in_bytes = 0;
      for (ConstPlaneView& v : views) {
        const std::size_t bytes = v.shape.row_bytes() * std::size_t(v.shape.height);
        foreign.emplace_back(new char[bytes]);
        std::memcpy(foreign.back().get(), v.data, bytes);
        v = ConstPlaneView(foreign.back().get(), v.shape);
        in_bytes += bytes;
      }
      const std::unique_ptr<char[]> out_bytes(new char[expected.bytes() + 1]);
      const PlaneView out(out_bytes.get(), expected.shape());
      const CounterScope scope;
      const Values values = c.operation.run(views, &out);
      const Counters counted = scope.counted();
      EXPECT_EQ(registry::result_hash(nullptr, values), registry::result_hash(nullptr, expected_values))
          << c.operation.name();
      const bool makes_image = c.operation.makes_image();
      if (makes_image) {
        EXPECT_EQ(hash_text(hash(out)), hash_text(hash(expected.view()))) << c.operation.name() << " " << c.text();
      }
      if (memory_model() == MemoryModel::coherent) {
        EXPECT_EQ(counted.views_staged, 0u) << c.operation.name();
      } else {
        EXPECT_EQ(counted.views_staged, views.size() + makes_image) << c.operation.name();
        EXPECT_EQ(counted.bytes_to_device, in_bytes) << c.operation.name();
        EXPECT_EQ(counted.bytes_to_host, makes_image ? expected.bytes() : 0u) << c.operation.name();
        const NoStaging guard;
        try {
          c.operation.run(views, &out);
          ADD_FAILURE() << c.operation.name() << " staged under a guard";
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::staging_forbidden);
          EXPECT_NE(std::string_view(error.what()).find(c.operation.name()), std::string_view::npos) << error.what();
        }
      }
    }
  }
}

TEST(EveryMemory, SteadyStateAllocatesNothing) {
  for (const Place& place : devices()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (const OperationCase& c : registry::all_cases(64, 48)) {
      const std::vector<Image> inputs = registry::case_inputs(c);
      const std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
      c.operation.evaluate(views);
      c.operation.evaluate(views);
      const CounterScope scope;
      c.operation.evaluate(views);
      EXPECT_EQ(scope.counted().allocations, 0u) << c.operation.name() << " " << c.text();
      EXPECT_EQ(scope.counted().frees, 0u) << c.operation.name();
    }
  }
}

}  // namespace
}  // namespace zp::test
