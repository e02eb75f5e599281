// Every compression of the installed libtiff that our own writer does not use, encoded by libtiff and read back.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tiffio.h>

#include <cmath>

#include "io/files.h"

namespace zp::tests {
namespace {

constexpr int kSide = 48;

struct Stored {
  int compression, photometric, samples, bits;
  bool planar = false;
  bool tiled = false;
};

// An image of `sample` in strips of 16 rows or tiles of 16x16.
bool encode(const std::string& path, const Stored& s, const std::function<std::uint8_t(int, int, int)>& sample) {
  // One encoder warns that its code is the old one.
  const TIFFErrorHandler before = TIFFSetWarningHandler(nullptr);
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  if (tiff == nullptr) return false;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kSide);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kSide);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, s.samples);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, s.bits);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, s.compression);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, s.photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, s.planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  if (s.compression == COMPRESSION_WEBP) TIFFSetField(tiff, TIFFTAG_WEBP_LOSSLESS, 1);
  const int part = s.planar ? 1 : s.samples;
  // libtiff codes JBIG in one strip only.
  const int side = s.compression == COMPRESSION_JBIG ? kSide : 16;
  if (s.tiled) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, side);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, side);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, side);
  }
  const int width = s.tiled ? side : kSide;
  bool good = true;
  std::uint32_t chunk = 0;
  for (int plane = 0; plane < (s.planar ? s.samples : 1); ++plane) {
    for (int y0 = 0; y0 < kSide; y0 += side) {
      for (int x0 = 0; x0 < kSide; x0 += width) {
        Bytes bytes(std::size_t(width * side * part * s.bits / 8));
        for (int y = 0; y < side; ++y) {
          for (int x = 0; x < width; ++x) {
            for (int c = 0; c < part; ++c) {
              const std::uint8_t value = sample(x0 + x, y0 + y, s.planar ? plane : c);
              const auto index = std::size_t((y * width + x) * part + c);
              if (s.bits == 1) {
                bytes[index / 8] = std::uint8_t(bytes[index / 8] | (value & 1) << (7 - index % 8));
              } else {
                bytes[index] = value;
              }
            }
          }
        }
        const auto size = tmsize_t(bytes.size());
        good = good && (s.tiled ? TIFFWriteEncodedTile(tiff, chunk, bytes.data(), size)
                                : TIFFWriteEncodedStrip(tiff, chunk, bytes.data(), size)) == size;
        ++chunk;
      }
    }
  }
  good = TIFFFlush(tiff) == 1 && good;
  TIFFClose(tiff);
  TIFFSetWarningHandler(before);
  return good;
}

std::uint8_t pattern(int x, int y, int c) { return std::uint8_t(x * 5 + y * 3 + c * 40 + (x * y) % 7); }

class CodecTest : public testing::TestWithParam<std::pair<const char*, Stored>> {};

TEST_P(CodecTest, reads_what_libtiff_encodes_without_loss) {
  const Stored& stored = GetParam().second;
  if (!TIFFIsCODECConfigured(std::uint16_t(stored.compression))) GTEST_SKIP() << "not in the installed libtiff";
  const TemporaryFolder folder;
  const std::string path = folder / "a.tif";
  ASSERT_TRUE(encode(path, stored, pattern));
  const Image image = read(path);
  ASSERT_EQ(image.shape(), (PlaneShape{kSide, kSide, stored.samples, Format::u8}));
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      for (int c = 0; c < stored.samples; ++c) {
        const bool white = stored.photometric == PHOTOMETRIC_MINISWHITE;
        const int want = stored.bits == 1 ? ((pattern(x, y, c) & 1) != 0) != white ? 255 : 0 : pattern(x, y, c);
        ASSERT_EQ(int(image.as<std::uint8_t>().at(x, y, c)), want) << x << "," << y << "," << c;
      }
    }
  }
}

constexpr int kWhite = PHOTOMETRIC_MINISWHITE, kBlack = PHOTOMETRIC_MINISBLACK, kRgb = PHOTOMETRIC_RGB;
constexpr int kLzma = 34925, kLerc = 34887;

