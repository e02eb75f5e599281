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
  std::string format;  ///< "tiff", "png", "jpeg"
  int pages = 1;
  PlaneShape shape;         ///< as read() delivers it (first page)
  int bits = 8;             ///< stored bits per sample
  std::string compression;  ///< "none", "lzw", "deflate", ...
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
///
/// TIFF: strips and tiles, every compression of the installed libtiff, contiguous and planar, classic and BigTIFF, both
/// byte orders, 1 to 4 samples per pixel, alpha kept as stored (FileInfo::notes says which kind).
/// - Unsigned 8, 16 and 32 bit and float 32 bit keep their type. 9 to 15 bit become u16 with values unchanged; 1, 2 and
///   4 bit become u8 scaled to 0..255. Signed, 24 and 64 bit samples and float 16 and 64 bit become f32, values
///   unchanged; where a value has no exact f32 the read fails with unsupported.
/// - Min-is-white is inverted so that larger is brighter: v becomes (2^bits - 1) - v, for signed samples -1 - v, for
///   floats 1 - v.
/// - A palette is expanded: one channel where all its entries are grey, else RGB; u8 where its 16 bit entries are 8 bit
///   values (257 v, 256 v, or all below 256), else u16.
/// - YCbCr becomes RGB, LogL luminance, LogLuv CIE XYZ. CMYK and L*a*b* are unsupported.
/// PNG: 1 to 4 channels of 8 and 16 bit; 1, 2 and 4 bit scaled to 8; a palette becomes RGB, a transparent colour alpha.
/// JPEG: grey and RGB; CMYK is unsupported.
///
/// The orientation of TIFF and of a JPEG's EXIF block is applied (5 to 8 need a second image for a moment); PNG rows
/// stay as they are. A file that is cut short or damaged fails even where its library would fill the hole with grey.
///
/// Throws Error(io) that names the file, page (from 0) and tag; unsupported for a variety that is legal but not read;
/// invalid_argument where the image exceeds byte_limit; out_of_memory.
Image read(const std::string& path, const ReadOptions& options = {});

/// Calls `page(index, image)` for each page in order; a file of another type has one page. A directory loop ends the
/// walk with Error(io). Returns the number of pages. An exception from `page` ends the walk and passes through.
int read_pages(const std::string& path, const std::function<void(int, Image)>& page, const ReadOptions& options = {});
/// All pages at once. expansion_limit holds for their sum.
std::vector<Image> read_all(const std::string& path, const ReadOptions& options = {});

/// Describes a file without decoding its pixels; throws what read() would throw before decoding, and for any damaged
/// directory.
FileInfo inspect(const std::string& path, const ReadOptions& options = {});

struct WriteOptions {
  /// TIFF: none (default), lzw, deflate, zstd, packbits; lzw, deflate and zstd use a predictor. PNG, JPEG: ignored.
  std::string compression = {};
  int quality = 95;          ///< JPEG, 1 to 100; colour is stored at full size from 90 up, halved below
  int tile = 0;              ///< TIFF: side of square tiles, a multiple of 16; 0 writes strips
  bool big_tiff = false;     ///< TIFF: 64 bit offsets even where the file stays small (above 4 GB they are always used)
  double dots_per_inch = 0;  ///< resolution noted in the file; 0 for none
};

/// Writes by the extension (.tif .tiff .png .jpg .jpeg). The format is kept: TIFF takes u8, u16, f32, u32; PNG u8 and
/// u16; JPEG u8 with 1 or 3 channels; anything else throws unsupported and names what to convert to. A fourth channel
/// is marked as unassociated alpha in TIFF and PNG; the second of two is alpha in PNG, of no stated meaning in TIFF.
/// The file appears whole or not at all: it is written beside its place and renamed; on any failure the part is removed
/// and an older file is untouched.
void write(const std::string& path, const ConstPlaneView& image, const WriteOptions& options = {});
inline void write(const std::string& path, const Image& image, const WriteOptions& options = {}) {
  write(path, image.view(), options);
}
/// Several pages of one TIFF.
void write_pages(const std::string& path, const std::vector<ConstPlaneView>& pages, const WriteOptions& options = {});

}  // namespace zp

#endif
