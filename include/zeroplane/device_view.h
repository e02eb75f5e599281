// DeviceView: the one object at the CUDA boundary. It decides per pointer whether the device works on the caller's
// bytes in place or on a staged copy, and says why.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_DEVICE_VIEW_H
#define ZEROPLANE_DEVICE_VIEW_H

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "zeroplane/view.h"

namespace zp {

/// What the kernel does with the bytes. `out` copies nothing in; `in` copies nothing back.
enum class Access { in, out, in_out };

/// How often the kernel reads each byte: once, a small neighbourhood, or many times.
enum class Reuse { once, neighbourhood, many };

/// Where the kernel finds the bytes.
enum class Placement { in_place, staged, device_resident };
std::string_view name_of(Placement placement) noexcept;

/// The largest row that a flat view of more than INT_MAX samples describes (see DeviceView::view()).
inline constexpr std::size_t kFlatRow = std::size_t(1) << 20;

/// An array without rows, for DevicePlane. Any trivially copyable element; 64-bit count.
struct FlatRange {
  void* data = nullptr;
  std::size_t count = 0;
  std::size_t element_bytes = 1;
  Format format = Format::u8;  ///< of the plane that device() describes; its sample size is element_bytes or 1
};

/// Untyped body of DeviceView. `operation` names the caller in messages.
///
/// Overlapping views. Live views on one thread (made, neither committed nor destroyed) of the same bytes behave as the
/// same bytes. A view that lies inside a staged copy shares that copy; a view whose bytes are in use in place is in
/// place too, whatever its reuse. Views that only read may overlap in any way. Where a byte is written and two views
/// overlap so that one copy cannot serve both (the later one reaches past the earlier, or its rows lie otherwise), the
/// constructor throws Error(unsupported): make the enclosing view first. Rectangles side by side share no byte and are
/// independent.
///
/// What a sharing view reads: the caller's bytes, as long as device() was not asked of the views before it; from then
/// on a kernel may have written, nothing is copied in any more, and it reads what the kernels left there. So of several
/// views for one kernel, make all before asking any for device().
class DevicePlane {
 public:
  /// Throws invalid_argument for a null pointer with a size, a negative size, a pitch shorter than a row, or a range
  /// that begins in device memory and ends outside; device without a device; unsupported for memory of another
  /// device or an overlap that cannot be honoured; staging_forbidden under a NoStaging guard; out_of_memory. A view of
  /// 0 pixels is legal, moves and counts nothing, and has no device address.
  DevicePlane(PlaneView view, Access access, Reuse reuse = Reuse::once, std::string_view operation = {});
  DevicePlane(FlatRange range, Access access, Reuse reuse = Reuse::once, std::string_view operation = {});
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
  /// Error(device) if the device failed. Calling it again after it succeeded does nothing. Of a view that was made in a
  /// Sequence, while it lasts: does not wait, and the bytes are ready after Sequence::finish().
  void commit();
  /// Commits several with one wait for each stream. Null pointers are skipped.
  static void commit(std::span<DevicePlane* const> planes);

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
/// sub-rectangle view moves only its own bytes; two live views of the same bytes on one thread share one staged copy
/// (DevicePlane says how). Throws what DevicePlane throws. Use from the thread that made it.
///
/// The flat form takes any trivially copyable element (int, double, float3), the other one sample types. In messages a
/// view is named after the function that made it.
template <class T>
class DeviceView {
 public:
  DeviceView(T* pointer, std::size_t count, Access access, Reuse reuse = Reuse::once,
             const char* operation = __builtin_FUNCTION())
      : plane_(flat(pointer, count), access, reuse, operation) {}
  DeviceView(const View<T>& view, Access access, Reuse reuse = Reuse::once,
             const char* operation = __builtin_FUNCTION()) requires is_sample<std::remove_const_t<T>>
      : plane_(PlaneView(const_cast<std::remove_const_t<T>*>(view.data),
                         PlaneShape{view.width, view.height, view.channels, format_of<T>}, view.pitch),
               access, reuse, operation) {}

  T* device() const noexcept { return static_cast<T*>(plane_.device().data); }
  /// The plane on the device. Of a flat view: one row of `count` samples; rows of kFlatRow where `count` is more than
  /// INT_MAX and divides so; else a view of 0 pixels, and device() with the caller's count is what to use.
  View<T> view() const noexcept requires is_sample<std::remove_const_t<T>> {
    const PlaneView plane = plane_.device();
    return View<T>(static_cast<T*>(plane.data), plane.shape.width, plane.shape.height, plane.shape.channels,
                   plane.pitch);
  }
  void* stream() const noexcept { return plane_.stream(); }
  Placement placement() const noexcept { return plane_.placement(); }
  std::string_view reason() const noexcept { return plane_.reason(); }
  void commit() { plane_.commit(); }

 private:
  static FlatRange flat(T* pointer, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    using Value = std::remove_const_t<T>;
    return {const_cast<Value*>(pointer), count, sizeof(T), is_sample<Value> ? format_of<Value> : Format::u8};
  }
  DevicePlane plane_;
};

}  // namespace zp

#endif
