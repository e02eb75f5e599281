// PNG files: read, described and written through libpng.
// SPDX-License-Identifier: Apache-2.0
#include "io/png.h"

#include <png.h>

#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "io/exif.h"
#include "io/failure.h"

namespace zp::io {
namespace {

// libpng reports an error by a long jump, which must not cross a destructor: `text` is plain memory, and guarded() runs
// bodies that own nothing.
struct Escape {
  std::jmp_buf target;
  char text[256] = "";
};

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
  auto* escape = static_cast<Escape*>(png_get_error_ptr(png));
  std::snprintf(escape->text, sizeof escape->text, "%s", text);
  std::longjmp(escape->target, 1);
}

void on_warning(png_structp, png_const_charp) {}

template <class Body>
bool guarded(Escape& escape, const Body& body) {
  if (setjmp(escape.target) != 0) return false;
  body();
  return true;
}

void read_bytes(png_structp png, png_bytep target, std::size_t count) {
  if (static_cast<InputFile*>(png_get_io_ptr(png))->read(target, count) != count)
    png_error(png, "the file is cut short");
}

void write_bytes(png_structp png, png_bytep source, std::size_t count) {
  if (!static_cast<OutputFile*>(png_get_io_ptr(png))->write(source, count)) png_error(png, "write failed");
}

void flush_bytes(png_structp) {}

constexpr png_uint_32 kLargestSide = 0x7fffffff;

class PngReader {
 public:
  PngReader(InputFile& file, const ReadOptions& options) : file_(file) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &escape_, on_error, on_warning);
    if (png_ == nullptr) throw std::bad_alloc();
    try {
      describe(options);
    } catch (...) {
      png_destroy_read_struct(&png_, &info_, nullptr);
      throw;
    }
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  Image decode() {
    Image image(stored_);
    auto* first = static_cast<png_bytep>(image.data());
    const auto pitch = std::size_t(image.pitch());
    const auto height = std::size_t(image.height());
    run([this, first, pitch, height] {
      const int passes = png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
      if (png_get_rowbytes(png_, info_) != pitch) png_error(png_, "unexpected row size");
      for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t y = 0; y < height; ++y) png_read_row(png_, first + y * pitch, nullptr);
      }
      png_read_end(png_, nullptr);
    });
    return image;
  }

  FileInfo info() {
    FileInfo info;
    info.path = file_.path();
    info.format = "png";
    info.shape = stored_;
    info.bits = bits_;
    info.compression = "deflate";
    info.notes = std::move(notes_);
    return info;
  }

 private:
  template <class Body>
  void run(const Body& body) {
    if (guarded(escape_, body)) return;
    std::string what = escape_.text;
    if (file_.error_number() != 0) what += " (" + system_reason(file_.error_number()) + ")";
    fail_read(ErrorKind::io, file_.path(), what);
  }

  void describe(const ReadOptions& options) {
    png_uint_32 width = 0;
    png_uint_32 height = 0;
    int colour = 0;
    int interlace = 0;
    bool keyed = false;
    run([&] {
      info_ = png_create_info_struct(png_);
      if (info_ == nullptr) png_error(png_, "out of memory");
      png_set_read_fn(png_, &file_, read_bytes);
      png_set_user_limits(png_, kLargestSide, kLargestSide);
      png_read_info(png_, info_);
      png_get_IHDR(png_, info_, &width, &height, &bits_, &colour, &interlace, nullptr, nullptr);
      keyed = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
      if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
      if (colour == PNG_COLOR_TYPE_GRAY && bits_ < 8) png_set_expand_gray_1_2_4_to_8(png_);
      if (keyed) png_set_tRNS_to_alpha(png_);
      if (bits_ == 16 && std::endian::native == std::endian::little) png_set_swap(png_);
    });
    require_dimensions(file_.path(), width, height);
    const bool coloured = (colour & PNG_COLOR_MASK_COLOR) != 0;
    const bool alpha = (colour & PNG_COLOR_MASK_ALPHA) != 0 || keyed;
    stored_ = {int(width), int(height), (coloured ? 3 : 1) + (alpha ? 1 : 0), bits_ == 16 ? Format::u16 : Format::u8};
    require_plausible(file_.path(), claimed_bytes(width, height, std::uint64_t(stored_.channels), stored_.format),
                      file_.bytes(), options);
    if (colour == PNG_COLOR_TYPE_PALETTE) notes_.push_back("palette expanded to RGB");
    if (colour == PNG_COLOR_TYPE_GRAY && bits_ < 8) {
      notes_.push_back(std::to_string(bits_) + " bit samples scaled to 0 to 255");
    }
    if (keyed) notes_.push_back("transparent colour expanded to alpha");
    if (interlace != PNG_INTERLACE_NONE) notes_.push_back("interlaced");
    note_orientation();
  }

  // Viewers disagree about EXIF in PNG, so the rows stay as they are.
  void note_orientation() {
#ifdef PNG_eXIf_SUPPORTED
    png_uint_32 bytes = 0;
    png_bytep block = nullptr;
    run([&] {
      if (png_get_eXIf_1(png_, info_, &bytes, &block) == 0) bytes = 0;
    });
    const int orientation = exif_orientation({block, bytes});
    if (orientation > 1) notes_.push_back("EXIF orientation " + std::to_string(orientation) + " not applied");
#endif
  }

  InputFile& file_;
  Escape escape_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  PlaneShape stored_;
  int bits_ = 8;
  std::vector<std::string> notes_;
};

}  // namespace

