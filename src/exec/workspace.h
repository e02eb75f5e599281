// What every executor offers beside its loops: scratch memory, small transfers. The floor above implements it.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_EXEC_WORKSPACE_H
#define ZP_EXEC_WORKSPACE_H

#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/op.h"
#include "device/runtime.h"

namespace zp::exec {

/// Memory and stream of one call of an operation.
class Workspace {
 public:
  virtual ~Workspace() = default;
  /// Bytes at an address of the executor, 256-byte aligned, unspecified contents, valid until the call ends.
  virtual void* scratch(std::size_t bytes) = 0;
  virtual void fill(void* to, int byte, std::size_t bytes) = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;    ///< `from` may be reused on return
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;  ///< waits
  virtual device::Runtime* runtime() noexcept = 0;                           ///< null on the CPU
  virtual device::Stream stream() noexcept = 0;
  virtual void launched() noexcept = 0;  ///< counts a launch
};

/// The part of an executor that does not depend on how its loops run.
class Common {
 public:
  explicit Common(Workspace& workspace) : workspace_(&workspace) {}

  template <class T>
  T* scratch(std::size_t count) {
    return static_cast<T*>(workspace_->scratch(count * sizeof(T)));
  }
  /// A temporary plane, tight rows, unspecified contents.
  template <class T>
  View<T> plane(int width, int height, int channels = 1) {
    return View<T>(scratch<T>(std::size_t(width) * std::size_t(height) * std::size_t(channels)), width, height,
                   channels);
  }
  /// Every byte of [p, p + count) becomes `byte`.
  template <class T>
  void fill(T* p, std::size_t count, int byte = 0) {
    if (count) workspace_->fill(p, byte, count * sizeof(T));
  }
  template <class T>
  const T* upload(std::span<const T> values) {
    T* p = scratch<T>(values.size());
    if (!values.empty()) workspace_->upload(p, values.data(), values.size_bytes());
    return p;
  }
  template <class T>
  const T* upload(const std::vector<T>& values) {
    return upload(std::span<const T>(values));
  }
  /// Waits for what was launched, then copies to the host.
  template <class T>
  std::vector<T> download(const T* p, std::size_t count) {
    std::vector<T> values(count);
    if (count) workspace_->download(values.data(), p, count * sizeof(T));
    return values;
  }
  template <class T>
  T download(const T* p) {
    T value;
    workspace_->download(&value, p, sizeof(T));
    return value;
  }

 protected:
  /// The lanes of a chunk join by halves.
  template <class F, class Lane>
  static typename F::Value join_lanes(const F& f, Lane& lane) {
    for (std::size_t step = kReduceLanes / 2; step > 0; step /= 2)
      for (std::size_t t = 0; t < step; ++t) lane[t] = f.join(lane[t], lane[t + step]);
    return lane[0];
  }

  Workspace* workspace_;
};

/// Reduction tree: number of chunks over `count` values.
inline std::int64_t chunks_of(std::int64_t count) { return (count + kReduceChunk - 1) / kReduceChunk; }

/// Calls f(std::integral_constant<int, N>) with the channel count, among those that functor F takes.
template <class F, class Call>
void with_channels(int channels, Call&& call) {
  if constexpr (requires { F::channels; }) {
    call(std::integral_constant<int, F::channels>{});
  } else {
    switch (channels) {
      case 1:
        call(std::integral_constant<int, 1>{});
        break;
      case 2:
        call(std::integral_constant<int, 2>{});
        break;
      case 3:
        call(std::integral_constant<int, 3>{});
        break;
      default:
        call(std::integral_constant<int, 4>{});
        break;
    }
  }
}

/// Stores a gathered pixel.
template <class U, class V, int M>
ZP_HD void store_pixel(U* out, const Pixel<V, M>& p) {
  for (int c = 0; c < M; ++c) {
    if constexpr (std::is_same_v<V, U>)
      out[c] = p[c];
    else
      out[c] = to_sample<U>(static_cast<float>(p[c]));
  }
}

}  // namespace zp::exec

#endif
