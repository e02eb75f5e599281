// Images: sizes, memory by model, moving, cloning, typed views, and a destructor that never frees.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/image.h"

#include <cstdint>
#include <cstring>

#include "memory/pools.h"
#include "memory/simulated_device.h"

namespace zp::test {
namespace {

constexpr int kLargest = 2147483647;

class ImageTest : public testing::Test {
 protected:
  void SetUp() override { initialize({.device = "none", .memory_model = "auto", .executor = "auto"}); }
};

TEST_F(ImageTest, IsTightAndAligned) {
  for (Format format : {Format::u8, Format::u16, Format::f32, Format::u32})
    for (int channels = 1; channels <= 4; ++channels) {
      const Image image(format, 37, 11, channels);
      EXPECT_EQ(image.pitch(), std::ptrdiff_t(37 * channels * int(bytes_of(format))));
      EXPECT_EQ(image.bytes(), std::size_t(image.pitch()) * 11);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(image.data()) % 256, 0u);
      EXPECT_FALSE(image.empty());
      EXPECT_EQ(image.block()->bytes() % 256, 0u);
      EXPECT_GE(image.block()->bytes(), image.bytes());
      EXPECT_LT(image.block()->bytes(), image.bytes() + 256);
    }
}

TEST_F(ImageTest, WithoutPixelsHasNoMemory) {
  for (const PlaneShape& shape : {PlaneShape{0, 0}, PlaneShape{0, 5}, PlaneShape{5, 0}, PlaneShape{kLargest, 0, 4}}) {
    const Image image(shape);
    EXPECT_TRUE(image.empty());
    EXPECT_EQ(image.data(), nullptr);
    EXPECT_EQ(image.block(), nullptr);
    EXPECT_EQ(image.shape(), shape);
    EXPECT_TRUE(image.clone().empty());
  }
  EXPECT_TRUE(Image().empty());
}

TEST_F(ImageTest, RefusesSizesThatAreNone) {
  const auto refuse = [](PlaneShape shape, const char* word) {
    expect_words(message_of(ErrorKind::invalid_argument, [&] { Image image(shape); }), {word});
  };
  refuse({-1, 4}, "width");
  refuse({4, -1}, "height");
  refuse({4, 4, 0}, "channels");
  refuse({4, 4, 5}, "channels");
  refuse({0, 0, -3}, "channels");
  // 2147483647^2 x 4 x 4 bytes is 2^66.
  refuse({kLargest, kLargest, 4, Format::f32}, "63 bits");
}

TEST_F(ImageTest, SizesBeyond32BitsAreRightAndTooLargeOnesAreRefusedAsMemory) {
  // 2147483647 x 2147483647 bytes is just below 2^62: legal as a number, and more than any machine has.
  const auto too_large_then_small = [] {
    message_of(ErrorKind::out_of_memory, [] { Image image(Format::u8, kLargest, kLargest); });
    Image small(Format::u8, 8, 8);
    EXPECT_NE(small.data(), nullptr) << "the next call works";
  };
// A sanitizer's allocator ends the program instead of refusing.
#if !defined(ZEROPLANE_SANITIZED)
  too_large_then_small();
#endif
  SimulatedDevice simulated("discrete");
  too_large_then_small();
}

TEST_F(ImageTest, MovesAndLeavesNothingBehind) {
  Image a(Format::u16, 6, 4, 3);
  void* const data = a.data();
  std::memset(data, 7, a.bytes());
  Image b(std::move(a));
  EXPECT_EQ(b.data(), data);
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.block(), nullptr);
  Image c(Format::u8, 2, 2);
  c = std::move(b);
  EXPECT_EQ(c.data(), data);
  EXPECT_EQ(c.shape(), (PlaneShape{6, 4, 3, Format::u16}));
  EXPECT_TRUE(b.empty());
  Image& self = c;
  c = std::move(self);
  EXPECT_EQ(c.data(), data);
}

TEST_F(ImageTest, ClonesAreEqualAndApart) {
  Image a(Format::f32, 5, 3, 2);
  for (int i = 0; i < 30; ++i) static_cast<float*>(a.data())[i] = float(i);
  Image b = a.clone();
  EXPECT_EQ(b.shape(), a.shape());
  EXPECT_NE(b.data(), a.data());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.bytes()), 0);
  static_cast<float*>(b.data())[0] = 9;
  EXPECT_EQ(static_cast<float*>(a.data())[0], 0.0f);
}

TEST_F(ImageTest, IsReadAsItsFormatOnly) {
  Image image(Format::u16, 4, 4);
  image.as<std::uint16_t>().at(3, 3) = 77;
  EXPECT_EQ(std::as_const(image).as<std::uint16_t>().at(3, 3), 77);
  expect_words(message_of(ErrorKind::invalid_argument, [&] { image.as<float>(); }), {"u16", "f32"});
  expect_words(message_of(ErrorKind::invalid_argument, [&] { std::as_const(image).as<std::uint8_t>(); }), {"u8"});
}

TEST(ImageMemory, SuitsTheModel) {
  using device::MemoryKind;
  const auto kind_on = [](const char* model, const char* forced) {
    SimulatedDevice simulated(model, forced);
    return Image(Format::u8, 10, 10).block()->kind();
  };
  EXPECT_EQ(kind_on("unified", "auto"), MemoryKind::mapped);
  EXPECT_EQ(kind_on("discrete", "auto"), MemoryKind::pinned);
  EXPECT_EQ(kind_on("coherent", "auto"), MemoryKind::ordinary);
  EXPECT_EQ(kind_on("discrete", "unified"), MemoryKind::mapped);
  EXPECT_EQ(kind_on("unified", "discrete"), MemoryKind::pinned);
  EXPECT_EQ(Image(Format::u8, 10, 10).block()->kind(), MemoryKind::ordinary);
}

TEST(ImageMemory, SteadyStateAllocatesNothingAndDestructionNeverFrees) {
  for (const char* model : {"unified", "discrete", "coherent"}) {
    SimulatedDevice simulated(model);
    { Image first(Format::u16, 300, 200); }
    const CounterScope scope;
    const auto before = simulated.control().ledger();
    for (int i = 0; i < 100; ++i) Image image(Format::u16, 300, 200);
    EXPECT_EQ(scope.counted(), Counters{}) << model;
    EXPECT_EQ(simulated.control().ledger().allocated, before.allocated) << model;
    EXPECT_EQ(simulated.control().ledger().freed, before.freed) << model;
    EXPECT_EQ(host_pool_report().hits, 100u);
    EXPECT_EQ(host_pool_report().misses, 1u);
  }
}

}  // namespace
}  // namespace zp::test
