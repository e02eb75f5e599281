// Every operation inside a Sequence, on images and on foreign memory: the same bits, brought back when asked for.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/sequence.h"

#include <gtest/gtest.h>

#include "registry/cases.h"
#include "support/everywhere.h"
#include "zeroplane/operations.h"

namespace zp::test {
namespace {

using registry::OperationCase;

/// A caller's own memory with the pixels of an image.
struct Foreign {
  std::unique_ptr<char[]> bytes;
  PlaneView view;
  explicit Foreign(const PlaneShape& shape)
      : bytes(new char[shape.row_bytes() * std::size_t(shape.height) + 1]), view(bytes.get(), shape) {}
  explicit Foreign(const Image& image) : Foreign(image.shape()) {
    if (!image.empty()) std::memcpy(bytes.get(), image.data(), image.bytes());
  }
};

TEST(EverySequence, GivesTheSameBitsOnImagesAndForeignMemory) {
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (const OperationCase& c : registry::all_cases(37, 23)) {
      const std::vector<Image> inputs = registry::case_inputs(c);
      const std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
      Values expected_values, values;
      const Image expected = c.operation.evaluate(views, &expected_values);
      std::vector<Foreign> foreign;
      std::vector<ConstPlaneView> foreign_views;
      for (const Image& image : inputs) {
        foreign.emplace_back(image);
        foreign_views.emplace_back(foreign.back().view);
      }
      Foreign out(expected.shape());

      Sequence sequence;
      const Image first = c.operation.evaluate(views, &values);
      const Values again = c.operation.run(foreign_views, &out.view);
      EXPECT_EQ(registry::result_hash(nullptr, values), registry::result_hash(nullptr, expected_values))
          << c.operation.name() << " " << c.text();
      EXPECT_EQ(registry::result_hash(nullptr, again), registry::result_hash(nullptr, expected_values))
          << c.operation.name() << " " << c.text();
      if (c.operation.makes_image()) {
        EXPECT_EQ(hash(first.view()), hash(expected.view())) << c.operation.name() << " " << c.text();
        sequence.finish();
        EXPECT_EQ(hash(out.view), hash(expected.view())) << c.operation.name() << " " << c.text();
      }
    }
  }
}

/// Steps of every shape, images that die in between, small and large work mixed, an output over an input.
Image chain(const Image& frame, bool foreign_between) {
  Image flat = apply(AddConstant{.constant = 3}, frame);
  Image smooth = apply(Gaussian{.sigma = 1.5f}, flat);
  flat = Image();
  apply(Gaussian{.sigma = 1.0f}, smooth, smooth);
  Image turned = apply(Flip{}, smooth);
  if (foreign_between) {
    std::vector<char> mine(turned.bytes());
    const PlaneView view(mine.data(), turned.shape());
    {
      Sequence inner;
      apply(Invert{}, {turned.view()}, view);
      inner.finish();
    }
    std::memcpy(turned.host(), mine.data(), mine.size());
  } else {
    apply(Invert{}, turned, turned);
  }
  Image small = apply(Resize{.scale = 0.5}, turned);
  return apply(Clahe{}, small);
}

TEST(EverySequence, ChainsOfShapesEqualStepByStep) {
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (const Format format : {Format::u8, Format::u16, Format::f32})
      for (const bool foreign_between : {false, true}) {
        const Image frame = noise({211, 97, 1, format}, 7);
        const Image expected = chain(frame, foreign_between);
        Sequence sequence;
        const Image result = chain(frame, foreign_between);
        sequence.finish();
        EXPECT_EQ(hash(result.view()), hash(expected.view())) << name_of(format) << " " << foreign_between;
      }
  }
}

TEST(EverySequence, SmallWorkOnTheCpuSeesWhatTheDeviceMade) {
  for (const Place& place : places()) {
    if (place.executor == Executor::cpu) continue;
    SCOPED_TRACE(place.text());
    const At at(place);
    Image image = noise({50, 40, 1, Format::u8}, 3);
    const Image expected = apply(Invert{}, apply(Square{}, image));
    const Image expected_behind = apply(Invert{}, apply(Gaussian{}, apply(Square{}, image)));
    Sequence sequence;
    Image squared = apply(Square{}, image);
    Image inverted;
    {
      const ExecutorScope cpu(Executor::cpu);
      inverted = apply(Invert{}, squared);
    }
    EXPECT_EQ(hash(inverted.view()), hash(expected.view()));
    // And the device sees what the CPU made, beside its place too.
    const Image back = apply(Invert{}, inverted);
    EXPECT_EQ(hash(back.view()), hash(squared.view()));
    {
      const ExecutorScope cpu(Executor::cpu);
      apply(Gaussian{}, squared, squared);
    }
    const Image behind = apply(Invert{}, squared);
    EXPECT_EQ(hash(behind.view()), hash(expected_behind.view()));
    sequence.finish();
  }
}

}  // namespace
}  // namespace zp::test
