// From samples as a TIFF stores them to samples of a plane: unpacking, widening, palettes, min-is-white.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_TIFF_SAMPLES_H
#define ZP_IO_TIFF_SAMPLES_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "zeroplane/view.h"

namespace zp::io {

/// How the stored samples of a page become samples of `format`.
struct SampleRule {
  enum class Kind { unsigned_integer, signed_integer, floating };

  Kind kind = Kind::unsigned_integer;
  int bits = 8;
  Format format = Format::u8;
  bool scaled = false;                 ///< 1, 2, 4 bit: spread over 0..255
  bool inverted = false;               ///< min-is-white, first channel only
  int palette_channels = 0;            ///< 0: no palette; 1 or 3
  std::vector<std::uint16_t> palette;  ///< palette_channels values per index, in the scale of `format`

  /// True where stored bytes are the plane's bytes.
  bool direct() const {
    return palette_channels == 0 && bits == int(bytes_of(format)) * 8 &&
           (format == Format::f32) == (kind == Kind::floating) && kind != Kind::signed_integer;
  }
};

/// Converts `count` samples that start at `source` (whole bytes, most significant bit first where packed, the machine's
/// byte order otherwise) into every `stride`-th sample of `target`; a palette entry counts as one sample of its
/// channels. Returns false where a value has no exact float.
bool convert_samples(const SampleRule& rule, const std::byte* source, std::size_t count, void* target,
                     std::size_t stride);

/// Makes larger brighter in channel 0 of `pixels` pixels of `channels` samples.
void invert_samples(const SampleRule& rule, void* samples, std::size_t pixels, std::size_t channels);

}  // namespace zp::io

#endif
