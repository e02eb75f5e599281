// The CUDA executor: the kernels of the five shapes and their launch arithmetic.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_EXEC_CUDA_CUH
#define ZP_EXEC_CUDA_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "core/program.h"
#include "exec/workspace.h"

namespace zp::exec {

namespace kernel {

/// A word that one thread moves at once.
template <class T, int V>
struct alignas(sizeof(T) * V) Word {
  T v[V];
};

template <class T>
ZP_HD bool aligned(const T* p, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

template <int V, class F, class U, class... T>
__device__ __forceinline__ void point_run(const F& f, std::int64_t n, U* out, const T*... in) {
  const std::int64_t stride = std::int64_t(gridDim.x) * blockDim.x * V;
  const bool wide = aligned(out, sizeof(U) * V) && (aligned(in, sizeof(T) * V) && ...);
  for (std::int64_t i = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * V; i < n; i += stride) {
    if (wide && i + V <= n) {
      const std::tuple words{*reinterpret_cast<const Word<T, V>*>(in + i)...};
      Word<U, V> result;
#pragma unroll
      for (int k = 0; k < V; ++k)
        result.v[k] = std::apply([&](const auto&... w) { return point_sample<U>(f, w.v[k]...); }, words);
      *reinterpret_cast<Word<U, V>*>(out + i) = result;
    } else {
      for (int k = 0; k < V && i + k < n; ++k) out[i + k] = point_sample<U>(f, in[i + k]...);
    }
  }
}

/// Samples in `rows` rows of `n`; one row of everything where all planes are tight.
template <int V, class F, class U, class... T>
__global__ void point_rows(const __grid_constant__ F f, std::int64_t n, int rows, View<U> out, View<const T>... in) {
  for (int y = blockIdx.y; y < rows; y += gridDim.y) point_run<V>(f, n, out.row(y), in.row(y)...);
}

template <class F, class U, class... T>
__global__ void point_broadcast(const __grid_constant__ F f, View<U> out, View<const T>... in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (int y = blockIdx.y; y < out.height; y += gridDim.y)
    for (int c = 0; c < out.channels; ++c)
      out.at(x, y, c) = point_sample<U>(f, in.at(x, y, in.channels == out.channels ? c : 0)...);
}

template <class F, class U, class T>
__global__ void point_pixels(const __grid_constant__ F f, View<U> out, View<const T> in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (int y = blockIdx.y; y < out.height; y += gridDim.y) {
    if (in.channels == F::in_channels)
      point_pixel(f, in.row(y) + std::ptrdiff_t(x) * F::in_channels, F::in_channels,
                  out.row(y) + std::ptrdiff_t(x) * F::out_channels);
    else
      point_pixel(f, &in.at(x, y), in.channels, &out.at(x, y));
  }
}

template <class F, int N, class U, class T>
__global__ void gather_pixels(const __grid_constant__ F f, View<U> out, View<const T> in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  const Source<T, N> source{in};
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < out.height; y += gridDim.y * blockDim.y)
    store_pixel(&out.at(x, y), f(source, x, y));
}

template <class T>
struct TileWindow {
  using Sample = T;
  const T* centre;
  int pitch, channels;
  ZP_HD T operator()(int dx, int dy) const { return centre[dy * pitch + dx * channels]; }
};

inline constexpr int kStencilWidth = 64, kStencilHeight = 8;  // samples

/// One tile of samples with its halo in shared memory: every byte of the plane is loaded about once.
template <class F, class U, class T>
__global__ void stencil_tiles(const __grid_constant__ F f, View<U> out, View<const T> in, Border border, T outside,
                              Extent radius) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* tile = reinterpret_cast<T*>(shared_bytes);
  const int channels = in.channels, samples = in.width * channels, reach = radius.width * channels;
  const int pitch = kStencilWidth + 2 * reach, lines = kStencilHeight + 2 * radius.height;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  const int i0 = blockIdx.x * kStencilWidth;
  for (std::int64_t y0 = std::int64_t(blockIdx.y) * kStencilHeight; y0 < out.height;
       y0 += std::int64_t(gridDim.y) * kStencilHeight) {
    for (int k = thread; k < pitch * lines; k += threads) {
      const int i = i0 + k % pitch - reach;
      // Floor division: samples left of the plane belong to negative pixels.
      const int x = i >= 0 ? i / channels : -((channels - 1 - i) / channels), c = i - x * channels;
      const int sx = border_index(x, in.width, border);
      const int sy = border_index(int(y0) + k / pitch - radius.height, in.height, border);
      tile[k] = sx < 0 || sy < 0 ? outside : in.row(sy)[std::ptrdiff_t(sx) * channels + c];
    }
    __syncthreads();
    const int y = int(y0) + threadIdx.y;
    if (y < out.height)
      for (int k = threadIdx.x; k < kStencilWidth && i0 + k < samples; k += blockDim.x)
        out.row(y)[i0 + k] = stencil_sample<U>(
            f, TileWindow<T>{tile + (threadIdx.y + radius.height) * pitch + reach + k, pitch, channels}, radius);
    __syncthreads();
  }
}

template <class F, class U, class T>
__global__ void stencil_direct(const __grid_constant__ F f, View<U> out, View<const T> in, Border border, T outside,
                               Extent radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (int y = blockIdx.y; y < out.height; y += gridDim.y)
    for (int c = 0; c < out.channels; ++c)
      out.at(x, y, c) = stencil_sample<U>(f, BorderedWindow<T>{in, x, y, c, border, outside}, radius);
}

template <class F>
__device__ void join_lanes(const F& f, typename F::Value* lane, typename F::Value* to) {
  const int t = threadIdx.x;
  __syncthreads();
  for (int step = kReduceLanes / 2; step > 0; step /= 2) {
    if (t < step) lane[t] = f.join(lane[t], lane[t + step]);
    __syncthreads();
  }
  if (t == 0) *to = lane[0];
}

template <class F, class T>
__global__ void reduce_pixels(const __grid_constant__ F f, View<const T> in, int channel, typename F::Value* to) {
  __shared__ typename F::Value lane[kReduceLanes];
  typename F::Value v = f.zero();
  const std::int64_t pixels = std::int64_t(in.width) * in.height, first = std::int64_t(blockIdx.x) * kReduceChunk;
  for (int i = threadIdx.x; i < kReduceChunk; i += kReduceLanes) {
    const std::int64_t p = first + i;
    if (p < pixels) f.lift(v, in.at(int(p % in.width), int(p / in.width), channel), p);
  }
  lane[threadIdx.x] = v;
  join_lanes(f, lane, to + blockIdx.x);
}

template <class F>
__global__ void reduce_values(const __grid_constant__ F f, const typename F::Value* from, std::int64_t count,
                              typename F::Value* to) {
  __shared__ typename F::Value lane[kReduceLanes];
  typename F::Value v = f.zero();
  const std::int64_t first = std::int64_t(blockIdx.x) * kReduceChunk;
  for (int i = threadIdx.x; i < kReduceChunk && first + i < count; i += kReduceLanes) v = f.join(v, from[first + i]);
  lane[threadIdx.x] = v;
  join_lanes(f, lane, to + blockIdx.x);
}

template <class Body, int... P>
__device__ __forceinline__ void tile(const Body& body, Block2 block, typename Body::Shared& shared,
                                     std::integer_sequence<int, P...>) {
  ((body.template phase<P>(block, shared), __syncthreads()), ...);
}
template <class Body>
__global__ void __launch_bounds__(Body::threads) tile_program(const __grid_constant__ Body body, int grid_x) {
  __shared__ typename Body::Shared shared;
  tile(body, Block2{int(blockIdx.x % grid_x), int(blockIdx.x / grid_x), int(threadIdx.x)}, shared,
       std::make_integer_sequence<int, Body::phases>{});
}

template <class T>
__device__ __forceinline__ void load_run(const T* p, int count, float (&v)[kRun]) {
  constexpr int V = int(16 / sizeof(T)) < kRun ? int(16 / sizeof(T)) : kRun;
  if (count == kRun && aligned(p, sizeof(T) * V)) {
#pragma unroll
    for (int w = 0; w < kRun / V; ++w) {
      const Word<T, V> word = reinterpret_cast<const Word<T, V>*>(p)[w];
#pragma unroll
      for (int k = 0; k < V; ++k) v[w * V + k] = register_of(word.v[k]);
    }
  } else {
#pragma unroll
    for (int k = 0; k < kRun; ++k) v[k] = k < count ? register_of(p[k]) : 0.0f;
  }
}
template <class T>
__device__ __forceinline__ void store_run(T* p, int count, const float (&v)[kRun]) {
  constexpr int V = int(16 / sizeof(T)) < kRun ? int(16 / sizeof(T)) : kRun;
  if (count == kRun && aligned(p, sizeof(T) * V)) {
#pragma unroll
    for (int w = 0; w < kRun / V; ++w) {
      Word<T, V> word;
#pragma unroll
      for (int k = 0; k < V; ++k) word.v[k] = sample_of<T>(v[w * V + k]);
      reinterpret_cast<Word<T, V>*>(p)[w] = word;
    }
  } else {
#pragma unroll
    for (int k = 0; k < kRun; ++k)
      if (k < count) p[k] = sample_of<T>(v[k]);
  }
}

/// `rows` rows of `n` samples, kRun of them in the registers of a thread while `body` works on them.
template <class Body>
__global__ void __launch_bounds__(256)
    sample_runs(const __grid_constant__ Body body, std::int64_t n, int rows, PlaneView out, ConstPlaneView in) {
  const std::int64_t stride = std::int64_t(gridDim.x) * blockDim.x * kRun;
  for (int y = blockIdx.y; y < rows; y += gridDim.y) {
    const char* from = static_cast<const char*>(in.data) + std::ptrdiff_t(y) * in.pitch;
    char* to = static_cast<char*>(out.data) + std::ptrdiff_t(y) * out.pitch;
    for (std::int64_t i = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * kRun; i < n; i += stride) {
      const int count = n - i < kRun ? int(n - i) : kRun;
      float v[kRun];
      if (in.shape.format == Format::u8)
        load_run(reinterpret_cast<const std::uint8_t*>(from) + i, count, v);
      else if (in.shape.format == Format::u16)
        load_run(reinterpret_cast<const std::uint16_t*>(from) + i, count, v);
      else
        load_run(reinterpret_cast<const float*>(from) + i, count, v);
      body(v);
      if (out.shape.format == Format::u8)
        store_run(reinterpret_cast<std::uint8_t*>(to) + i, count, v);
      else if (out.shape.format == Format::u16)
        store_run(reinterpret_cast<std::uint16_t*>(to) + i, count, v);
      else
        store_run(reinterpret_cast<float*>(to) + i, count, v);
    }
  }
}

}  // namespace kernel

