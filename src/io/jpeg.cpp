// JPEG files: read, described and written through libjpeg-turbo.
// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg.h"

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

// After <cstdio>, which it uses without including.
#include <jpeglib.h>
// After jpeglib.h, for the same reason.
#include <jerror.h>

#include "io/exif.h"
#include "io/failure.h"
#include "io/orientation.h"

namespace zp::io {
namespace {

constexpr std::size_t kBufferBytes = std::size_t(1) << 16;
// A progressive file may carry any number of scans over the whole image; real ones have about ten.
constexpr int kMostScans = 1000;

// libjpeg reports an error by a long jump, which must not cross a destructor: this is plain memory, and guarded() runs
// bodies that own nothing.
struct Escape {
  jpeg_error_mgr manager;  // first, so that libjpeg's pointer is ours
  std::jmp_buf target;
  int code;
  bool lossy;  // a warning that means pixels were made up
  char text[JMSG_LENGTH_MAX];
};

void on_error(j_common_ptr common) {
  auto* escape = reinterpret_cast<Escape*>(common->err);
  escape->code = escape->manager.msg_code;
  escape->manager.format_message(common, escape->text);
  std::longjmp(escape->target, 1);
}

void on_message(j_common_ptr common, int level) {
  if (level >= 0) return;
  auto* escape = reinterpret_cast<Escape*>(common->err);
  switch (escape->manager.msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_BOGUS_PROGRESSION:
      if (!escape->lossy) escape->manager.format_message(common, escape->text);
      escape->lossy = true;
      break;
    default:
      break;  // junk between markers, unknown versions: no pixel is touched
  }
}

void drop_message(j_common_ptr) {}

void prepare(Escape& escape) {
  jpeg_std_error(&escape.manager);
  escape.manager.error_exit = on_error;
  escape.manager.emit_message = on_message;
  escape.manager.output_message = drop_message;
  escape.code = 0;
  escape.lossy = false;
  escape.text[0] = 0;
}

template <class Body>
bool guarded(Escape& escape, const Body& body) {
  if (setjmp(escape.target) != 0) return false;
  body();
  return true;
}

struct Source {
  jpeg_source_mgr manager;  // first, so that libjpeg's pointer is ours
  InputFile* file;
  JOCTET buffer[kBufferBytes];
};

void do_nothing(j_decompress_ptr) {}

boolean fill_buffer(j_decompress_ptr decoder) {
  auto* source = reinterpret_cast<Source*>(decoder->src);
  std::size_t count = source->file->read(source->buffer, kBufferBytes);
  if (count == 0) {
    // Ends every loop inside libjpeg; the warning makes read() fail.
    WARNMS(decoder, JWRN_JPEG_EOF);
    source->buffer[0] = 0xff;
    source->buffer[1] = JPEG_EOI;
    count = 2;
  }
  source->manager.next_input_byte = source->buffer;
  source->manager.bytes_in_buffer = count;
  return TRUE;
}

void skip_bytes(j_decompress_ptr decoder, long count) {
  auto* source = reinterpret_cast<Source*>(decoder->src);
  if (count <= 0) return;
  auto rest = std::size_t(count);
  if (rest > source->manager.bytes_in_buffer) {
    rest -= source->manager.bytes_in_buffer;
    source->file->seek(source->file->position() + rest);
    source->manager.bytes_in_buffer = 0;
    return;
  }
  source->manager.next_input_byte += rest;
  source->manager.bytes_in_buffer -= rest;
}

void limit_scans(j_common_ptr common) {
  auto* decoder = reinterpret_cast<j_decompress_ptr>(common);
  if (decoder->input_scan_number > kMostScans) ERREXIT(decoder, JERR_BAD_PROGRESSION);
}

class JpegReader {
 public:
  JpegReader(InputFile& file, const ReadOptions& options) : file_(file) {
    prepare(escape_);
    decoder_.err = &escape_.manager;
    try {
      describe(options);
    } catch (...) {
      jpeg_destroy_decompress(&decoder_);
      throw;
    }
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() { jpeg_destroy_decompress(&decoder_); }

  Image decode() {
    Image image(stored_);
    auto* first = static_cast<JSAMPROW>(image.data());
    const auto pitch = std::size_t(image.pitch());
    run([this, first, pitch] {
      jpeg_start_decompress(&decoder_);
      if (std::size_t(decoder_.output_width) * std::size_t(decoder_.output_components) != pitch) {
        ERREXIT(&decoder_, JERR_BAD_LENGTH);
      }
      while (decoder_.output_scanline < decoder_.output_height && !escape_.lossy) {
        JSAMPROW rows[4];
        const JDIMENSION y = decoder_.output_scanline;
        JDIMENSION count = 0;
        while (count < 4 && y + count < decoder_.output_height) {
          rows[count] = first + std::size_t(y + count) * pitch;
          ++count;
        }
        jpeg_read_scanlines(&decoder_, rows, count);
      }
      if (!escape_.lossy) jpeg_finish_decompress(&decoder_);
    });
    if (escape_.lossy) fail();
    return upright(std::move(image), orientation_);
  }

  FileInfo info() {
    FileInfo info;
    info.path = file_.path();
    info.format = "jpeg";
    info.shape = upright(stored_, orientation_);
    info.compression = "jpeg";
    if (stored_.channels == 3 && decoder_.jpeg_color_space == JCS_YCbCr) info.notes.push_back("YCbCr converted to RGB");
    if (orientation_ > 1) info.notes.push_back(orientation_note(orientation_));
    return info;
  }

 private:
  [[noreturn]] void fail() {
#if JPEG_LIB_VERSION < 70
    constexpr int kArithmetic = JERR_ARITH_NOTIMPL;
#else
    constexpr int kArithmetic = JERR_NOTIMPL;  // libraries of the later interface name it so, or decode it
#endif
    const bool variety =
        escape_.code == JERR_BAD_PRECISION || escape_.code == JERR_SOF_UNSUPPORTED || escape_.code == kArithmetic;
    std::string what = escape_.text;
    if (file_.error_number() != 0) what += " (" + system_reason(file_.error_number()) + ")";
    fail_read(variety ? ErrorKind::unsupported : ErrorKind::io, file_.path(), what);
  }

  template <class Body>
  void run(const Body& body) {
    if (!guarded(escape_, body)) fail();
  }

  void describe(const ReadOptions& options) {
    run([this] {
      jpeg_create_decompress(&decoder_);
      source_.file = &file_;
      source_.manager = {};
      source_.manager.init_source = do_nothing;
      source_.manager.fill_input_buffer = fill_buffer;
      source_.manager.skip_input_data = skip_bytes;
      source_.manager.resync_to_restart = jpeg_resync_to_restart;
      source_.manager.term_source = do_nothing;
      decoder_.src = &source_.manager;
      progress_.progress_monitor = limit_scans;
      decoder_.progress = &progress_;
      jpeg_save_markers(&decoder_, JPEG_APP0 + 1, 0xffff);
      jpeg_read_header(&decoder_, TRUE);
    });
    if (escape_.lossy) fail();
    int channels = 1;
    switch (decoder_.jpeg_color_space) {
      case JCS_GRAYSCALE:
        decoder_.out_color_space = JCS_GRAYSCALE;
        break;
      case JCS_RGB:
      case JCS_YCbCr:
        decoder_.out_color_space = JCS_RGB;
        channels = 3;
        break;
      default:
        fail_read(ErrorKind::unsupported, file_.path(),
                  "a JPEG of " + std::to_string(decoder_.num_components) +
                      " components (CMYK, YCCK or unknown colours) is not read; convert it to RGB first");
    }
    require_dimensions(file_.path(), decoder_.image_width, decoder_.image_height);
    stored_ = {int(decoder_.image_width), int(decoder_.image_height), channels, Format::u8};
    require_plausible(file_.path(),
                      claimed_bytes(decoder_.image_width, decoder_.image_height, std::uint64_t(channels), Format::u8),
                      file_.bytes(), options);
    for (const jpeg_marker_struct* marker = decoder_.marker_list; marker != nullptr; marker = marker->next) {
      constexpr char kExif[] = "Exif\0";  // and the terminator: six bytes
      if (marker->data_length < sizeof kExif || std::memcmp(marker->data, kExif, sizeof kExif) != 0) continue;
      orientation_ = exif_orientation({marker->data + sizeof kExif, marker->data_length - sizeof kExif});
      break;
    }
  }

  InputFile& file_;
  Escape escape_;
  Source source_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct decoder_{};
  PlaneShape stored_;
  int orientation_ = 1;
};

struct Sink {
  jpeg_destination_mgr manager;  // first, so that libjpeg's pointer is ours
  OutputFile* file;
  JOCTET buffer[kBufferBytes];
};

void start_buffer(j_compress_ptr encoder) {
  auto* sink = reinterpret_cast<Sink*>(encoder->dest);
  sink->manager.next_output_byte = sink->buffer;
  sink->manager.free_in_buffer = kBufferBytes;
}

boolean empty_buffer(j_compress_ptr encoder) {
  auto* sink = reinterpret_cast<Sink*>(encoder->dest);
  if (!sink->file->write(sink->buffer, kBufferBytes)) ERREXIT(encoder, JERR_FILE_WRITE);
  start_buffer(encoder);
  return TRUE;
}

void end_buffer(j_compress_ptr encoder) {
  auto* sink = reinterpret_cast<Sink*>(encoder->dest);
  if (!sink->file->write(sink->buffer, kBufferBytes - sink->manager.free_in_buffer)) ERREXIT(encoder, JERR_FILE_WRITE);
}

struct Encoder {
  Escape escape;
  Sink sink;
  jpeg_compress_struct state{};
  ~Encoder() { jpeg_destroy_compress(&state); }
};

}  // namespace

Image read_jpeg(InputFile& file, const ReadOptions& options) {
  return std::make_unique<JpegReader>(file, options)->decode();
}

FileInfo inspect_jpeg(InputFile& file, const ReadOptions& options) {
  return std::make_unique<JpegReader>(file, options)->info();
}

void require_jpeg(const std::string& path, const ConstPlaneView& image, const WriteOptions& options) {
  const PlaneShape& shape = image.shape;
  if (shape.format != Format::u8) {
    fail_write(ErrorKind::unsupported, path,
               "JPEG holds u8, not " + std::string(name_of(shape.format)) + "; convert to u8, or write TIFF or PNG");
  }
  if (shape.channels != 1 && shape.channels != 3) {
    fail_write(ErrorKind::unsupported, path,
               "JPEG holds 1 or 3 channels, not " + std::to_string(shape.channels) +
                   "; convert to grey or RGB, or write TIFF or PNG");
  }
  if (shape.width > JPEG_MAX_DIMENSION || shape.height > JPEG_MAX_DIMENSION) {
    fail_write(ErrorKind::unsupported, path,
               "JPEG holds up to " + std::to_string(JPEG_MAX_DIMENSION) + " pixels a side, not " +
                   std::to_string(shape.width) + "x" + std::to_string(shape.height) + "; write TIFF or PNG");
  }
  if (options.quality < 1 || options.quality > 100) {
    fail_write(ErrorKind::invalid_argument, path,
               "WriteOptions::quality is " + std::to_string(options.quality) + ", allowed is 1 to 100");
  }
}

void write_jpeg(OutputFile& file, const ConstPlaneView& image, const WriteOptions& options) {
  const auto encoder = std::make_unique<Encoder>();
  prepare(encoder->escape);
  encoder->state.err = &encoder->escape.manager;
  encoder->sink.file = &file;
  Encoder* const plain = encoder.get();
  const PlaneShape shape = image.shape;
  const auto* first = static_cast<const JSAMPLE*>(image.data);
  const std::ptrdiff_t pitch = image.pitch;
  const int quality = options.quality;
  const auto dots_per_inch = UINT16(std::lround(std::min(options.dots_per_inch, 65535.0)));
  const bool written = guarded(plain->escape, [plain, shape, first, pitch, quality, dots_per_inch] {
    jpeg_compress_struct* state = &plain->state;
    jpeg_create_compress(state);
    plain->sink.manager = {};
    plain->sink.manager.init_destination = start_buffer;
    plain->sink.manager.empty_output_buffer = empty_buffer;
    plain->sink.manager.term_destination = end_buffer;
    state->dest = &plain->sink.manager;
    state->image_width = JDIMENSION(shape.width);
    state->image_height = JDIMENSION(shape.height);
    state->input_components = shape.channels;
    state->in_color_space = shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(state);
    jpeg_set_quality(state, quality, TRUE);
    if (dots_per_inch > 0) {
      state->density_unit = 1;
      state->X_density = state->Y_density = dots_per_inch;
    }
    // Halved colour is seen before the rounding of a high quality is.
    if (quality >= 90) state->comp_info[0].h_samp_factor = state->comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(state, TRUE);
    while (state->next_scanline < state->image_height) {
      JSAMPROW row = const_cast<JSAMPROW>(first + std::ptrdiff_t(state->next_scanline) * pitch);
      jpeg_write_scanlines(state, &row, 1);
    }
    jpeg_finish_compress(state);
  });
  if (!written) {
    fail_write(ErrorKind::io, file.path(),
               file.error_number() != 0 ? system_reason(file.error_number()) : std::string(plain->escape.text));
  }
}

}  // namespace zp::io
