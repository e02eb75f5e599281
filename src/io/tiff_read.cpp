// Decodes TIFF pages: strips straight into the plane where the samples allow, row by row or tile by tile otherwise.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/failure.h"
#include "io/orientation.h"
#include "io/tiff.h"
#include "io/tiff_handle.h"
#include "io/tiff_page.h"

namespace zp::io {
namespace {

class TiffReader {
 public:
  TiffReader(InputFile& file, const ReadOptions& options)
      : file_(file),
        options_(options),
        // Twice: 64 bit samples are halved on the way, RGB goes through four bytes.
        tiff_(file, saturating_product(std::min(options.byte_limit, justified_bytes(file.bytes(), options)), 2)) {
    if (tiff_.get() == nullptr) fail(ErrorKind::io, said("not a readable TIFF"));
    seen_.insert(offset());
  }

  int number() const { return number_; }

  TiffPage describe() { return describe_tiff_page(tiff_, file_, number_, options_); }

  Image decode() {
    const TiffPage page = describe();
    tiff_.log().clear();
    Image image(page.stored);
    if (page.through_rgba) {
      decode_rgba(page, image);
    } else if (page.tile_width != 0) {
      decode_tiles(page, image);
    } else if (page.rule.direct() && !page.planar) {
      decode_strips(page, image);
    } else {
      decode_rows(page, image);
    }
    return upright(std::move(image), page.orientation);
  }

  /// Steps to the next directory; false after the last.
  bool next() {
    if (tiff_([](TIFF* t) { return TIFFLastDirectory(t); })) return false;
    tiff_.log().clear();
    ++number_;
    if (!tiff_([](TIFF* t) { return TIFFReadDirectory(t); })) {
      fail(ErrorKind::io, said(!tiff_.log().warning.empty() ? tiff_.log().warning : "the directory is not readable"));
    }
    if (!seen_.insert(offset()).second) {
      fail(ErrorKind::io, "the directories form a loop (offset " + std::to_string(offset()) + " comes twice)");
    }
    return true;
  }

 private:
  std::uint64_t offset() {
    return tiff_([](TIFF* t) { return TIFFCurrentDirOffset(t); });
  }

  std::string said(const std::string& otherwise) {
    const TiffLog& log = tiff_.log();
    return !log.error.empty() ? log.error : !log.loss.empty() ? log.loss : otherwise;
  }

  [[noreturn]] void fail(ErrorKind kind, const std::string& what) {
    fail_read(kind, file_.path(), "page " + std::to_string(number_) + ": " + what);
  }

  [[noreturn]] void fail_decoding(const char* chunk, std::uint32_t index) {
    std::string what = std::string(chunk) + " " + std::to_string(index) + ": " + said("too few pixels");
    if (file_.error_number() != 0) what += " (" + system_reason(file_.error_number()) + ")";
    fail(ErrorKind::io, what);
  }

  bool lost() { return !tiff_.log().error.empty() || !tiff_.log().loss.empty(); }

  void require_row_bytes(const TiffPage& page, std::uint64_t libtiff_bytes, std::uint64_t width) {
    if (libtiff_bytes != page.stored_row_bytes(width)) {
      fail(ErrorKind::io, "tags SamplesPerPixel, BitsPerSample, PlanarConfiguration: a row has " +
                              std::to_string(libtiff_bytes) + " bytes, expected " +
                              std::to_string(page.stored_row_bytes(width)));
    }
  }

  std::byte* row_of(Image& image, std::uint64_t y) {
    return static_cast<std::byte*>(image.data()) + y * std::uint64_t(image.pitch());
  }