class Cuda : public Common {
 public:
  static constexpr std::string_view name = "cuda";
  using Common::Common;

  template <class F, class U, class... T>
  void point(const F& f, View<U> out, View<const T>... in) {
    if (out.width <= 0 || out.height <= 0) return;
    if constexpr (PixelFunctor<F>) {
      launch("point", kernel::point_pixels<F, U, T...>, line_grid(out), dim3(kLine), 0, f, out, in...);
    } else if (((in.channels == out.channels) && ...)) {
      constexpr int V = int(16 / std::max({sizeof(U), sizeof(T)...}));
      const bool tight = out.pitch == row_bytes(out) && ((in.pitch == row_bytes(in)) && ...);
      const std::int64_t row = std::int64_t(out.width) * out.channels;
      const std::int64_t n = tight ? row * out.height : row;
      const int rows = tight ? 1 : out.height;
      const dim3 grid(unsigned(std::min<std::int64_t>((n + kLine * V - 1) / (kLine * V), 1 << 20)),
                      unsigned(std::min(rows, 65535)));
      launch("point", kernel::point_rows<V, F, U, T...>, grid, dim3(kLine), 0, f, n, rows, out, in...);
    } else {
      launch("point", kernel::point_broadcast<F, U, T...>, line_grid(out), dim3(kLine), 0, f, out, in...);
    }
  }

