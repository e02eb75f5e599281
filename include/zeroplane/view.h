// Pixel formats and views: a pointer with a width, height, channel count and pitch. A view never owns.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_VIEW_H
#define ZEROPLANE_VIEW_H

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "zeroplane/config.h"

namespace zp {

/// Sample formats. `u32` is for labels only.
enum class Format : std::uint8_t { u8, u16, f32, u32 };

/// "u8", "u16", "f32", "u32".
std::string_view name_of(Format format) noexcept;

ZP_HD constexpr std::size_t bytes_of(Format format) { return format == Format::u8 ? 1 : format == Format::u16 ? 2 : 4; }

/// The value that stands for white: 255, 65535, 1.0; for `u32` its largest value.
ZP_HD constexpr double white_of(Format format) {
  return format == Format::u8 ? 255.0 : format == Format::u16 ? 65535.0 : format == Format::f32 ? 1.0 : 4294967295.0;
}

template <class T>
inline constexpr bool is_sample = std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> ||
                                  std::is_same_v<T, float> || std::is_same_v<T, std::uint32_t>;

/// The Format of a sample type.
template <class T>
inline constexpr Format format_of = std::is_same_v<std::remove_const_t<T>, std::uint8_t>    ? Format::u8
                                    : std::is_same_v<std::remove_const_t<T>, std::uint16_t> ? Format::u16
                                    : std::is_same_v<std::remove_const_t<T>, float>         ? Format::f32
                                                                                            : Format::u32;

/// Size, channels and format of a plane, without its bytes.
struct PlaneShape {
  int width = 0;     ///< pixels, 0 and up
  int height = 0;    ///< pixels, 0 and up
  int channels = 1;  ///< interleaved samples per pixel, 1 to 4
  Format format = Format::u8;

  friend constexpr bool operator==(const PlaneShape&, const PlaneShape&) = default;
  constexpr bool empty() const { return width == 0 || height == 0; }
  constexpr std::size_t row_bytes() const { return std::size_t(width) * std::size_t(channels) * bytes_of(format); }
  constexpr std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
  constexpr std::size_t samples() const { return pixels() * std::size_t(channels); }
};

/// Pixels of type T (const T for reading). The pitch is in bytes from one row to the next and may be larger than a row;
/// the padding is never read or written. All offsets are computed in 64 bits. A view is a plain value: copying it
/// copies the pointer, and the memory must outlive it.
template <class T>
struct View {
  static_assert(is_sample<std::remove_const_t<T>>);

  T* data = nullptr;
  int width = 0;
  int height = 0;
  int channels = 1;
  std::ptrdiff_t pitch = 0;  ///< bytes

  View() = default;
  /// A pitch of 0 means tightly packed rows.
  ZP_HD View(T* data_, int width_, int height_, int channels_ = 1, std::ptrdiff_t pitch_ = 0)
      : data(data_),
        width(width_),
        height(height_),
        channels(channels_),
        pitch(pitch_ != 0 ? pitch_ : std::ptrdiff_t(width_) * channels_ * std::ptrdiff_t(sizeof(T))) {}

  /// A view for writing serves for reading.
  template <class U>
  requires(std::is_same_v<T, const U>) ZP_HD View(const View<U>& v)
      : data(v.data), width(v.width), height(v.height), channels(v.channels), pitch(v.pitch) {}

  /// First sample of row y.
  ZP_HD T* row(int y) const {
    using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(data) + std::ptrdiff_t(y) * pitch);
  }
  ZP_HD T& at(int x, int y, int c = 0) const { return row(y)[std::ptrdiff_t(x) * channels + c]; }

  /// The rectangle at (x, y); it must lie inside.
  ZP_HD View sub(int x, int y, int w, int h) const { return View(&at(x, y), w, h, channels, pitch); }
};

/// A view whose format is known at run time only. `Byte` is `void` or `const void`.
template <class Void>
struct BasicPlaneView {
  Void* data = nullptr;
  PlaneShape shape;
  std::ptrdiff_t pitch = 0;  ///< bytes

  BasicPlaneView() = default;
  BasicPlaneView(Void* data_, const PlaneShape& shape_, std::ptrdiff_t pitch_ = 0)
      : data(data_), shape(shape_), pitch(pitch_ != 0 ? pitch_ : std::ptrdiff_t(shape_.row_bytes())) {}
  template <class T>
  requires(std::is_const_v<Void> || !std::is_const_v<T>) BasicPlaneView(const View<T>& v)
      : data(v.data), shape{v.width, v.height, v.channels, format_of<T>}, pitch(v.pitch) {}
  template <class Other>
  requires(std::is_const_v<Void> && !std::is_const_v<Other>) BasicPlaneView(const BasicPlaneView<Other>& v)
      : data(v.data), shape(v.shape), pitch(v.pitch) {}

  /// The typed view; T must be the type of the format (not checked).
  template <class T>
  View<T> as() const {
    return View<T>(static_cast<T*>(data), shape.width, shape.height, shape.channels, pitch);
  }
  /// Bytes from the first visible byte to one past the last visible byte; 0 for an empty plane.
  std::size_t span_bytes() const {
    return shape.empty() ? 0 : std::size_t(pitch) * std::size_t(shape.height - 1) + shape.row_bytes();
  }
  /// True if rows follow each other without padding.
  bool tight() const { return shape.height <= 1 || pitch == std::ptrdiff_t(shape.row_bytes()); }
};
using PlaneView = BasicPlaneView<void>;
using ConstPlaneView = BasicPlaneView<const void>;

}  // namespace zp

#endif
