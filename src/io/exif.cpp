// The one EXIF tag that changes pixels: the orientation.
// SPDX-License-Identifier: Apache-2.0
#include "io/exif.h"

#include <cstddef>

namespace zp::io {

int exif_orientation(std::span<const std::uint8_t> block) noexcept {
  if (block.size() < 8) return 1;
  const bool big = block[0] == 'M' && block[1] == 'M';
  if (!big && !(block[0] == 'I' && block[1] == 'I')) return 1;
  const auto two = [&](std::size_t at) {
    return std::uint32_t(block[at + (big ? 0 : 1)]) << 8 | block[at + (big ? 1 : 0)];
  };
  const auto four = [&](std::size_t at) { return big ? two(at) << 16 | two(at + 2) : two(at + 2) << 16 | two(at); };
  const std::size_t directory = four(4);
  if (two(2) != 42 || directory > block.size() - 2) return 1;
  constexpr std::size_t kEntry = 12;
  constexpr std::uint32_t kOrientation = 0x112;
  constexpr std::uint32_t kShort = 3;
  const std::uint32_t entries = two(directory);
  for (std::size_t i = 0, at = directory + 2; i < entries && block.size() - at >= kEntry; ++i, at += kEntry) {
    if (two(at) != kOrientation || two(at + 2) != kShort) continue;
    const std::uint32_t value = two(at + 8);
    return value >= 1 && value <= 8 ? int(value) : 1;
  }
  return 1;
}

}  // namespace zp::io
