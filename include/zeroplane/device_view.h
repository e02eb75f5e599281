// DeviceView: the one object at the CUDA boundary. It decides per pointer whether the device works on the caller's
// bytes in place or on a staged copy, and says why.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_DEVICE_VIEW_H
#define ZEROPLANE_DEVICE_VIEW_H

#include <memory>
#include <string_view>

#include "zeroplane/view.h"

namespace zp {

/// What the kernel does with the bytes. `out` copies nothing in; `in` copies nothing back.
enum class Access { in, out, in_out };

/// How often the kernel reads each byte: once, a small neighbourhood, or many times.
enum class Reuse { once, neighbourhood, many };

/// Where the kernel finds the bytes.
enum class Placement { in_place, staged, device_resident };
std::string_view name_of(Placement placement) noexcept;

/// Untyped body of DeviceView.
class DevicePlane {
 public:
  DevicePlane(PlaneView view, Access access, Reuse reuse = Reuse::once, std::string_view operation = {});
  DevicePlane(DevicePlane&&) noexcept;
  DevicePlane& operator=(DevicePlane&&) = delete;
  /// Without commit(): waits for the stream, then discards what was staged. Never throws.
  ~DevicePlane();

  /// The plane at the address that the device uses, as the driver reports it. The pitch of a staged copy may differ.
  PlaneView device() const noexcept;
  /// The stream on which copies were made and kernels must run (a cudaStream_t with the cuda runtime).
  void* stream() const noexcept;
  Placement placement() const noexcept;
  std::string_view reason() const noexcept;
  /// Waits for the stream; if staged and writable, the caller's bytes are ready when this returns. Throws
  /// Error(device) if the device failed. Calling it again does nothing.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Drop-in for the copying code of a wrapper:
///
///     void add(float* image, int width, int height, float constant) {
///       zp::DeviceView<float> view(image, std::size_t(width) * height, zp::Access::in_out);
///       add_kernel<<<grid, block, 0, cudaStream_t(view.stream())>>>(view.device(), width * height, constant);
///       view.commit();
///     }
///
/// Foreign host memory (new[], malloc) is staged, and never registered behind the caller's back; mapped, pinned,
/// registered (interior addresses too) and device memory is used in place where the model allows. A padded or
/// sub-rectangle view moves only its own bytes; two live views of the same bytes on one thread share one staged copy.
/// Throws invalid_argument for a null pointer with a size, device without a device, staging_forbidden under a
/// NoStaging guard, out_of_memory. Use from the thread that made it.
template <class T>
class DeviceView {
 public:
  DeviceView(T* pointer, std::size_t count, Access access, Reuse reuse = Reuse::once)
      : plane_(flat(pointer, count), access, reuse) {}
  DeviceView(const View<T>& view, Access access, Reuse reuse = Reuse::once)
      : plane_(PlaneView(const_cast<std::remove_const_t<T>*>(view.data),
                         PlaneShape{view.width, view.height, view.channels, format_of<T>}, view.pitch),
               access, reuse) {}

  T* device() const noexcept { return static_cast<T*>(plane_.device().data); }
  View<T> view() const noexcept { return plane_.device().template as<T>(); }
  void* stream() const noexcept { return plane_.stream(); }
  Placement placement() const noexcept { return plane_.placement(); }
  std::string_view reason() const noexcept { return plane_.reason(); }
  void commit() { plane_.commit(); }

 private:
  static PlaneView flat(T* pointer, std::size_t count);
  DevicePlane plane_;
};

/// The largest row that one flat view describes; longer arrays are split into rows of this many samples.
inline constexpr std::size_t kFlatRow = std::size_t(1) << 20;

}  // namespace zp

#endif
