// The one EXIF tag that changes pixels: the orientation.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_EXIF_H
#define ZP_IO_EXIF_H

#include <cstdint>
#include <span>

namespace zp::io {

/// The orientation in an EXIF block that starts with its TIFF header; 1 where there is none or the block is damaged.
int exif_orientation(std::span<const std::uint8_t> block) noexcept;

}  // namespace zp::io

#endif
