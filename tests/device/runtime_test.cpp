// What every runtime with a device promises: the simulated ones always, the real one where there is a GPU.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <numeric>
#include <vector>

#include "support/device_runtimes.h"

namespace zp::test {
namespace {

class RuntimeContract : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string which = GetParam();
    if (which == "cuda") {
      runtime_ = device::make_cuda(-1);
      if (!runtime_->absence().empty()) GTEST_SKIP() << runtime_->absence();
    } else {
      runtime_ = simulated(which == "unified"    ? MemoryModel::unified
                           : which == "discrete" ? MemoryModel::discrete
                                                 : MemoryModel::coherent);
    }
    stream_ = runtime_->create_stream();
  }
  void TearDown() override {
    if (stream_ != nullptr) runtime_->destroy_stream(stream_);
    if (auto* control = runtime_ ? device::simulated_control(*runtime_) : nullptr) {
      const auto ledger = control->ledger();
      EXPECT_EQ(ledger.live_blocks, 0u);
      EXPECT_EQ(ledger.live_bytes, 0u);
      EXPECT_EQ(ledger.live_streams, 0u);
      EXPECT_EQ(ledger.live_events, 0u);
      EXPECT_EQ(ledger.registered_ranges, 0u);
    }
  }

  std::vector<char> fetch(void* from, std::size_t bytes) {
    std::vector<char> found(bytes);
    runtime_->copy(found.data(), from, bytes, stream_);
    runtime_->wait_stream(stream_);
    return found;
  }

  std::shared_ptr<device::Runtime> runtime_;
  device::Stream stream_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Devices, RuntimeContract, testing::Values("unified", "discrete", "coherent", "cuda"),
                         [](const auto& info) { return std::string(info.param); });

std::vector<char> counted(std::size_t bytes) {
  std::vector<char> values(bytes);
  std::iota(values.begin(), values.end(), char{1});
  return values;
}

TEST_P(RuntimeContract, DescribesItsDevice) {
  const device::Traits& traits = runtime_->traits();
  EXPECT_GE(traits.ordinal, 0);
  EXPECT_NE(traits.name, "");
  EXPECT_GT(traits.compute_major, 0);
  EXPECT_GT(traits.multiprocessors, 0);
  EXPECT_GT(traits.memory_bytes, std::size_t{1} << 30);
}

TEST_P(RuntimeContract, BringsBytesThereAndBack) {
  const std::vector<char> sent = counted(100003);
  void* block = runtime_->allocate(MemoryKind::device, sent.size());
  runtime_->copy(block, sent.data(), sent.size(), stream_);
  EXPECT_EQ(fetch(block, sent.size()), sent);
  EXPECT_TRUE(runtime_->free(MemoryKind::device, block));
}

TEST_P(RuntimeContract, CopiesBetweenHostBlocksAndDevice) {
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::mapped}) {
    auto* host = static_cast<char*>(runtime_->allocate(kind, 4096));
    void* block = runtime_->allocate(MemoryKind::device, 4096);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(host) % 256, 0u);
    for (int i = 0; i < 4096; ++i) host[i] = static_cast<char>(i * 7);
    runtime_->copy(at(block, 0), host, 4096, stream_);
    EXPECT_EQ(fetch(at(block, 100), 50), std::vector<char>(host + 100, host + 150));
    EXPECT_TRUE(runtime_->free(MemoryKind::device, block));
    EXPECT_TRUE(runtime_->free(kind, host));
  }
}

TEST_P(RuntimeContract, CopiesByTheAddressTheDeviceSees) {
  auto* host = static_cast<char*>(runtime_->allocate(MemoryKind::mapped, 64));
  void* seen = runtime_->query(host).device_address;
  ASSERT_NE(seen, nullptr);
  const std::vector<char> sent = counted(64);
  runtime_->copy(seen, sent.data(), 64, stream_);
  runtime_->wait_stream(stream_);
  EXPECT_EQ(std::vector<char>(host, host + 64), sent);
  EXPECT_TRUE(runtime_->free(MemoryKind::mapped, host));
}

