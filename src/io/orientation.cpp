// Turns and mirrors a decoded image so that it stands as its file's orientation says.
// SPDX-License-Identifier: Apache-2.0
#include "io/orientation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace zp::io {
namespace {

template <std::size_t Bytes>
using Pixel = std::array<std::byte, Bytes>;

template <std::size_t Bytes>
void mirror_rows(Image& image) {
  auto* row = static_cast<Pixel<Bytes>*>(image.data());
  for (int y = 0; y < image.height(); ++y, row += image.width()) std::reverse(row, row + image.width());
}

void flip_rows(Image& image) {
  auto* data = static_cast<std::byte*>(image.data());
  const auto row = std::size_t(image.pitch());
  for (std::size_t top = 0, bottom = std::size_t(image.height()) - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(data + top * row, data + (top + 1) * row, data + bottom * row);
  }
}

template <std::size_t Bytes>
void transpose(const Image& from, Image& to) {
  constexpr int kBlock = 32;  // 32 x 32 pixels of 16 bytes fill half of a 32 KiB cache
  const auto* source = static_cast<const Pixel<Bytes>*>(from.data());
  auto* target = static_cast<Pixel<Bytes>*>(to.data());
  for (int y0 = 0; y0 < from.height(); y0 += kBlock) {
    for (int x0 = 0; x0 < from.width(); x0 += kBlock) {
      const int y1 = std::min(from.height() - y0, kBlock) + y0;
      const int x1 = std::min(from.width() - x0, kBlock) + x0;
      for (int x = x0; x < x1; ++x) {
        for (int y = y0; y < y1; ++y) {
          target[std::size_t(x) * std::size_t(to.width()) + std::size_t(y)] =
              source[std::size_t(y) * std::size_t(from.width()) + std::size_t(x)];
        }
      }
    }
  }
}

template <std::size_t Bytes>
Image turn(Image image, int orientation) {
  if (swaps_sides(orientation)) {
    Image turned(upright(image.shape(), orientation));
    transpose<Bytes>(image, turned);
    image = std::move(turned);
  }
  // Where the stored first row and first column end up: 2, 3, 6, 7 on the right; 3, 4, 7, 8 at the bottom.
  if (orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7) mirror_rows<Bytes>(image);
  if (orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8) flip_rows(image);
  return image;
}

}  // namespace

Image upright(Image image, int orientation) {
  if (orientation < 2 || orientation > 8 || image.empty()) return image;
  switch (std::size_t(image.channels()) * bytes_of(image.format())) {
    case 1:
      return turn<1>(std::move(image), orientation);
    case 2:
      return turn<2>(std::move(image), orientation);
    case 3:
      return turn<3>(std::move(image), orientation);
    case 4:
      return turn<4>(std::move(image), orientation);
    case 6:
      return turn<6>(std::move(image), orientation);
    case 8:
      return turn<8>(std::move(image), orientation);
    case 12:
      return turn<12>(std::move(image), orientation);
    default:
      return turn<16>(std::move(image), orientation);
  }
}

PlaneShape upright(PlaneShape shape, int orientation) {
  if (swaps_sides(orientation)) std::swap(shape.width, shape.height);
  return shape;
}

std::string orientation_note(int orientation) {
  return "orientation " + std::to_string(orientation) +
         " applied: stored rows were turned or mirrored to stand upright";
}

}  // namespace zp::io
