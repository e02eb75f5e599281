// Writes planes as TIFF pages, straight from the caller's rows where they lie tight.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "io/failure.h"
#include "io/tiff.h"
#include "io/tiff_handle.h"

namespace zp::io {
namespace {

constexpr std::uint16_t kZstd = 50000;
constexpr std::uint32_t kZstdLevelTag = 65564;
constexpr std::pair<const char*, std::uint16_t> kCompressions[] = {{"none", COMPRESSION_NONE},
                                                                   {"lzw", COMPRESSION_LZW},
                                                                   {"deflate", COMPRESSION_ADOBE_DEFLATE},
                                                                   {"zstd", kZstd},
                                                                   {"packbits", COMPRESSION_PACKBITS}};

std::uint16_t compression_of(const std::string& path, const WriteOptions& options) {
  if (options.compression.empty()) return COMPRESSION_NONE;
  for (const auto& [name, value] : kCompressions) {
    if (options.compression != name) continue;
    if (!TIFFIsCODECConfigured(value)) {
      fail_write(ErrorKind::unsupported, path,
                 "WriteOptions::compression = " + options.compression + " is not in the installed libtiff");
    }
    return value;
  }
  fail_write(ErrorKind::invalid_argument, path,
             "WriteOptions::compression is '" + options.compression +
                 "', allowed for TIFF are none, lzw, deflate, zstd, packbits");
}

class TiffWriter {
 public:
  TiffWriter(OutputFile& file, bool big, std::uint16_t compression, const WriteOptions& options)
      : file_(file), compression_(compression), options_(options), tiff_(file, big) {
    if (tiff_.get() == nullptr) fail();
  }

  void page(const ConstPlaneView& image, std::size_t index, std::size_t count) {
    describe(image.shape, index, count);
    if (options_.tile != 0) {
      write_tiles(image);
    } else {
      write_strips(image);
    }
    if (!tiff_([](TIFF* t) { return TIFFWriteDirectory(t); })) fail();
  }

  void finish() {
    tiff_.close();
    if (!tiff_.log().error.empty() || file_.error_number() != 0) fail();
  }

 private:
  void write_strips(const ConstPlaneView& image) {
    const std::size_t row_bytes = image.shape.row_bytes();
    // Strips near this size cost little in tables and let readers decode in pieces.
    constexpr std::size_t kStripBytes = std::size_t(1) << 19;
    const auto height = std::uint32_t(image.shape.height);
    const auto rows_per_strip = std::uint32_t(std::clamp<std::size_t>(kStripBytes / row_bytes, 1, std::size_t(height)));
    set(TIFFTAG_ROWSPERSTRIP, rows_per_strip);
    std::vector<std::byte> packed(image.tight() ? 0 : row_bytes * rows_per_strip);
    for (std::uint32_t y = 0, strip = 0; y < height; ++strip) {
      const std::uint32_t rows = std::min(rows_per_strip, height - y);
      const std::byte* first = row_of(image, y);
      if (!image.tight()) {
        for (std::uint32_t r = 0; r < rows; ++r) std::memcpy(&packed[r * row_bytes], row_of(image, y + r), row_bytes);
        first = packed.data();
      }
      // libtiff takes no const but does not write: predictors work on a copy of the strip.
      auto* source = const_cast<std::byte*>(first);
      const auto bytes = tmsize_t(row_bytes * rows);
      if (tiff_([&](TIFF* t) { return TIFFWriteEncodedStrip(t, strip, source, bytes); }) != bytes) fail();
      y += rows;
    }
  }

  void write_tiles(const ConstPlaneView& image) {
    set(TIFFTAG_TILEWIDTH, std::uint32_t(options_.tile));
    set(TIFFTAG_TILELENGTH, std::uint32_t(options_.tile));
    const auto side = std::size_t(options_.tile);
    const auto width = std::size_t(image.shape.width);
    const auto height = std::size_t(image.shape.height);
    const std::size_t pixel_bytes = std::size_t(image.shape.channels) * bytes_of(image.shape.format);
    std::vector<std::byte> packed(side * side * pixel_bytes);
    std::uint32_t tile = 0;
    for (std::size_t y0 = 0; y0 < height; y0 += side) {
      for (std::size_t x0 = 0; x0 < width; x0 += side, ++tile) {
        const std::size_t columns = std::min(side, width - x0);
        const std::size_t rows = std::min(side, height - y0);
        if (columns < side || rows < side) std::fill(packed.begin(), packed.end(), std::byte{0});
        for (std::size_t y = 0; y < rows; ++y) {
          std::memcpy(&packed[y * side * pixel_bytes], row_of(image, y0 + y) + x0 * pixel_bytes, columns * pixel_bytes);
        }
        const auto bytes = tmsize_t(packed.size());
        if (tiff_([&](TIFF* t) { return TIFFWriteEncodedTile(t, tile, packed.data(), bytes); }) != bytes) fail();
      }
    }
  }

