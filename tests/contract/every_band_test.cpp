// Every operation that says how far its rows reach, staged in row bands on a discrete device: the same bits, each byte
// once over the bus, and a failure anywhere leaves nothing behind.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/runtime.h"
#include "kernels/staged_bands.h"
#include "memory/context.h"
#include "registry/cases.h"
#include "support/everywhere.h"
#include "zeroplane/operations.h"
#include "zeroplane/sequence.h"

namespace zp::test {
namespace {

using registry::OperationCase;

/// One where a sanitizer makes each run several times slower.
#if defined(ZEROPLANE_SANITIZED)
constexpr std::pair<int, int> kSizes[] = {{19, 23}};
#else
constexpr std::pair<int, int> kSizes[] = {{29, 41}, {67, 9}};
#endif

struct Bands {
  Bands(std::size_t bytes, int rows) { kernels::set_staged_bands(bytes, rows); }
  ~Bands() { kernels::set_staged_bands(0, 0); }
};

std::vector<Place> discrete_devices() {
  std::vector<Place> all;
  for (const Place& place : places()) {
    if (place.executor == Executor::cpu) continue;
    const At at(place);
    if (memory_model() == MemoryModel::discrete) all.push_back(place);
  }
  return all;
}

bool in_bands() {
  const auto& operands = last_run().operands;
  return !operands.empty() && operands[0].reason.find("in row bands") != std::string::npos;
}

/// A caller's plane with rows further apart than they are long.
struct Padded {
  std::vector<char> bytes;
  PlaneView view;
  explicit Padded(const PlaneShape& shape)
      : bytes((shape.row_bytes() + 12) * std::size_t(shape.height), '\x5a'),
        view(bytes.data(), shape, std::ptrdiff_t(shape.row_bytes() + 12)) {}
  explicit Padded(const Image& image) : Padded(image.shape()) {
    for (int y = 0; y < image.height(); ++y)
      std::memcpy(bytes.data() + std::ptrdiff_t(y) * view.pitch,
                  static_cast<const char*>(image.data()) + std::ptrdiff_t(y) * image.pitch(),
                  image.shape().row_bytes());
  }
  void expect_padding_untouched() const {
    for (int y = 0; y < view.shape.height; ++y)
      for (std::size_t x = view.shape.row_bytes(); x < std::size_t(view.pitch); ++x)
        ASSERT_EQ(bytes[std::size_t(y) * std::size_t(view.pitch) + x], '\x5a');
  }
};

TEST(EveryBand, GivesTheSameBits) {
  for (const Place& place : discrete_devices()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    int taken = 0;
    for (const auto& [width, height] : kSizes)
      for (const OperationCase& c : registry::all_cases(width, height)) {
        const std::vector<Image> inputs = registry::case_inputs(c);
        const std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
        Image expected;
        {
          const ExecutorScope cpu(Executor::cpu);
          expected = c.operation.evaluate(views);
        }
        for (const int rows : {2, 6}) {
          SCOPED_TRACE(std::string(c.operation.name()) + " " + c.text() + " in bands of " + std::to_string(rows));
          const Bands bands(1, rows);
          const CounterScope scope;
          const Image image = c.operation.evaluate(views);
          if (!in_bands()) continue;
          ++taken;
          EXPECT_EQ(hash(image.view()), hash(expected.view()));
          EXPECT_EQ(scope.counted().bytes_to_host, expected.bytes());
          std::vector<Padded> foreign;
          std::vector<ConstPlaneView> foreign_views;
          foreign.reserve(inputs.size());
          for (const Image& input : inputs) foreign_views.emplace_back(foreign.emplace_back(input).view);
          Padded out(expected.shape());
          c.operation.run(foreign_views, &out.view);
          EXPECT_TRUE(in_bands());
          EXPECT_EQ(hash(out.view), hash(expected.view()));
          out.expect_padding_untouched();
        }
      }
    EXPECT_GT(taken, 250 * int(std::size(kSizes)));
  }
}

TEST(EveryBand, MovesEachByteOnceEachWayAndWaitsOnce) {
  for (const Place& place : discrete_devices()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    const Image a = noise({83, 120, 1, Format::u16}, 1), b = noise({83, 120, 1, Format::u16}, 2);
    const Bands bands(1, 8);
    Image out(a.shape());
    apply(Add{}, a, b, out);
    const CounterScope scope;
    apply(Add{}, a, b, out);
    const Counters counted = scope.counted();
    EXPECT_EQ(counted.views_staged, 3u);
    EXPECT_EQ(counted.bytes_to_device, 2 * a.bytes());
    EXPECT_EQ(counted.bytes_to_host, a.bytes());
    EXPECT_EQ(counted.launches, 15u);
    EXPECT_EQ(counted.waits, 1u);
    EXPECT_EQ(counted.allocations, 0u);
    // The same plane twice goes once, and may be where the result goes.
    Image twice = a.clone();
    const CounterScope once;
    apply(Add{}, {twice.view(), twice.view()}, twice.view());
    EXPECT_EQ(once.counted().bytes_to_device, a.bytes());
    EXPECT_EQ(hash(twice.view()), hash(apply(Add{}, a, a).view()));
  }
}

TEST(EveryBand, IsNotForSmallPlanesSequencesAndGuards) {
  for (const Place& place : discrete_devices()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    const Image image = noise({64, 64, 1, Format::f32}, 1);
    apply(Gaussian{}, image);
    EXPECT_FALSE(in_bands());
    const Bands bands(1, 8);
    apply(Gaussian{}, image);
    EXPECT_TRUE(in_bands());
    {
      Sequence sequence;
      apply(Gaussian{}, image);
      EXPECT_FALSE(in_bands());
      sequence.finish();
    }
    const NoStaging guard;
    EXPECT_NO_THROW(apply(AddConstant{.constant = 1}, image));
    EXPECT_FALSE(in_bands());
  }
}

TEST(EveryBand, AFailureAnywhereIsOneErrorAndTheNextCallIsRight) {
  using Call = device::SimulatedControl::Call;
  const Image frame = noise({40, 64, 1, Format::u8}, 5);
  Image expected;
  {
    const ExecutorScope cpu(Executor::cpu);
    expected = apply(Gaussian{.sigma = 1}, frame);
  }
  for (const bool foreign : {false, true})
    for (const Call call : {Call::allocate, Call::copy, Call::launch, Call::wait, Call::query, Call::create}) {
      for (int nth = 1; nth <= 40; nth += nth < 8 ? 1 : 8) {
        initialize({.device = "simulated:discrete", .memory_model = "auto", .executor = "simulated"});
        const auto runtime = memory::context()->runtime;
        device::SimulatedControl& control = *device::simulated_control(*runtime);
        {
          const Bands bands(1, 4);
          const Padded mine(frame);
          Padded out(expected.shape());
          const Image image = noise(frame.shape(), 5);
          Image into(expected.shape());
          control.fail(call, nth);
          try {
            if (foreign)
              apply(Gaussian{.sigma = 1}, {mine.view}, out.view);
            else
              apply(Gaussian{.sigma = 1}, {image.view()}, into.view());
          } catch (const Error& error) {
            EXPECT_TRUE(error.kind() == ErrorKind::device || error.kind() == ErrorKind::out_of_memory) << error.what();
          }
          control.fail(call, 0);
          apply(Gaussian{.sigma = 1}, {mine.view}, out.view);
          EXPECT_TRUE(in_bands());
          EXPECT_EQ(hash(out.view), hash(expected.view())) << int(call) << " " << nth;
        }
        memory::release_context();
        EXPECT_EQ(control.ledger().live_blocks, 0u);
        EXPECT_EQ(control.ledger().live_streams, 0u);
        EXPECT_EQ(control.ledger().live_events, 0u);
        initialize({.device = "none", .memory_model = "auto", .executor = "auto"});
      }
    }
}

}  // namespace
}  // namespace zp::test
