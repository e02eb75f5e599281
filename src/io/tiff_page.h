// What one TIFF directory says about its pixels, and how they become a plane.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_TIFF_PAGE_H
#define ZP_IO_TIFF_PAGE_H

#include <cstdint>
#include <string>
#include <vector>

#include "io/tiff_handle.h"
#include "io/tiff_samples.h"
#include "zeroplane/io.h"

namespace zp::io {

struct TiffPage {
  PlaneShape stored;  ///< before the orientation is applied
  SampleRule rule;
  std::uint16_t samples = 1;  ///< per pixel, in the file
  std::uint16_t compression = 0;
  std::uint16_t orientation = 1;
  bool planar = false;           ///< one plane per sample
  bool through_rgba = false;     ///< subsampled YCbCr that only libtiff's RGBA reader untangles
  std::uint32_t tile_width = 0;  ///< 0 for strips
  std::uint32_t tile_height = 0;
  std::uint32_t rows_per_strip = 0;
  std::vector<std::string> notes;

  std::uint16_t planes() const { return planar ? samples : std::uint16_t(1); }
  /// Bytes of a stored row of `width` pixels in one plane.
  std::uint64_t stored_row_bytes(std::uint64_t width) const {
    return (width * (planar ? 1u : samples) * std::uint64_t(rule.bits) + 7) / 8;
  }
};

/// "none", "lzw", "deflate", ... or the number.
std::string tiff_compression_name(std::uint16_t compression);

/// Reads the current directory; `number` counts from 0 and is for the messages. Throws unsupported with the tag that is
/// not read, io where tags contradict each other, and what require_plausible() throws.
TiffPage describe_tiff_page(TiffHandle& tiff, const InputFile& file, int number, const ReadOptions& options);

}  // namespace zp::io

#endif