INSTANTIATE_TEST_SUITE_P(
    All, CodecTest,
    testing::Values(std::pair{"ccitt_rle", Stored{COMPRESSION_CCITTRLE, kWhite, 1, 1}},
                    std::pair{"ccitt_t4", Stored{COMPRESSION_CCITTFAX3, kWhite, 1, 1}},
                    std::pair{"ccitt_t6", Stored{COMPRESSION_CCITTFAX4, kBlack, 1, 1}},
                    std::pair{"ccitt_t6_tiles", Stored{COMPRESSION_CCITTFAX4, kWhite, 1, 1, false, true}},
                    std::pair{"jbig", Stored{COMPRESSION_JBIG, kWhite, 1, 1}},
                    std::pair{"lzma", Stored{kLzma, kBlack, 1, 8}},
                    std::pair{"lzma_planes", Stored{kLzma, kRgb, 3, 8, true}},
                    std::pair{"lzw_planes", Stored{COMPRESSION_LZW, kRgb, 3, 8, true}},
                    std::pair{"lzw_plane_tiles", Stored{COMPRESSION_LZW, kRgb, 3, 8, true, true}},
                    std::pair{"old_deflate", Stored{COMPRESSION_DEFLATE, kBlack, 1, 8}},
                    std::pair{"lerc", Stored{kLerc, kBlack, 1, 8}}, std::pair{"lerc_rgb", Stored{kLerc, kRgb, 3, 8}},
                    std::pair{"webp", Stored{COMPRESSION_WEBP, kRgb, 3, 8}},
                    std::pair{"webp_tiles", Stored{COMPRESSION_WEBP, kRgb, 3, 8, false, true}}),
    [](const auto& info) { return std::string(info.param.first); });

TEST(Codec, jpeg_inside_is_near_in_every_layout) {
  const TemporaryFolder folder;
  const auto smooth = [](int x, int y, int c) { return std::uint8_t(40 + x + 2 * y + 10 * c); };
  for (const Stored& stored :
       {Stored{COMPRESSION_JPEG, kBlack, 1, 8}, Stored{COMPRESSION_JPEG, kRgb, 3, 8},
        Stored{COMPRESSION_JPEG, kRgb, 3, 8, true}, Stored{COMPRESSION_JPEG, kRgb, 3, 8, false, true}}) {
    ASSERT_TRUE(encode(folder / "a.tif", stored, smooth));
    const Image image = read(folder / "a.tif");
    ASSERT_EQ(image.channels(), stored.samples);
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        for (int c = 0; c < stored.samples; ++c) {
          ASSERT_NEAR(int(image.as<std::uint8_t>().at(x, y, c)), int(smooth(x, y, c)), 8) << x << "," << y << "," << c;
        }
      }
    }
  }
}

TEST(Codec, a_cut_jpeg_inside_is_refused_and_not_filled_with_grey) {
  const TemporaryFolder folder;
  ASSERT_TRUE(encode(folder / "a.tif", {COMPRESSION_JPEG, kBlack, 1, 8}, pattern));
  Bytes file = load(folder / "a.tif");
  // Put the end-of-image marker into the middle of the first strip's coded samples.
  const auto marker = [&](std::uint8_t name) {
    for (std::size_t i = 8; i + 1 < file.size(); ++i) {
      if (file[i] == 0xff && file[i + 1] == name) return i;
    }
    return std::size_t(0);
  };
  const std::size_t start = marker(0xda);
  const std::size_t end = marker(0xd9);
  ASSERT_GT(end, start + 60);
  file[(start + end) / 2] = 0xff;
  file[(start + end) / 2 + 1] = 0xd9;
  save(folder / "a.tif", file);
  EXPECT_ERROR(ErrorKind::io, "strip 0", read(folder / "a.tif"));
}

TEST(Codec, plain_ycbcr_with_halved_colour_becomes_rgb) {
  const TemporaryFolder folder;
  // 2x2 pixels share a Cb and a Cr: four Y, then both. Grey 100 and the primary red of BT.601.
  TiffBytes::Tags tags = grey_tags(4, 2, 8, 6);
  tags[kBits] = {8, 8, 8};
  tags[kSamples] = {3};
  tags[530] = {2, 2};
  save(folder / "a.tif", TiffBytes().page(tags, {{100, 100, 100, 100, 128, 128, 76, 76, 76, 76, 85, 255}}).bytes());
  const Image image = read(folder / "a.tif");
  ASSERT_EQ(image.shape(), (PlaneShape{4, 2, 3, Format::u8}));
  for (int y = 0; y < 2; ++y) {
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(int(image.as<std::uint8_t>().at(1, y, c)), 100);
      EXPECT_NEAR(int(image.as<std::uint8_t>().at(2, y, c)), c == 0 ? 255 : 0, 2);
    }
  }
}

TEST(Codec, logarithmic_luminance_becomes_float) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.tif";
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  ASSERT_NE(tiff, nullptr);
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_SGILOG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_LOGL);
  TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  float row[] = {0.001f, 1.0f, 5000.0f};
  ASSERT_EQ(TIFFWriteScanline(tiff, row, 0, 0), 1);
  TIFFClose(tiff);
  const Image image = read(path);
  ASSERT_EQ(image.shape(), (PlaneShape{3, 1, 1, Format::f32}));
  // A step of the encoding is 2^(1/256), 0.27 %.
  for (int x = 0; x < 3; ++x) EXPECT_NEAR(image.as<float>().at(x, 0) / row[x], 1, 0.003) << x;
}

}  // namespace
}  // namespace zp::tests