  void place(const TiffPage& page, const std::byte* source, std::size_t pixels, std::byte* target,
             std::uint16_t plane) {
    const auto channels = std::size_t(page.stored.channels);
    const std::size_t count = page.planar || page.rule.palette_channels != 0 ? pixels : pixels * channels;
    std::byte* first = target + std::size_t(plane) * bytes_of(page.stored.format);
    if (!convert_samples(page.rule, source, count, first, page.planar ? channels : 1)) {
      fail(ErrorKind::unsupported,
           "tags SampleFormat, BitsPerSample: a " + std::to_string(page.rule.bits) + " bit value has no exact f32");
    }
    if (page.rule.inverted && plane == 0) invert_samples(page.rule, target, pixels, channels);
  }

  void decode_strips(const TiffPage& page, Image& image) {
    require_row_bytes(page, tiff_([](TIFF* t) { return TIFFScanlineSize64(t); }), std::uint64_t(page.stored.width));
    const auto height = std::uint32_t(page.stored.height);
    for (std::uint32_t y = 0, strip = 0; y < height; ++strip) {
      const std::uint32_t rows = std::min(page.rows_per_strip, height - y);
      const auto bytes = tmsize_t(rows * std::uint64_t(image.pitch()));
      std::byte* target = row_of(image, y);
      if (tiff_([&](TIFF* t) { return TIFFReadEncodedStrip(t, strip, target, bytes); }) != bytes || lost()) {
        fail_decoding("strip", strip);
      }
      if (page.rule.inverted) {
        invert_samples(page.rule, target, std::size_t(rows) * std::size_t(page.stored.width),
                       std::size_t(page.stored.channels));
      }
      y += rows;
    }
  }

  // One stored row at a time; a codec that only decodes whole strips gets a buffer of one strip.
  void decode_rows(const TiffPage& page, Image& image) {
    const std::uint64_t row_bytes = page.stored_row_bytes(std::uint64_t(page.stored.width));
    require_row_bytes(page, tiff_([](TIFF* t) { return TIFFScanlineSize64(t); }), std::uint64_t(page.stored.width));
    const bool whole_strips = page.compression == COMPRESSION_JBIG;
    const auto height = std::uint32_t(page.stored.height);
    const std::uint32_t group = whole_strips ? page.rows_per_strip : 1;
    std::vector<std::byte> buffer(std::size_t(row_bytes * group));
    for (std::uint16_t plane = 0; plane < page.planes(); ++plane) {
      for (std::uint32_t y = 0; y < height; ++y) {
        const bool filled =
            y % group != 0 ||
            (whole_strips ? read_strip(y, plane, buffer, row_bytes * std::min(group, height - y))
                          : tiff_([&](TIFF* t) { return TIFFReadScanline(t, buffer.data(), y, plane) == 1; }));
        if (!filled || lost()) fail_decoding("row", y);
        place(page, buffer.data() + y % group * row_bytes, std::size_t(page.stored.width), row_of(image, y), plane);
      }
    }
  }

  bool read_strip(std::uint32_t y, std::uint16_t plane, std::vector<std::byte>& buffer, std::uint64_t bytes) {
    return tiff_([&](TIFF* t) {
      return TIFFReadEncodedStrip(t, TIFFComputeStrip(t, y, plane), buffer.data(), tmsize_t(bytes)) == tmsize_t(bytes);
    });
  }