TEST_P(RuntimeContract, TellsWhatAPointerIs) {
  auto* mapped = static_cast<char*>(runtime_->allocate(MemoryKind::mapped, 5000));
  auto* pinned = static_cast<char*>(runtime_->allocate(MemoryKind::pinned, 5000));
  void* block = runtime_->allocate(MemoryKind::device, 5000);
  std::vector<char> foreign(5000);

  for (char* host : {mapped, pinned}) {
    const PointerInfo first = runtime_->query(host);
    EXPECT_EQ(first.kind, PointerInfo::Kind::host);
    ASSERT_NE(first.device_address, nullptr);
    const PointerInfo inside = runtime_->query(host + 4999);
    EXPECT_EQ(inside.kind, PointerInfo::Kind::host);
    EXPECT_EQ(inside.device_address, at(first.device_address, 4999));
  }
  EXPECT_EQ(runtime_->query(block).kind, PointerInfo::Kind::device);
  EXPECT_EQ(runtime_->query(block).device_address, block);
  EXPECT_EQ(runtime_->query(at(block, 4999)).device_address, at(block, 4999));
  EXPECT_EQ(runtime_->query(foreign.data()).kind, PointerInfo::Kind::foreign);
  EXPECT_EQ(runtime_->query(foreign.data()).device_address, nullptr);
  EXPECT_EQ(runtime_->query(nullptr).kind, PointerInfo::Kind::foreign);

  EXPECT_TRUE(runtime_->free(MemoryKind::device, block));
  EXPECT_TRUE(runtime_->free(MemoryKind::pinned, pinned));
  EXPECT_TRUE(runtime_->free(MemoryKind::mapped, mapped));
}

// Whole pages, because that is the grain in which a driver registers.
struct Pages {
  explicit Pages(device::Runtime& runtime) : runtime(runtime) {
    data = static_cast<char*>(runtime.allocate(MemoryKind::ordinary, kBytes));
    first = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(data) + 4095) / 4096 * 4096);
  }
  ~Pages() { runtime.free(MemoryKind::ordinary, data); }
  static constexpr std::size_t kBytes = 8 * 4096;
  device::Runtime& runtime;
  char* data;
  char* first;
};

TEST_P(RuntimeContract, KnowsRegisteredMemoryInsideAndNotPastItsEnd) {
  if (!runtime_->traits().host_register_supported) GTEST_SKIP() << "hostRegisterSupported is 0";
  const Pages pages(*runtime_);
  runtime_->register_host(pages.first, 2 * 4096);
  const PointerInfo start = runtime_->query(pages.first);
  EXPECT_EQ(start.kind, PointerInfo::Kind::host);
  EXPECT_EQ(runtime_->query(pages.first + 8191).device_address, at(start.device_address, 8191));
  EXPECT_EQ(runtime_->query(pages.first + 8192).kind, PointerInfo::Kind::foreign);
  runtime_->unregister_host(pages.first);
  EXPECT_EQ(runtime_->query(pages.first).kind, PointerInfo::Kind::foreign);
}

TEST_P(RuntimeContract, RefusesOverlappingRegistrationsAndInteriorUnregistration) {
  if (!runtime_->traits().host_register_supported) GTEST_SKIP() << "hostRegisterSupported is 0";
  const Pages pages(*runtime_);
  runtime_->register_host(pages.first, 4 * 4096);
  for (const std::ptrdiff_t offset : {std::ptrdiff_t{0}, std::ptrdiff_t{4096}}) {
    const auto error = error_of([&] { runtime_->register_host(pages.first + offset, 4096); });
    ASSERT_TRUE(error) << offset;
    EXPECT_EQ(error->kind(), ErrorKind::device);
    EXPECT_NE(std::string(error->what()).find("cudaErrorHostMemoryAlreadyRegistered"), std::string::npos)
        << error->what();
    EXPECT_NE(std::string(error->what()).find("4096 bytes"), std::string::npos) << error->what();
  }
  EXPECT_NE(message_of([&] { runtime_->unregister_host(pages.first + 4096); }), "");
  runtime_->unregister_host(pages.first);
  EXPECT_NE(message_of([&] { runtime_->unregister_host(pages.first); }), "");
}

