// The real runtime: why it is not there, or that it leaves the caller's device and last error alone.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "support/device_child.h"
#include "support/device_runtimes.h"

// Weak, because a build without CUDA has none of them.
extern "C" __attribute__((weak)) int cudaPeekAtLastError();
extern "C" __attribute__((weak)) int cudaGetLastError();
extern "C" __attribute__((weak)) int cudaGetDevice(int*);
extern "C" __attribute__((weak)) int cudaSetDevice(int);

namespace zp::test {
namespace {

constexpr int kInvalidDevice = 101;

TEST(CudaRuntime, IsCudaOrNoneWithAReason) {
  const auto runtime = device::make_cuda(-1);
  if (runtime->absence().empty()) {
    EXPECT_EQ(runtime->name(), "cuda");
    EXPECT_TRUE(device::cuda_built_in());
  } else {
    EXPECT_EQ(runtime->name(), "none");
  }
}

TEST(CudaRuntime, WithoutADeviceSaysWhyInWords) {
  const auto runtime = device::make_cuda(-1);
  if (runtime->absence().empty()) GTEST_SKIP() << "there is a device: " << runtime->traits().name;
  const std::string words = runtime->absence();
  if (!device::cuda_built_in()) {
    EXPECT_EQ(words, "built without CUDA");
    return;
  }
  const bool known = words.rfind("no driver", 0) == 0 || words.rfind("no device", 0) == 0 ||
                     words.rfind("stub library", 0) == 0 || words.rfind("driver older than runtime", 0) == 0;
  EXPECT_TRUE(known) << words;
}

TEST(CudaRuntime, ProbingLeavesTheLastErrorAsFound) {
  if (cudaPeekAtLastError == nullptr) GTEST_SKIP() << "built without CUDA";
  const int before = cudaPeekAtLastError();
  device::make_cuda(-1);
  device::make_cuda(1000);
  EXPECT_EQ(cudaPeekAtLastError(), before);
}

TEST(CudaRuntime, ChildOfForkIsToldWhyItHasNoDevice) {
  const auto runtime = device::make_cuda(-1);
  const bool present = runtime->absence().empty();
  const std::string parents = runtime->absence();
  const ChildEnd end = run_in_child([&] {
    if (!present) return device::make_cuda(-1)->absence() == parents ? 0 : 1;
    if (runtime->absence().rfind("after fork", 0) != 0) return 2;
    if (device::make_cuda(-1)->absence().rfind("after fork", 0) != 0) return 3;
    if (message_of([&] { runtime->allocate(MemoryKind::device, 1); }).find("after fork") == std::string::npos) return 4;
    return 0;
  });
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.exit_code, 0);
}

class CudaDevice : public testing::Test {
 protected:
  void SetUp() override {
    runtime_ = device::make_cuda(-1);
    if (!runtime_->absence().empty()) GTEST_SKIP() << runtime_->absence();
    if (cudaGetLastError == nullptr) GTEST_SKIP() << "the CUDA runtime lies hidden in the shared library";
  }
  void TearDown() override {
    if (cudaGetLastError != nullptr) cudaGetLastError();
  }
  std::shared_ptr<device::Runtime> runtime_;
};

TEST_F(CudaDevice, IsDescribed) {
  EXPECT_GE(runtime_->traits().driver_version, runtime_->traits().runtime_version / 1000 * 1000);
  EXPECT_GT(runtime_->traits().runtime_version, 12000);
  EXPECT_TRUE(runtime_->traits().can_map_host_memory);
}

TEST_F(CudaDevice, OrdinalBeyondTheLastIsRefusedByNumber) {
  const auto runtime = device::make_cuda(1000);
  EXPECT_EQ(runtime->name(), "none");
  EXPECT_EQ(runtime->absence().rfind("no device 1000", 0), 0u) << runtime->absence();
}

TEST_F(CudaDevice, FailedCallsLeaveNoErrorBehind) {
  ASSERT_EQ(cudaGetLastError(), 0);
  char mine[64];
  EXPECT_THROW(runtime_->unregister_host(mine), Error);
  EXPECT_EQ(cudaPeekAtLastError(), 0);
  EXPECT_THROW(runtime_->allocate(MemoryKind::device, std::size_t{1} << 50), Error);
  EXPECT_EQ(cudaPeekAtLastError(), 0);
  EXPECT_FALSE(runtime_->free(MemoryKind::device, mine));
  EXPECT_EQ(cudaPeekAtLastError(), 0);
  runtime_->query(mine);
  EXPECT_EQ(cudaPeekAtLastError(), 0);
}

TEST_F(CudaDevice, ErrorOfTheCallerStaysAnError) {
  EXPECT_NE(cudaSetDevice(9999), 0);
  ASSERT_EQ(cudaPeekAtLastError(), kInvalidDevice);
  void* block = runtime_->allocate(MemoryKind::device, 64);
  EXPECT_TRUE(runtime_->free(MemoryKind::device, block));
  const device::Stream stream = runtime_->create_stream();
  runtime_->wait_stream(stream);
  runtime_->destroy_stream(stream);
  EXPECT_EQ(cudaPeekAtLastError(), kInvalidDevice);
  char mine[64];
  EXPECT_THROW(runtime_->unregister_host(mine), Error);
  EXPECT_NE(cudaPeekAtLastError(), 0);
}

TEST_F(CudaDevice, UnfinishedEventIsNoError) {
  const device::Stream stream = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  constexpr std::size_t kBytes = std::size_t{256} << 20;
  void* block = runtime_->allocate(MemoryKind::device, kBytes);
  int unfinished = 0;
  for (int i = 0; i < 20; ++i) runtime_->fill(block, i, kBytes, stream);
  runtime_->record(event, stream);
  while (!runtime_->finished(event)) ++unfinished;
  EXPECT_GT(unfinished, 0);
  EXPECT_EQ(cudaPeekAtLastError(), 0);
  runtime_->free(MemoryKind::device, block);
  runtime_->destroy_event(event);
  runtime_->destroy_stream(stream);
}

TEST_F(CudaDevice, LaunchRunsItsBodyAtOnceWithTheDeviceCurrent) {
  const device::Stream stream = runtime_->create_stream();
  int current = -1;
  runtime_->launch(stream, "ask", [&] { cudaGetDevice(&current); });
  EXPECT_EQ(current, runtime_->traits().ordinal);
  runtime_->launch(stream, "ask", {});
  runtime_->destroy_stream(stream);
}

TEST_F(CudaDevice, HasNoSimulatedAddresses) {
  void* block = runtime_->allocate(MemoryKind::device, 64);
  EXPECT_FALSE(runtime_->is_device_address(block));
  EXPECT_THROW(runtime_->translate(block, 1), Error);
  EXPECT_THROW(runtime_->reachable(block), Error);
  runtime_->free(MemoryKind::device, block);
}

TEST_F(CudaDevice, SecondDeviceWorksWhileTheCallerKeepsTheFirst) {
  const auto second = device::make_cuda(1);
  if (!second->absence().empty()) GTEST_SKIP() << second->absence();
  ASSERT_EQ(cudaSetDevice(0), 0);
  const device::Stream stream = second->create_stream();
  void* block = second->allocate(MemoryKind::device, 4);
  second->fill(block, 3, 4, stream);
  char found[4] = {};
  second->copy(found, block, 4, stream);
  second->wait_stream(stream);
  EXPECT_EQ(found[3], 3);
  EXPECT_EQ(second->query(block).kind, PointerInfo::Kind::device);
  EXPECT_EQ(runtime_->query(block).kind, PointerInfo::Kind::other_device);
  second->free(MemoryKind::device, block);
  second->destroy_stream(stream);
  int current = -1;
  cudaGetDevice(&current);
  EXPECT_EQ(current, 0);
}

}  // namespace
}  // namespace zp::test
