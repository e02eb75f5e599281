// Hash of what a plane shows: equal pixels, size and format give equal hashes on every machine.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_HASH_H
#define ZEROPLANE_HASH_H

#include <cstdint>
#include <string>

#include "zeroplane/view.h"

namespace zp {

/// xxHash3-64 (https://github.com/Cyan4973/xxHash) over width, height, channels, format and the visible pixels in
/// raster order. Padding never counts; every NaN counts as the same NaN. Host memory only.
std::uint64_t hash(const ConstPlaneView& view);
std::string hash_text(std::uint64_t hash);  ///< 16 hexadecimal digits

}  // namespace zp

#endif
