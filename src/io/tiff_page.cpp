// What one TIFF directory says about its pixels, and how they become a plane.
// SPDX-License-Identifier: Apache-2.0
#include "io/tiff_page.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "io/failure.h"
#include "io/orientation.h"

namespace zp::io {
namespace {

constexpr std::pair<std::uint16_t, const char*> kCompressions[] = {
    {COMPRESSION_NONE, "none"},
    {COMPRESSION_CCITTRLE, "ccitt_rle"},
    {COMPRESSION_CCITTFAX3, "ccitt_t4"},
    {COMPRESSION_CCITTFAX4, "ccitt_t6"},
    {COMPRESSION_LZW, "lzw"},
    {COMPRESSION_OJPEG, "old_jpeg"},
    {COMPRESSION_JPEG, "jpeg"},
    {COMPRESSION_ADOBE_DEFLATE, "deflate"},
    {COMPRESSION_NEXT, "next"},
    {COMPRESSION_CCITTRLEW, "ccitt_rlew"},
    {COMPRESSION_PACKBITS, "packbits"},
    {COMPRESSION_THUNDERSCAN, "thunderscan"},
    {COMPRESSION_PIXARLOG, "pixarlog"},
    {COMPRESSION_DEFLATE, "deflate"},
    {COMPRESSION_JBIG, "jbig"},
    {COMPRESSION_SGILOG, "sgilog"},
    {COMPRESSION_SGILOG24, "sgilog24"},
    {COMPRESSION_JP2000, "jpeg2000"},
    {34887, "lerc"},
    {34925, "lzma"},
    {50000, "zstd"},
    {50001, "webp"},
    {50002, "jpegxl"},
};

class Describer {
 public:
  Describer(TiffHandle& tiff, const InputFile& file, int number, const ReadOptions& options)
      : tiff_(tiff), file_(file), where_("page " + std::to_string(number) + ": "), options_(options) {}

  TiffPage run() {
    find_size();
    find_compression();
    find_samples();
    find_colour();
    find_orientation();
    find_chunks();
    require_room();
    return std::move(page_);
  }

 private:
  template <class T>
  T field(std::uint32_t tag, T otherwise) {
    T value = otherwise;
    return tiff_([&](TIFF* t) { return TIFFGetFieldDefaulted(t, tag, &value); }) == 1 ? value : otherwise;
  }
  bool present(std::uint32_t tag, std::uint16_t& value) {
    return tiff_([&](TIFF* t) { return TIFFGetField(t, tag, &value); }) == 1;
  }

  [[noreturn]] void fail(ErrorKind kind, const std::string& what) { fail_read(kind, file_.path(), where_ + what); }
  [[noreturn]] void unsupported(const std::string& tag, const std::string& what) {
    fail(ErrorKind::unsupported, "tag " + tag + ": " + what);
  }
  void note(const std::string& text) { page_.notes.push_back(text); }

  void find_size() {
    const auto width = field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
    const auto height = field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
    require_dimensions(file_.path(), width, height, where_ + "tags ImageWidth, ImageLength: ");
    page_.stored.width = int(width);
    page_.stored.height = int(height);
    const auto depth = field<std::uint32_t>(TIFFTAG_IMAGEDEPTH, 1);
    if (depth > 1) unsupported("ImageDepth", std::to_string(depth) + " slices in one directory are not read");
  }

  void find_compression() {
    page_.compression = field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    if (!tiff_([&](TIFF*) { return TIFFIsCODECConfigured(page_.compression); })) {
      unsupported("Compression", tiff_compression_name(page_.compression) + " is not in the installed libtiff");
    }
  }