  template <class F, class U, class T>
  void gather(const F& f, View<U> out, View<const T> in) {
    if (out.width <= 0 || out.height <= 0) return;
    with_channels<F>(in.channels, [&](auto n) {
      const dim3 grid(unsigned((out.width + 31) / 32), unsigned(std::min((out.height + 7) / 8, 65535)));
      launch("gather", kernel::gather_pixels<F, decltype(n)::value, U, T>, grid, dim3(32, 8), 0, f, out, in);
    });
  }

  template <class F, class U, class T>
  void stencil(const F& f, View<U> out, View<const T> in, Border border, float outside = 0.0f) {
    if (out.width <= 0 || out.height <= 0) return;
    const Extent radius = f.radius();
    const T fill = to_sample<T>(outside);
    const std::int64_t samples = std::int64_t(in.width) * in.channels;
    const std::size_t bytes = sizeof(T) * std::size_t(kernel::kStencilWidth + 2 * radius.width * in.channels) *
                              std::size_t(kernel::kStencilHeight + 2 * radius.height);
    if (bytes <= kSharedBytes && samples < (std::int64_t(1) << 31) - kernel::kStencilWidth) {
      const dim3 grid(unsigned((samples + kernel::kStencilWidth - 1) / kernel::kStencilWidth),
                      unsigned(std::min((out.height + kernel::kStencilHeight - 1) / kernel::kStencilHeight, 65535)));
      launch("stencil", kernel::stencil_tiles<F, U, T>, grid, dim3(32, kernel::kStencilHeight), bytes, f, out, in,
             border, fill, radius);
    } else {
      launch("stencil", kernel::stencil_direct<F, U, T>, line_grid(out), dim3(kLine), 0, f, out, in, border, fill,
             radius);
    }
  }

