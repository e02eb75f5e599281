// Chains: equal to their steps one by one, on every executor, in one copy each way and one wait.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "exec/cpu.h"
#include "kernels/workspaces.h"
#include "support/everywhere.h"
#include "zeroplane/operations.h"

namespace zp::test {
namespace {

const Chain kChain{ScaleOffset{.scale = 1.7f, .offset = -3.25f},
                   Invert{},
                   Clamp{10, 60000},
                   AddConstant{2.5f},
                   MultiplyConstant{0.3f},
                   Threshold{.limit = 30, .kind = Threshold::Kind::to_zero},
                   Gamma{1.5f}};
const Chain kPlain{ScaleOffset{.scale = 1.7f, .offset = -3.25f},
                   Invert{},
                   Clamp{10, 60000},
                   AddConstant{2.5f},
                   MultiplyConstant{0.3f},
                   Threshold{.limit = 30, .kind = Threshold::Kind::to_zero},
                   Invert{}};

template <class... Ops>
Image one_by_one(const Chain<Ops...>& chain, const Image& in) {
  Image out = in.clone();
  std::apply([&](const auto&... op) { (apply(op, out.view(), out.view()), ...); }, chain.operations);
  return out;
}

TEST(Chain, EqualsItsStepsOneByOne) {
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (const Format format : {Format::u8, Format::u16, Format::f32})
      for (const auto& [width, height, channels] :
           {std::tuple{1, 1, 1}, {7, 5, 3}, {640, 111, 1}, {257, 129, 4}, {40000, 2, 1}}) {
        const Image in = noise({width, height, channels, format});
        EXPECT_EQ(hash_text(hash(apply(kChain, in).view())), hash_text(hash(one_by_one(kChain, in).view())))
            << describe(in.shape());
        EXPECT_EQ(hash_text(hash(apply(kPlain, in).view())), hash_text(hash(one_by_one(kPlain, in).view())))
            << describe(in.shape());
        Image in_place = in.clone();
        apply(kPlain, in_place.view(), in_place.view());
        EXPECT_EQ(hash_text(hash(in_place.view())), hash_text(hash(one_by_one(kPlain, in).view())))
            << describe(in.shape());
      }
  }
}

TEST(Chain, IsOneLaunchThatCrossesTheBusOnceEachWayAndWaitsOnce) {
  const At at({"simulated:discrete", "", Executor::simulated});
  std::vector<float> mine(300 * 200, 0.5f);
  const View<float> view(mine.data(), 300, 200);
  const CounterScope scope;
  apply(kPlain, view, view);
  EXPECT_EQ(scope.counted().bytes_to_device, mine.size() * 4);
  EXPECT_EQ(scope.counted().bytes_to_host, mine.size() * 4);
  EXPECT_EQ(scope.counted().launches, 1u);
  EXPECT_EQ(scope.counted().waits, 1u);
}

TEST(Chain, OfMoreStepsThanAProgramHoldsIsTwoLaunches) {
  const At at({"simulated:unified", "", Executor::simulated});
  const Image in = noise({67, 31, 1, Format::u16});
  const AddConstant add{1.0f};
  const Chain chain{add, add, add, add, add, add, add, add, add, add, add, add, add, add, add, add, add};
  const CounterScope scope;
  const Image out = apply(chain, in);
  EXPECT_EQ(scope.counted().launches, 2u);
  EXPECT_EQ(hash_text(hash(out.view())), hash_text(hash(apply(AddConstant{17.0f}, in).view())));
}

TEST(Chain, MayChangeTheFormat) {
  const Chain chain{Convert{.format = Convert::Target::f32}, Gamma{2.0f}, MultiplyConstant{1.25f},
                    Convert{.format = Convert::Target::u8}, Threshold{.limit = 3, .kind = Threshold::Kind::to_zero}};
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    // 65537 samples: one more than u16 has levels.
    for (const auto& [width, height] : {std::pair{1, 1}, {65537, 1}, {301, 333}}) {
      const Image in = noise({width, height, 1, Format::u16});
      const CounterScope scope;
      const Image out = apply(chain, in);
      EXPECT_EQ(scope.counted().launches, place.executor == Executor::cpu ? 0u : 1u);
      const Image steps[] = {apply(std::get<0>(chain.operations), in), apply(std::get<1>(chain.operations), steps[0]),
                             apply(std::get<2>(chain.operations), steps[1]),
                             apply(std::get<3>(chain.operations), steps[2]),
                             apply(std::get<4>(chain.operations), steps[3])};
      EXPECT_EQ(out.format(), Format::u8);
      EXPECT_EQ(hash_text(hash(out.view())), hash_text(hash(steps[4].view()))) << width << " x " << height;
    }
  }
}

TEST(Chain, IsOneFunctorToo) {
  const At at({"none", "", Executor::cpu});
  const Image in = noise({301, 77, 1, Format::u8});
  Image fused(in.shape());
  kernels::HostWorkspace workspace;
  exec::Cpu exec(workspace);
  exec.point(kPlain.functor(in.shape()), fused.as<std::uint8_t>(), in.as<std::uint8_t>());
  EXPECT_EQ(hash_text(hash(fused.view())), hash_text(hash(one_by_one(kPlain, in).view())));
}

TEST(Chain, ChecksEveryStepBeforeAnyRuns) {
  const At at({"none", "", Executor::cpu});
  Image image = noise({16, 16, 1, Format::u8});
  const std::uint64_t before = hash(image.view());
  try {
    apply(Chain{Invert{}, Gamma{-1.0f}}, image.view(), image.view());
    ADD_FAILURE() << "a bad step was taken";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("gamma")) << error.what();
  }
  EXPECT_EQ(hash(image.view()), before);
}

}  // namespace
}  // namespace zp::test