  void find_samples() {
    page_.samples = field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
    if (page_.samples < 1 || page_.samples > 4) {
      unsupported("SamplesPerPixel", std::to_string(page_.samples) + " samples, read are 1 to 4");
    }
    page_.planar = page_.samples > 1 && field<std::uint16_t>(TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE;
    const bool known = present(TIFFTAG_PHOTOMETRIC, photometric_);
    if (!known) {
      photometric_ = page_.samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
      note(std::string("no tag PhotometricInterpretation: taken as ") + (page_.samples >= 3 ? "RGB" : "min-is-black"));
    }
    if (photometric_ == PHOTOMETRIC_LOGL || photometric_ == PHOTOMETRIC_LOGLUV) ask_for_floats();

    page_.rule.bits = field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
    const auto format = field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const int bits = page_.rule.bits;
    const auto bits_are = [&](std::initializer_list<int> read) {
      return std::find(read.begin(), read.end(), bits) != read.end();
    };
    switch (format) {
      case SAMPLEFORMAT_VOID:
        note("tag SampleFormat: untyped samples taken as unsigned");
        [[fallthrough]];
      case SAMPLEFORMAT_UINT:
        page_.rule.kind = SampleRule::Kind::unsigned_integer;
        if (!bits_are({1, 2, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 32, 64})) refuse_bits("unsigned");
        page_.rule.format = bits <= 8 ? Format::u8 : bits <= 16 ? Format::u16 : bits == 32 ? Format::u32 : Format::f32;
        break;
      case SAMPLEFORMAT_INT:
        page_.rule.kind = SampleRule::Kind::signed_integer;
        if (!bits_are({8, 16, 24, 32, 64})) refuse_bits("signed");
        page_.rule.format = Format::f32;
        break;
      case SAMPLEFORMAT_IEEEFP:
        page_.rule.kind = SampleRule::Kind::floating;
        if (!bits_are({16, 32, 64})) refuse_bits("float");
        page_.rule.format = Format::f32;
        break;
      default:
        unsupported("SampleFormat", "value " + std::to_string(format) + " (complex or unknown) is not read");
    }
    page_.stored.format = page_.rule.format;
    page_.stored.channels = page_.samples;
    note_samples();
  }

  [[noreturn]] void refuse_bits(const std::string& kind) {
    unsupported("BitsPerSample", std::to_string(page_.rule.bits) + " bit " + kind + " samples are not read");
  }

  void note_samples() {
    const std::string bits = std::to_string(page_.rule.bits) + " bit ";
    if (page_.rule.kind == SampleRule::Kind::signed_integer) {
      note(bits + "signed samples delivered as f32, values unchanged");
    } else if (page_.rule.format == Format::f32 && page_.rule.bits != 32) {
      note(bits + (page_.rule.kind == SampleRule::Kind::floating ? "float" : "unsigned") +
           " samples delivered as f32, values unchanged");
    } else if (page_.rule.format == Format::u16 && page_.rule.bits < 16) {
      note(bits + "packed samples delivered as u16, values unchanged (0 to " +
           std::to_string((1 << page_.rule.bits) - 1) + ")");
    }
  }

  // libtiff decodes the logarithmic encodings to floats on request, and then reports floats.
  void ask_for_floats() {
    if (!tiff_([](TIFF* t) { return TIFFSetField(t, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT); })) {
      unsupported("PhotometricInterpretation", "logarithmic samples without SGILOG compression are not read");
    }
    note(photometric_ == PHOTOMETRIC_LOGL ? "LogL decoded to luminance" : "LogLuv decoded to CIE XYZ");
  }

  void find_colour() {
    switch (photometric_) {
      case PHOTOMETRIC_MINISBLACK:
      case PHOTOMETRIC_MASK:
      case PHOTOMETRIC_CFA:
      case 34892:  // linear raw
        spread_small_samples();
        break;
      case PHOTOMETRIC_MINISWHITE:
        if (page_.rule.kind != SampleRule::Kind::floating && page_.rule.format == Format::f32 &&
            (page_.rule.bits > 24 || page_.rule.kind == SampleRule::Kind::unsigned_integer)) {
          unsupported("PhotometricInterpretation",
                      "min-is-white with " + std::to_string(page_.rule.bits) + " bit integer samples is not read");
        }
        spread_small_samples();
        page_.rule.inverted = true;
        note("min-is-white inverted");
        break;
      case PHOTOMETRIC_RGB:
        spread_small_samples();
        break;
      case PHOTOMETRIC_LOGL:
      case PHOTOMETRIC_LOGLUV:
        break;
      case PHOTOMETRIC_PALETTE:
        find_palette();
        break;
      case PHOTOMETRIC_YCBCR:
        find_ycbcr();
        break;
      default:
        unsupported("PhotometricInterpretation", photometric_name() + " is not read; convert it to RGB first");
    }
    if (photometric_ == PHOTOMETRIC_CFA) note("colour filter mosaic, delivered as stored");
    note_extra_samples();
  }

  std::string photometric_name() const {
    switch (photometric_) {
      case PHOTOMETRIC_SEPARATED:
        return "separated inks (CMYK)";
      case PHOTOMETRIC_CIELAB:
        return "CIE L*a*b*";
      case PHOTOMETRIC_ICCLAB:
        return "ICC L*a*b*";
      case PHOTOMETRIC_ITULAB:
        return "ITU L*a*b*";
      default:
        return "value " + std::to_string(photometric_);
    }
  }

  void spread_small_samples() {
    if (page_.rule.bits >= 8) return;
    page_.rule.scaled = true;
    note(std::to_string(page_.rule.bits) + " bit samples scaled to 0 to 255");
  }

  void find_palette() {
    if (page_.samples != 1 || page_.rule.kind != SampleRule::Kind::unsigned_integer || page_.rule.bits > 16) {
      unsupported("PhotometricInterpretation", "a palette is read for one unsigned sample of 1 to 16 bits only");
    }
    std::array<std::uint16_t*, 3> map{};
    if (!tiff_([&](TIFF* t) { return TIFFGetField(t, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]); }) ||
        map[0] == nullptr || map[1] == nullptr || map[2] == nullptr) {
      fail(ErrorKind::io, "tag ColorMap: missing for a palette image");
    }
    const std::size_t entries = std::size_t(1) << page_.rule.bits;
    const auto every = [&](auto&& holds) {
      return std::all_of(map.begin(), map.end(),
                         [&](const std::uint16_t* channel) { return std::all_of(channel, channel + entries, holds); });
    };
    const bool small = every([](std::uint16_t v) { return v < 256; });
    const bool eight_bit = small || every([](std::uint16_t v) { return (v & 255) == 0; }) ||
                           every([](std::uint16_t v) { return (v & 255) == v >> 8; });
    const bool grey = std::equal(map[0], map[0] + entries, map[1]) && std::equal(map[0], map[0] + entries, map[2]);

    page_.rule.palette_channels = grey ? 1 : 3;
    page_.rule.format = eight_bit ? Format::u8 : Format::u16;
    page_.rule.palette.resize(entries * std::size_t(page_.rule.palette_channels));
    for (std::size_t i = 0; i < page_.rule.palette.size(); ++i) {
      const std::uint16_t value =
          map[i % std::size_t(page_.rule.palette_channels)][i / std::size_t(page_.rule.palette_channels)];
      page_.rule.palette[i] = eight_bit && !small ? std::uint16_t(value >> 8) : value;
    }
    page_.stored.format = page_.rule.format;
    page_.stored.channels = page_.rule.palette_channels;
    page_.notes.clear();
    note(std::string("palette of ") + std::to_string(entries) + " entries expanded to " + (grey ? "grey " : "RGB ") +
         std::string(name_of(page_.rule.format)) + (small ? ", its values taken as 8 bit" : ""));
  }