  template <class F, class T>
  typename F::Value reduce(const F& f, View<const T> in, int channel = 0) {
    using Value = typename F::Value;
    const std::int64_t pixels = std::int64_t(in.width) * in.height;
    if (pixels == 0) return f.zero();
    std::int64_t count = chunks_of(pixels);
    Value* values = scratch<Value>(std::size_t(count));
    launch("reduce", kernel::reduce_pixels<F, T>, dim3(unsigned(count)), dim3(kReduceLanes), 0, f, in, channel, values);
    while (count > 1) {
      const std::int64_t next = chunks_of(count);
      Value* joined = scratch<Value>(std::size_t(next));
      launch("reduce", kernel::reduce_values<F>, dim3(unsigned(next)), dim3(kReduceLanes), 0, f,
             static_cast<const Value*>(values), count, joined);
      values = joined;
      count = next;
    }
    return download(static_cast<const Value*>(values));
  }

  template <class Body>
  void tiles(const Body& body, int grid_x, int grid_y) {
    const std::int64_t count = std::int64_t(grid_x) * grid_y;
    if (count <= 0) return;
    static_assert(sizeof(typename Body::Shared) <= kSharedBytes);
    launch("tiles", kernel::tile_program<Body>, dim3(unsigned(count)), dim3(Body::threads), 0, body, grid_x);
  }

  /// body(v) for kRun samples at a time, as floats; planes of equal size and channels, u8, u16 or f32 each.
  template <class Body>
  void samples(const Body& body, const PlaneView& out, const ConstPlaneView& in) {
    if (out.shape.empty()) return;
    const bool tight = in.tight() && out.tight();
    const std::int64_t row = std::int64_t(out.shape.width) * out.shape.channels;
    const std::int64_t n = tight ? row * out.shape.height : row;
    const int rows = tight ? 1 : out.shape.height;
    const dim3 grid(unsigned(std::min<std::int64_t>((n + kLine * kRun - 1) / (kLine * kRun), 1 << 20)),
                    unsigned(std::min(rows, 65535)));
    launch("program", kernel::sample_runs<Body>, grid, dim3(kLine), 0, body, n, rows, out, in);
  }

 private:
  static constexpr int kLine = 256;
  static constexpr std::size_t kSharedBytes = 48 * 1024;  // what every device grants without asking

  template <class T>
  static std::ptrdiff_t row_bytes(const View<T>& v) {
    return std::ptrdiff_t(v.width) * v.channels * std::ptrdiff_t(sizeof(T));
  }
  template <class T>
  static dim3 line_grid(const View<T>& v) {
    return dim3(unsigned((v.width + kLine - 1) / kLine), unsigned(std::min(v.height, 65535)));
  }

  template <class Kernel, class... Args>
  void launch(std::string_view label, Kernel kernel, dim3 grid, dim3 block, std::size_t shared, const Args&... args) {
    workspace_->launched();
    // The stream belongs to the runtime's device; the caller's current device is put back.
    int current = 0;
    const int wanted = workspace_->runtime()->traits().ordinal;
    check(cudaGetDevice(&current), label);
    if (current != wanted) check(cudaSetDevice(wanted), label);
    workspace_->runtime()->launch(workspace_->stream(), label, {});
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = static_cast<cudaStream_t>(workspace_->stream());
    const cudaError_t error = cudaLaunchKernelEx(&config, kernel, args...);
    if (error != cudaSuccess) (void)cudaGetLastError();
    if (current != wanted) (void)cudaSetDevice(current);
    check(error, label);
  }

  static void check(cudaError_t error, std::string_view label) {
    if (error != cudaSuccess)
      throw Error(ErrorKind::device, "launch of " + std::string(label) + ": " + cudaGetErrorName(error) + ", " +
                                         cudaGetErrorString(error));
  }
};

}  // namespace zp::exec

#endif