  static const std::byte* row_of(const ConstPlaneView& image, std::size_t y) {
    return static_cast<const std::byte*>(image.data) + std::ptrdiff_t(y) * image.pitch;
  }

  [[noreturn]] void fail() {
    fail_write(ErrorKind::io, file_.path(),
               file_.error_number() != 0 ? system_reason(file_.error_number()) : tiff_.log().error);
  }

  template <class T>
  void set(std::uint32_t tag, T value) {
    if (!tiff_([&](TIFF* t) { return TIFFSetField(t, tag, value); })) fail();
  }

  void describe(const PlaneShape& shape, std::size_t index, std::size_t count) {
    set(TIFFTAG_IMAGEWIDTH, std::uint32_t(shape.width));
    set(TIFFTAG_IMAGELENGTH, std::uint32_t(shape.height));
    set(TIFFTAG_SAMPLESPERPIXEL, shape.channels);
    set(TIFFTAG_BITSPERSAMPLE, int(bytes_of(shape.format)) * 8);
    set(TIFFTAG_SAMPLEFORMAT, shape.format == Format::f32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    set(TIFFTAG_PHOTOMETRIC, shape.channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    if (shape.channels == 2 || shape.channels == 4) {
      std::uint16_t kind = shape.channels == 4 ? EXTRASAMPLE_UNASSALPHA : EXTRASAMPLE_UNSPECIFIED;
      if (!tiff_([&](TIFF* t) { return TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &kind); })) fail();
    }
    set(TIFFTAG_COMPRESSION, int(compression_));
    if (compression_ == COMPRESSION_LZW || compression_ == COMPRESSION_ADOBE_DEFLATE || compression_ == kZstd) {
      set(TIFFTAG_PREDICTOR, shape.format == Format::f32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    }
    if (compression_ == kZstd) set(kZstdLevelTag, 3);
    if (options_.dots_per_inch > 0) {
      set(TIFFTAG_XRESOLUTION, options_.dots_per_inch);
      set(TIFFTAG_YRESOLUTION, options_.dots_per_inch);
      set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    }
    if (count > 1) {
      set(TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
      if (count <= std::numeric_limits<std::uint16_t>::max()) {
        if (!tiff_([&](TIFF* t) { return TIFFSetField(t, TIFFTAG_PAGENUMBER, int(index), int(count)); })) fail();
      }
    }
  }

  OutputFile& file_;
  std::uint16_t compression_;
  const WriteOptions& options_;
  TiffHandle tiff_;
};

}  // namespace

void require_tiff(const std::string& path, const std::vector<ConstPlaneView>&, const WriteOptions& options) {
  compression_of(path, options);
  constexpr int kLargestTile = 1 << 14;  // of 16 byte pixels: 4 GiB, the most that a tile's 32 bit size can say
  if (options.tile < 0 || options.tile % 16 != 0 || options.tile >= kLargestTile) {
    fail_write(ErrorKind::invalid_argument, path,
               "WriteOptions::tile is " + std::to_string(options.tile) + ", allowed are 0 and multiples of 16 below " +
                   std::to_string(kLargestTile));
  }
}

void write_tiff(OutputFile& file, const std::vector<ConstPlaneView>& pages, const WriteOptions& options) {
  std::uint64_t bytes = 0;
  for (const ConstPlaneView& page : pages) bytes += page.shape.row_bytes() * std::uint64_t(page.shape.height);
  // Offsets of 32 bits end at 4 GiB; a codec may expand noise, and directories need room too.
  constexpr std::uint64_t kClassicBytes = std::uint64_t(4000) << 20;
  const std::uint16_t compression = compression_of(file.path(), options);
  const bool big = options.big_tiff ||
                   (compression == COMPRESSION_NONE ? bytes : bytes + bytes / 2) + pages.size() * 4096 > kClassicBytes;
  TiffWriter writer(file, big, compression, options);
  for (std::size_t i = 0; i < pages.size(); ++i) writer.page(pages[i], i, pages.size());
  writer.finish();
}

}  // namespace zp::io