  void find_ycbcr() {
    if (page_.compression == COMPRESSION_JPEG && !page_.planar) {
      if (!tiff_([](TIFF* t) { return TIFFSetField(t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB); })) {
        fail(ErrorKind::io, "tag Compression: the JPEG decoder does not deliver RGB");
      }
      note("YCbCr converted to RGB");
      return;
    }
    if (page_.compression == COMPRESSION_WEBP) return;
    char reason[1024] = "";
    if (page_.samples != 3 || page_.rule.bits != 8 || page_.rule.kind != SampleRule::Kind::unsigned_integer ||
        !tiff_([&](TIFF* t) { return TIFFRGBAImageOK(t, reason); })) {
      unsupported("PhotometricInterpretation", std::string("this kind of YCbCr is not read") +
                                                   (reason[0] != 0 ? std::string(" (") + reason + ")" : ""));
    }
    page_.through_rgba = true;
    note("YCbCr converted to RGB");
  }

  void note_extra_samples() {
    std::uint16_t count = 0;
    std::uint16_t* kinds = nullptr;
    if (!tiff_([&](TIFF* t) { return TIFFGetField(t, TIFFTAG_EXTRASAMPLES, &count, &kinds); }) || kinds == nullptr) {
      return;
    }
    for (const std::uint16_t kind : std::span(kinds, count)) {
      if (kind == EXTRASAMPLE_ASSOCALPHA) note("associated (premultiplied) alpha kept as stored");
      if (kind == EXTRASAMPLE_UNASSALPHA) note("unassociated alpha kept as stored");
    }
  }

