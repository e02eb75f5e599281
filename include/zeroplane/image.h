// Image: an owning plane in the memory that suits the device, readable by the CPU at any time outside a Sequence.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_IMAGE_H
#define ZEROPLANE_IMAGE_H

#include <memory>

#include "zeroplane/view.h"

namespace zp {

class Block;

/// Pixels of one format, 1 to 4 interleaved channels, rows tightly packed, base aligned to 256 bytes. The memory is
/// mapped (Unified), pinned (Discrete), or ordinary (Coherent, no device); it comes from the host block pool and goes
/// back there, so that neither construction in the steady state nor destruction calls the driver.
///
/// The pixels of a new image are unspecified. Movable; copies are made with clone(). An image may be read from several
/// threads; writing needs the caller's own exclusion. A moved-from image is empty.
class Image {
 public:
  Image();
  /// Throws invalid_argument if width or height is negative, channels is not 1 to 4, or the size in bytes does not fit
  /// in 63 bits; out_of_memory if there is none.
  explicit Image(const PlaneShape& shape);
  Image(Format format, int width, int height, int channels = 1) : Image(PlaneShape{width, height, channels, format}) {}
  Image(Image&& other) noexcept;
  Image& operator=(Image&& other) noexcept;
  ~Image();

  Image clone() const;

  const PlaneShape& shape() const { return shape_; }
  int width() const { return shape_.width; }
  int height() const { return shape_.height; }
  int channels() const { return shape_.channels; }
  Format format() const { return shape_.format; }
  bool empty() const { return shape_.empty(); }
  std::size_t bytes() const { return shape_.row_bytes() * std::size_t(shape_.height); }
  std::ptrdiff_t pitch() const { return std::ptrdiff_t(shape_.row_bytes()); }

  /// The pixels: ordinary memory to the CPU; inside a Sequence ask host(). Null for an empty image.
  void* data() { return data_; }
  const void* data() const { return data_; }

  /// The same inside a Sequence of this thread, which first waits for what it needs and brings it back; host() of a
  /// writable image also lets the device's copy go, because the host may write. Throws Error(device).
  void* host();
  const void* host() const;

  PlaneView view() { return {data_, shape_, pitch()}; }
  ConstPlaneView view() const { return {data_, shape_, pitch()}; }
  operator PlaneView() { return view(); }
  operator ConstPlaneView() const { return view(); }

  /// Typed view; throws invalid_argument if T is not the image's format.
  template <class T>
  View<T> as() {
    require_format(format_of<T>);
    return view().as<T>();
  }
  template <class T>
  View<const T> as() const {
    require_format(format_of<T>);
    return view().as<const T>();
  }

  const Block* block() const { return block_.get(); }

 private:
  void require_format(Format format) const;

  PlaneShape shape_{};
  void* data_ = nullptr;
  std::unique_ptr<Block> block_;
};

}  // namespace zp

#endif