Image read_png(InputFile& file, const ReadOptions& options) { return PngReader(file, options).decode(); }

FileInfo inspect_png(InputFile& file, const ReadOptions& options) { return PngReader(file, options).info(); }

void require_png(const std::string& path, const ConstPlaneView& image) {
  const PlaneShape& shape = image.shape;
  if (shape.format != Format::u8 && shape.format != Format::u16) {
    fail_write(ErrorKind::unsupported, path,
               "PNG holds u8 and u16, not " + std::string(name_of(shape.format)) + "; convert to u16, or write TIFF");
  }
}

void write_png(OutputFile& file, const ConstPlaneView& image, const WriteOptions& options) {
  constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
  Escape escape;
  struct Writer {
    png_structp png = nullptr;
    png_infop info = nullptr;
    ~Writer() { png_destroy_write_struct(&png, &info); }
  } writer;
  writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &escape, on_error, on_warning);
  if (writer.png == nullptr) throw std::bad_alloc();

  const PlaneShape shape = image.shape;
  const auto* first = static_cast<png_const_bytep>(image.data);
  const std::ptrdiff_t pitch = image.pitch;
  const auto dots_per_metre = png_uint_32(std::lround(options.dots_per_inch / 0.0254));
  const bool written = guarded(escape, [&writer, &file, shape, first, pitch, dots_per_metre, &kColours] {
    png_structp png = writer.png;
    writer.info = png_create_info_struct(png);
    if (writer.info == nullptr) png_error(png, "out of memory");
    png_set_write_fn(png, &file, write_bytes, flush_bytes);
    png_set_user_limits(png, kLargestSide, kLargestSide);
    // Frames of tens of megabytes: the difference to the left neighbour and a fast deflate lose little of the size.
    png_set_compression_level(png, 3);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_compression_buffer_size(png, std::size_t(1) << 16);
    png_set_IHDR(png, writer.info, png_uint_32(shape.width), png_uint_32(shape.height),
                 shape.format == Format::u16 ? 16 : 8, kColours[shape.channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (dots_per_metre > 0) {
      png_set_pHYs(png, writer.info, dots_per_metre, dots_per_metre, PNG_RESOLUTION_METER);
    }
    png_write_info(png, writer.info);
    if (shape.format == Format::u16 && std::endian::native == std::endian::little) png_set_swap(png);
    for (int y = 0; y < shape.height; ++y) png_write_row(png, first + y * pitch);
    png_write_end(png, writer.info);
  });
  if (!written) {
    fail_write(ErrorKind::io, file.path(),
               file.error_number() != 0 ? system_reason(file.error_number()) : std::string(escape.text));
  }
}

}  // namespace zp::io