  void find_orientation() {
    page_.orientation = field<std::uint16_t>(TIFFTAG_ORIENTATION, 1);
    if (page_.orientation >= 2 && page_.orientation <= 8) note(orientation_note(page_.orientation));
  }

  void find_chunks() {
    if (tiff_([](TIFF* t) { return TIFFIsTiled(t); })) {
      page_.tile_width = field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0);
      page_.tile_height = field<std::uint32_t>(TIFFTAG_TILELENGTH, 0);
      require_dimensions(file_.path(), page_.tile_width, page_.tile_height, where_ + "tags TileWidth, TileLength: ");
    } else {
      page_.rows_per_strip =
          std::min(field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, UINT32_MAX), std::uint32_t(page_.stored.height));
      if (page_.rows_per_strip == 0) fail(ErrorKind::io, "tag RowsPerStrip: 0 is not allowed");
    }
  }

  void require_room() {
    const auto width = std::uint64_t(page_.stored.width);
    const auto height = std::uint64_t(page_.stored.height);
    const auto channels = std::uint64_t(page_.stored.channels);
    const std::uint64_t stored = saturating_product(page_.stored_row_bytes(width) * page_.planes(), height);
    if (page_.compression == COMPRESSION_NONE && !page_.through_rgba && stored > file_.bytes()) {
      fail(ErrorKind::io, "the uncompressed pixels need " + std::to_string(stored) + " bytes, but the file has only " +
                              std::to_string(file_.bytes()));
    }
    const std::uint64_t claimed = claimed_bytes(width, height, channels, page_.stored.format);
    require_plausible(file_.path(), claimed, file_.bytes(), options_, where_);
    if (page_.tile_width != 0) {
      const std::uint64_t tile = saturating_product(page_.stored_row_bytes(page_.tile_width), page_.tile_height);
      require_plausible(file_.path(), tile, file_.bytes(), options_, where_ + "tags TileWidth, TileLength: ");
    }
  }

  TiffHandle& tiff_;
  const InputFile& file_;
  const std::string where_;
  const ReadOptions& options_;
  TiffPage page_;
  std::uint16_t photometric_ = PHOTOMETRIC_MINISBLACK;
};

}  // namespace

std::string tiff_compression_name(std::uint16_t compression) {
  for (const auto& [value, name] : kCompressions) {
    if (value == compression) return name;
  }
  return "compression " + std::to_string(compression);
}

TiffPage describe_tiff_page(TiffHandle& tiff, const InputFile& file, int number, const ReadOptions& options) {
  return Describer(tiff, file, number, options).run();
}

}  // namespace zp::io
