// On a real GPU: what a destructor, a scalar's place and a caller's own kernel cost. Prints the figures.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "zeroplane/apply.h"
#include "zeroplane/device_view.h"
#include "zeroplane/image.h"
#include "zeroplane/memory.h"

namespace zp::test {
namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One line of figures on stdout and, where ZEROPLANE_RESULTS names a file, as a JSON line there.
void record(const char* what, double value, const char* unit) {
  std::printf("%s: %.6g %s\n", what, value, unit);
  if (const char* path = std::getenv("ZEROPLANE_RESULTS"))
    if (std::FILE* file = std::fopen(path, "a")) {
      std::fprintf(file, "{\"what\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"}\n", what, value, unit);
      std::fclose(file);
    }
}

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      initialize({.device = "cuda"});
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void TearDown() override { initialize({.device = "none"}); }
};

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

/// Cycles of a kernel that lasts about `ms`.
long long cycles_for(double ms) {
  spin<<<1, 1>>>(1000);
  cudaDeviceSynchronize();
  const double start = now_ms();
  spin<<<1, 1>>>(20'000'000);
  cudaDeviceSynchronize();
  return static_cast<long long>(20e6 * ms / (now_ms() - start));
}

TEST_F(Gpu, DestructorsDoNotWaitBehindARunningKernel) {
  const long long cycles = cycles_for(24.0);
  cudaStream_t other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  { Image warm(Format::f32, 4112, 3008); }
  std::vector<double> image_us, view_us;
  double old_ms = 0;
  for (int round = 0; round < 5; ++round) {
    auto image = std::make_unique<Image>(Format::f32, 4112, 3008);
    std::vector<float> foreign(1024 * 1024);
    auto view = std::make_unique<DeviceView<float>>(foreign.data(), foreign.size(), Access::out);
    spin<<<1, 1, 0, other>>>(cycles);
    double start = now_ms();
    image.reset();
    image_us.push_back((now_ms() - start) * 1e3);
    start = now_ms();
    view.reset();
    view_us.push_back((now_ms() - start) * 1e3);
    EXPECT_EQ(cudaStreamQuery(other), cudaErrorNotReady) << "the kernel had ended: nothing was shown";
    cudaStreamSynchronize(other);
  }
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, std::size_t(4112) * 3008 * 4, cudaHostAllocPortable), cudaSuccess);
  spin<<<1, 1, 0, other>>>(cycles);
  const double start = now_ms();
  cudaFreeHost(pinned);
  old_ms = now_ms() - start;
  cudaStreamSynchronize(other);
  cudaStreamDestroy(other);
  std::sort(image_us.begin(), image_us.end());
  std::sort(view_us.begin(), view_us.end());
  record("image destructor behind a 24 ms kernel", image_us[2], "us");
  record("DeviceView destructor behind a 24 ms kernel", view_us[2], "us");
  record("cudaFreeHost behind a 24 ms kernel", old_ms, "ms");
  EXPECT_LT(image_us[4], 12000.0);
  EXPECT_LT(view_us[4], 12000.0);
}

struct Scalars {
  unsigned int low, high;
  unsigned long long sum;
};

/// The old way to find minimum, maximum and mean: every thread an atomic on three scalars.
__global__ void contended(const unsigned char* in, std::size_t n, Scalars* s) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x) {
    atomicMin(&s->low, in[i]);
    atomicMax(&s->high, in[i]);
    atomicAdd(&s->sum, static_cast<unsigned long long>(in[i]));
  }
}

TEST_F(Gpu, ContendedScalarsBelongInScratch) {
  const std::size_t n = std::size_t(1) << 20;
  unsigned char* in;
  Scalars *scratch, *mapped, *mapped_device;
  ASSERT_EQ(cudaMalloc(&in, n), cudaSuccess);
  ASSERT_EQ(cudaMemset(in, 7, n), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&scratch, sizeof(Scalars)), cudaSuccess);
  ASSERT_EQ(cudaHostAlloc(&mapped, sizeof(Scalars), cudaHostAllocMapped), cudaSuccess);
  ASSERT_EQ(cudaHostGetDevicePointer(&mapped_device, mapped, 0), cudaSuccess);
  const auto time = [&](Scalars* s) {
    contended<<<256, 256>>>(in, n, s);
    cudaDeviceSynchronize();
    std::vector<double> ms;
    for (int k = 0; k < 5; ++k) {
      const double start = now_ms();
      contended<<<256, 256>>>(in, n, s);
      cudaDeviceSynchronize();
      ms.push_back(now_ms() - start);
    }
    std::sort(ms.begin(), ms.end());
    return ms[2];
  };
  const double fast = time(scratch), slow = time(mapped_device);
  record("min/max/mean of 1 Mi samples, scalars in scratch", fast, "ms");
  record("min/max/mean of 1 Mi samples, scalars in mapped memory", slow, "ms");
  record("mapped over scratch", slow / fast, "x");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_GT(slow, fast);
  cudaFree(in);
  cudaFree(scratch);
  cudaFreeHost(mapped);
}

__global__ void add_kernel(float* p, int n, float c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += c;
}

/// The wrapper of the README: the caller's own kernel behind an unchanged signature.
void add(float* image, int width, int height, float constant) {
  DeviceView<float> view(image, std::size_t(width) * std::size_t(height), Access::in_out);
  const int n = width * height;
  add_kernel<<<(n + 255) / 256, 256, 0, static_cast<cudaStream_t>(view.stream())>>>(view.device(), n, constant);
  view.commit();
}

TEST_F(Gpu, ACallersKernelWorksOnAnyMemory) {
  for (const char* model : {"discrete", "unified"}) {
    initialize({.device = "cuda", .memory_model = model});
    std::vector<float> foreign(640 * 480, 1.0f);
    {
      const CounterScope scope;
      add(foreign.data(), 640, 480, 2.0f);
      EXPECT_EQ(scope.counted().views_staged, 1u) << model;
      EXPECT_EQ(scope.counted().bytes_to_device, foreign.size() * 4) << model;
      EXPECT_EQ(scope.counted().bytes_to_host, foreign.size() * 4) << model;
    }
    EXPECT_EQ(std::count(foreign.begin(), foreign.end(), 3.0f), 640 * 480) << model;
    Image image(Format::f32, 640, 480);
    std::fill_n(static_cast<float*>(image.data()), 640 * 480, 1.0f);
    {
      const CounterScope scope;
      add(static_cast<float*>(image.data()), 640, 480, 2.0f);
      EXPECT_EQ(scope.counted().views_in_place, 1u) << model;
      EXPECT_EQ(scope.counted().views_staged, 0u) << model;
    }
    const float* p = static_cast<const float*>(image.data());
    EXPECT_EQ(std::count(p, p + 640 * 480, 3.0f), 640 * 480) << model;
  }
}

TEST_F(Gpu, TheCallersDeviceAndLastErrorAreLeftAsFound) {
  int before = -1, after = -1;
  ASSERT_EQ(cudaGetDevice(&before), cudaSuccess);
  void* nothing = nullptr;
  ASSERT_NE(cudaMalloc(&nothing, std::size_t(1) << 60), cudaSuccess);  // leaves an error behind, on purpose
  std::vector<float> foreign(1 << 20, 1.0f);
  add(foreign.data(), 1024, 1024, 1.0f);
  ASSERT_EQ(cudaGetDevice(&after), cudaSuccess);
  EXPECT_EQ(before, after);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

}  // namespace
}  // namespace zp::test