TEST_P(RuntimeContract, CopiesRowsAndLeavesTheirPaddingAlone) {
  constexpr int kRows = 3, kRowBytes = 5, kPitch = 8;
  const std::vector<char> sent = counted(kRows * kPitch);
  void* block = runtime_->allocate(MemoryKind::device, kRows * kPitch);
  runtime_->fill(block, 0x11, kRows * kPitch, stream_);
  runtime_->copy_2d(block, kPitch, sent.data(), kPitch, kRowBytes, kRows, stream_);
  std::vector<char> expected(kRows * kPitch, 0x11);
  for (int y = 0; y < kRows; ++y) std::copy_n(&sent[y * kPitch], kRowBytes, &expected[y * kPitch]);
  EXPECT_EQ(fetch(block, kRows * kPitch), expected);

  // The last row needs no padding behind it, and rows may run upwards.
  std::vector<char> flipped((kRows - 1) * kPitch + kRowBytes, 0x22);
  runtime_->copy_2d(&flipped[(kRows - 1) * kPitch], -kPitch, block, kPitch, kRowBytes, kRows, stream_);
  runtime_->wait_stream(stream_);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kRowBytes; ++x) EXPECT_EQ(flipped[(kRows - 1 - y) * kPitch + x], sent[y * kPitch + x]);
  }
  EXPECT_EQ(flipped[kRowBytes], 0x22);
  EXPECT_TRUE(runtime_->free(MemoryKind::device, block));
}

TEST_P(RuntimeContract, CopiesNothingWhereThereIsNothing) {
  runtime_->copy(nullptr, nullptr, 0, stream_);
  runtime_->copy_2d(nullptr, 0, nullptr, 0, 0, 7, stream_);
  runtime_->copy_2d(nullptr, 0, nullptr, 0, 7, 0, stream_);
  runtime_->fill(nullptr, 1, 0, stream_);
  runtime_->wait_stream(stream_);
  void* block = runtime_->allocate(MemoryKind::device, 0);
  EXPECT_NE(block, nullptr);
  EXPECT_TRUE(runtime_->free(MemoryKind::device, block));
  EXPECT_TRUE(runtime_->free(MemoryKind::device, nullptr));
}

TEST_P(RuntimeContract, FillsWithAByte) {
  void* block = runtime_->allocate(MemoryKind::device, 1000);
  runtime_->fill(block, 1, 1000, stream_);
  runtime_->fill(at(block, 10), 0xFE, 5, stream_);
  std::vector<char> expected(1000, 1);
  std::fill_n(expected.begin() + 10, 5, static_cast<char>(0xFE));
  EXPECT_EQ(fetch(block, 1000), expected);
  EXPECT_TRUE(runtime_->free(MemoryKind::device, block));
}

TEST_P(RuntimeContract, OrdersOneStreamBehindAnother) {
  device::Stream second = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  EXPECT_TRUE(runtime_->finished(event)) << "an event that was never recorded holds nothing up";
  constexpr std::size_t kBytes = 1 << 20;
  void* block = runtime_->allocate(MemoryKind::device, kBytes);
  auto* host = static_cast<char*>(runtime_->allocate(MemoryKind::pinned, kBytes));
  for (int round = 1; round <= 20; ++round) {
    runtime_->fill(block, round, kBytes, stream_);
    runtime_->record(event, stream_);
    runtime_->stream_waits(second, event);
    runtime_->copy(host, block, kBytes, second);
    runtime_->wait_stream(second);
    EXPECT_TRUE(runtime_->finished(event));
    ASSERT_EQ(std::vector<char>(host, host + kBytes), std::vector<char>(kBytes, static_cast<char>(round)));
  }
  runtime_->wait_event(event);
  runtime_->free(MemoryKind::pinned, host);
  runtime_->free(MemoryKind::device, block);
  runtime_->destroy_event(event);
  runtime_->destroy_stream(second);
}

TEST_P(RuntimeContract, SaysOutOfMemoryWithTheBytesAskedFor) {
  const std::size_t too_much = std::size_t{1} << 50;
  const auto error = error_of([&] { runtime_->allocate(MemoryKind::device, too_much); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::out_of_memory);
  const std::string words = error->what();
  EXPECT_NE(words.find("cudaMalloc"), std::string::npos) << words;
  EXPECT_NE(words.find("cudaErrorMemoryAllocation"), std::string::npos) << words;
  EXPECT_NE(words.find(std::to_string(too_much) + " bytes"), std::string::npos) << words;
}

}  // namespace
}  // namespace zp::test
