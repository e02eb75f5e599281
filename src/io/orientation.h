// Turns and mirrors a decoded image so that it stands as its file's orientation says.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_ORIENTATION_H
#define ZP_IO_ORIENTATION_H

#include <string>

#include "zeroplane/image.h"

namespace zp::io {

/// The eight values of TIFF and EXIF; every other value counts as 1.
constexpr bool swaps_sides(int orientation) { return orientation >= 5 && orientation <= 8; }

/// `image` as stored, delivered upright. 2, 3 and 4 work in place; 5 to 8 need a second image.
Image upright(Image image, int orientation);

/// The shape that upright() delivers.
PlaneShape upright(PlaneShape shape, int orientation);

/// The note for FileInfo.
std::string orientation_note(int orientation);

}  // namespace zp::io

#endif
