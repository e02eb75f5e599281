// Files to images and back: TIFF, PNG, JPEG.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_IO_H
#define ZEROPLANE_IO_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "zeroplane/image.h"

namespace zp {

/// What was done to the stored samples on the way in, in words ("min-is-white inverted", "12 bit scaled to ..."), and
/// what the file says about itself.
struct FileInfo {
  std::string path;
  std::string format;        ///< "tiff", "png", "jpeg"
  int pages = 1;
  PlaneShape shape;          ///< as read() delivers it (first page)
  int bits = 8;              ///< stored bits per sample
  std::string compression;   ///< "none", "lzw", "deflate", ...
  std::vector<std::string> notes;
};

struct ReadOptions {
  /// Refuse to allocate more than this for one image.
  std::uint64_t byte_limit = std::uint64_t(16) << 30;
  /// Refuse an image of more than 64 MiB that is more than this many times larger than its file: a small file that
  /// claims a huge image is damaged or hostile. 0 allows any size up to byte_limit.
  std::uint64_t expansion_limit = 2000;
};

/// Reads the first page straight into an Image. The type is found from the file's first bytes, not from its name.
/// TIFF: 8 and 16 bit unsigned and 32 bit float samples, strips and tiles, every compression of the installed libtiff,
/// contiguous and planar; min-is-white is inverted so that larger is brighter. PNG: 8 and 16 bit (1, 2, 4 bit and palette are
/// expanded to 8). JPEG: grey and RGB. Throws Error(io) that names the file, page and tag; unsupported for a variety
/// that is legal but not read; out_of_memory or invalid_argument where the size exceeds the limit.
Image read(const std::string& path, const ReadOptions& options = {});

/// Calls `page(index, image)` for each page in order; a file of another type has one page. A directory loop ends the
/// walk with Error(io). Returns the number of pages.
int read_pages(const std::string& path, const std::function<void(int, Image)>& page, const ReadOptions& options = {});
std::vector<Image> read_all(const std::string& path, const ReadOptions& options = {});

/// Describes a file without decoding its pixels.
FileInfo inspect(const std::string& path, const ReadOptions& options = {});

struct WriteOptions {
  std::string compression;  ///< TIFF: none (default), lzw, deflate, zstd, packbits. PNG: ignored.
  int quality = 95;         ///< JPEG, 1 to 100
};

/// Writes by the extension (.tif .tiff .png .jpg .jpeg). The format is kept: TIFF takes u8, u16, f32, u32; PNG u8 and
/// u16; JPEG u8 with 1 or 3 channels; anything else throws unsupported and names what to convert to. The file appears
/// whole or not at all: it is written beside its place and renamed; on any failure the part is removed and an older file is
/// untouched.
void write(const std::string& path, const ConstPlaneView& image, const WriteOptions& options = {});
inline void write(const std::string& path, const Image& image, const WriteOptions& options = {}) {
  write(path, image.view(), options);
}
/// Several pages of one TIFF.
void write_pages(const std::string& path, const std::vector<ConstPlaneView>& pages, const WriteOptions& options = {});

}  // namespace zp

#endif