  void decode_tiles(const TiffPage& page, Image& image) {
    const std::uint64_t row_bytes = page.stored_row_bytes(page.tile_width);
    require_row_bytes(page, tiff_([](TIFF* t) { return TIFFTileRowSize64(t); }), page.tile_width);
    std::vector<std::byte> buffer(std::size_t(row_bytes * page.tile_height));
    const auto width = std::uint32_t(page.stored.width);
    const auto height = std::uint32_t(page.stored.height);
    const std::size_t pixel_bytes = std::size_t(page.stored.channels) * bytes_of(page.stored.format);
    for (std::uint16_t plane = 0; plane < page.planes(); ++plane) {
      for (std::uint64_t y0 = 0; y0 < height; y0 += page.tile_height) {
        for (std::uint64_t x0 = 0; x0 < width; x0 += page.tile_width) {
          const std::uint32_t tile =
              tiff_([&](TIFF* t) { return TIFFComputeTile(t, std::uint32_t(x0), std::uint32_t(y0), 0, plane); });
          const auto bytes = tmsize_t(buffer.size());
          if (tiff_([&](TIFF* t) { return TIFFReadEncodedTile(t, tile, buffer.data(), bytes); }) != bytes || lost()) {
            fail_decoding("tile", tile);
          }
          const auto columns = std::size_t(std::min<std::uint64_t>(page.tile_width, width - x0));
          const std::uint64_t rows = std::min<std::uint64_t>(page.tile_height, height - y0);
          for (std::uint64_t y = 0; y < rows; ++y) {
            place(page, buffer.data() + y * row_bytes, columns, row_of(image, y0 + y) + x0 * pixel_bytes, plane);
          }
        }
      }
    }
  }

  void decode_rgba(const TiffPage& page, Image& image) {
    const auto width = std::uint32_t(page.stored.width);
    const auto height = std::uint32_t(page.stored.height);
    const std::uint32_t band = std::min(height, page.tile_width != 0 ? page.tile_height : page.rows_per_strip);
    const std::uint64_t raster_bytes = claimed_bytes(width, band, 4, Format::u8);
    require_plausible(file_.path(), raster_bytes, file_.bytes(), options_, "page " + std::to_string(number_) + ": ");
    std::vector<std::uint32_t> raster(std::size_t(width) * band);

    struct Rgba {
      TIFFRGBAImage image{};
      bool open = false;
      ~Rgba() {
        if (open) TIFFRGBAImageEnd(&image);
      }
    } rgba;
    char reason[1024] = "";
    rgba.open = tiff_([&](TIFF* t) { return TIFFRGBAImageBegin(&rgba.image, t, 1, reason); }) != 0;
    if (!rgba.open) fail(ErrorKind::io, said(reason));
    rgba.image.req_orientation = rgba.image.orientation;
    for (std::uint32_t y0 = 0; y0 < height; y0 += band) {
      const std::uint32_t rows = std::min(band, height - y0);
      rgba.image.row_offset = int(y0);
      if (!tiff_([&](TIFF*) { return TIFFRGBAImageGet(&rgba.image, raster.data(), width, rows); }) || lost()) {
        fail_decoding("row", y0);
      }
      for (std::uint32_t y = 0; y < rows; ++y) {
        auto* target = reinterpret_cast<std::uint8_t*>(row_of(image, y0 + y));
        for (const std::uint32_t *pixel = raster.data() + std::size_t(y) * width, *end = pixel + width; pixel != end;
             ++pixel) {
          *target++ = std::uint8_t(TIFFGetR(*pixel));
          *target++ = std::uint8_t(TIFFGetG(*pixel));
          *target++ = std::uint8_t(TIFFGetB(*pixel));
        }
      }
    }
  }

  InputFile& file_;
  const ReadOptions& options_;
  TiffHandle tiff_;
  int number_ = 0;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

Image read_tiff(InputFile& file, const ReadOptions& options) { return TiffReader(file, options).decode(); }

int read_tiff_pages(InputFile& file, const std::function<void(int, Image)>& page, const ReadOptions& options) {
  TiffReader reader(file, options);
  do {
    page(reader.number(), reader.decode());
  } while (reader.next());
  return reader.number() + 1;
}

FileInfo inspect_tiff(InputFile& file, const ReadOptions& options) {
  TiffReader reader(file, options);
  TiffPage page = reader.describe();
  FileInfo info;
  info.path = file.path();
  info.format = "tiff";
  info.shape = upright(page.stored, page.orientation);
  info.bits = page.rule.bits;
  info.compression = tiff_compression_name(page.compression);
  info.notes = std::move(page.notes);
  while (reader.next()) {
  }
  info.pages = reader.number() + 1;
  return info;
}

}  // namespace zp::io
