// On a real GPU: Sequences over wrappers with kernels of the caller, on the caller's stream, captured into a graph.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ops/contrast/clahe.h"
#include "ops/filter/gaussian.h"
#include "ops/filter/sobel.h"
#include "ops/geometry/resize.h"
#include "ops/point/add_constant.h"
#include "ops/point/invert.h"
#include "ops/statistics/mean.h"
#include "zeroplane/apply.h"
#include "zeroplane/device_view.h"
#include "zeroplane/hash.h"
#include "zeroplane/image.h"
#include "zeroplane/memory.h"
#include "zeroplane/sequence.h"

namespace zp::test {
namespace {

class GpuSequence : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      initialize({.device = "cuda", .memory_model = GetParam()});
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void TearDown() override { initialize({.device = "none"}); }
};

__global__ void add_kernel(float* samples, std::size_t count, float constant) {
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x)
    samples[i] += constant;
}

/// A wrapper as users have it.
void add(float* samples, std::size_t count, float constant) {
  DeviceView<float> view(samples, count, Access::in_out);
  add_kernel<<<256, 256, 0, static_cast<cudaStream_t>(view.stream())>>>(view.device(), count, constant);
  view.commit();
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> samples(count);
  std::iota(samples.begin(), samples.end(), 0.0f);
  return samples;
}

TEST_P(GpuSequence, WrappersStayOnTheDevice) {
  constexpr std::size_t kCount = 1 << 20;
  auto foreign = ramp(kCount);
  Image image(Format::f32, 1024, 1024);
  std::copy(foreign.begin(), foreign.end(), static_cast<float*>(image.data()));
  const CounterScope scope;
  Sequence sequence;
  for (int k = 0; k < 7; ++k) {
    add(foreign.data(), kCount, 1.0f);
    add(static_cast<float*>(image.data()), kCount, 1.0f);
  }
  sequence.finish();
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(foreign[i], float(i) + 7) << i;
    ASSERT_EQ(static_cast<const float*>(image.data())[i], float(i) + 7) << i;
  }
  const Counters counted = scope.counted();
  EXPECT_EQ(counted.waits, 1u);
  if (memory_model() == MemoryModel::discrete) {
    EXPECT_EQ(counted.bytes_to_device, 2 * kCount * 4);
    EXPECT_EQ(counted.bytes_to_host, 2 * kCount * 4);
  } else if (memory_model() == MemoryModel::unified) {
    EXPECT_EQ(counted.bytes_to_device, kCount * 4);  // the foreign one
  }
}

TEST_P(GpuSequence, SeveralThreadsOfOperationsGiveTheSameBits) {
  Image frame(Format::u16, 1111, 777);
  for (std::size_t i = 0; i < frame.shape().samples(); ++i)
    static_cast<std::uint16_t*>(frame.data())[i] = std::uint16_t(i * 2654435761u >> 16);
  const auto chain = [&] {
    Image smooth = apply(Gaussian{.sigma = 1.5f}, frame);
    apply(Gaussian{.sigma = 1.0f}, smooth, smooth);
    return apply(Clahe{}, apply(Resize{.scale = 0.5}, apply(Invert{}, smooth)));
  };
  std::uint64_t expected = 0;
  {
    const ExecutorScope cpu(Executor::cpu);
    expected = hash(chain().view());
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        Sequence sequence;
        const Image result = chain();
        sequence.finish();
        EXPECT_EQ(hash(result.view()), expected);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_P(GpuSequence, OperationsAreCapturedIntoAGraph) {
  const PlaneShape shape{640, 481, 1, Format::f32};
  const std::size_t bytes = shape.row_bytes() * std::size_t(shape.height);
  Image source(shape);
  for (std::size_t i = 0; i < shape.samples(); ++i) static_cast<float*>(source.data())[i] = float(i % 977) * 0.25f;
  Image expected;
  {
    const ExecutorScope cpu(Executor::cpu);
    expected = apply(AddConstant{.constant = 2}, apply(Sobel{}, apply(Gaussian{.sigma = 1.2f}, source)));
  }
  void *in = nullptr, *between = nullptr, *out = nullptr;
  for (void** plane : {&in, &between, &out}) ASSERT_EQ(cudaMalloc(plane, bytes), cudaSuccess);
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  cudaGraph_t graph = nullptr;
  {
    Sequence sequence({.stream = stream});
    const PlaneView from(in, shape), middle(between, shape), to(out, shape);
    apply(Gaussian{.sigma = 1.2f}, {from}, middle);
    apply(Sobel{}, {middle}, to);
    apply(AddConstant{.constant = 2}, {to}, to);
    // What would have to wait or to be staged is refused, and the capture goes on.
    std::vector<float> foreign(shape.samples());
    EXPECT_THROW(apply(AddConstant{.constant = 1}, foreign.data(), shape.width, shape.height), Error);
    const ConstPlaneView reads = middle;
    EXPECT_THROW(apply(Mean{}, reads), Error);
    sequence.finish();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphExec_t runnable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&runnable, graph, 0), cudaSuccess);
    Image result(shape);
    for (int round = 0; round < 3; ++round) {
      ASSERT_EQ(cudaMemcpyAsync(in, source.data(), bytes, cudaMemcpyHostToDevice, stream), cudaSuccess);
      ASSERT_EQ(cudaMemsetAsync(out, 0xCB, bytes, stream), cudaSuccess);
      ASSERT_EQ(cudaGraphLaunch(runnable, stream), cudaSuccess);
      ASSERT_EQ(cudaMemcpyAsync(result.data(), out, bytes, cudaMemcpyDeviceToHost, stream), cudaSuccess);
      ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      EXPECT_EQ(hash(result.view()), hash(expected.view()));
    }
    cudaGraphExecDestroy(runnable);
  }
  cudaGraphDestroy(graph);
  for (void* plane : {in, between, out}) cudaFree(plane);
  // On planes that the device shares, without a copy.
  if (memory_model() == MemoryModel::unified) {
    Image image(shape);
    std::copy_n(static_cast<const float*>(source.data()), shape.samples(), static_cast<float*>(image.data()));
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    Sequence sequence({.stream = stream});
    apply(AddConstant{.constant = 1}, image, image);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphExec_t runnable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&runnable, graph, 0), cudaSuccess);
    for (int round = 0; round < 3; ++round) ASSERT_EQ(cudaGraphLaunch(runnable, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    for (std::size_t i = 0; i < shape.samples(); ++i)
      ASSERT_EQ(static_cast<const float*>(image.data())[i], float(i % 977) * 0.25f + 3) << i;
    cudaGraphExecDestroy(runnable);
    cudaGraphDestroy(graph);
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  cudaStreamDestroy(stream);
}

TEST_P(GpuSequence, OthersAllocateAndFreeDuringACapture) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  trim_pools();
  std::string logged;
  set_log_callback([&](std::string_view line) { logged = line; });
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  std::thread([] {
    const Image image(Format::f32, 500, 333);
    Image result = apply(AddConstant{.constant = 1}, image);
    result = Image();
    trim_pools();
  }).join();
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(logged, "");
  set_log_callback(nullptr);
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

INSTANTIATE_TEST_SUITE_P(Models, GpuSequence, ::testing::Values("discrete", "unified"));

}  // namespace
}  // namespace zp::test
