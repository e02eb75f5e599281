// TIFF files put together byte by byte, so that no library's reading of its own writing hides a fault.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/files.h"

namespace zp::tests {
namespace {

using Values = std::vector<double>;

class TiffBytesTest : public testing::Test {
 protected:
  Image read_back(const TiffBytes& file, const ReadOptions& options = {}) {
    save(path, file.bytes());
    return read(path, options);
  }
  Image read_page(const TiffBytes::Tags& tags, const Bytes& pixels) {
    return read_back(TiffBytes().page(tags, {pixels}));
  }
  std::vector<std::string> notes() { return inspect(path).notes; }

  TemporaryFolder folder;
  std::string path = folder / "made.tif";
};

template <class T>
Bytes little(const std::vector<T>& values) {
  return TiffBytes().samples(values);
}

TEST_F(TiffBytesTest, CaseA22_min_is_white_of_16_bit_is_inverted_and_stays_16_bit) {
  const Image image = read_page(grey_tags(3, 1, 16, 0), little<std::uint16_t>({0, 65535, 1000}));
  EXPECT_EQ(image.format(), Format::u16);
  EXPECT_EQ(samples_of(image), (Values{65535, 0, 64535}));
  EXPECT_EQ(notes(), std::vector<std::string>{"min-is-white inverted"});
}

TEST_F(TiffBytesTest, min_is_white_of_other_types_mirrors_their_range) {
  EXPECT_EQ(samples_of(read_page(grey_tags(3, 1, 8, 0), {0, 255, 10})), (Values{255, 0, 245}));
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 32, 0), little<std::uint32_t>({0, 7}))),
            (Values{4294967295.0, 4294967288.0}));
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 32, 0, 3), little<float>({0.25f, 1.0f}))), (Values{0.75, 0}));
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 16, 0, 2), little<std::int16_t>({-32768, 5}))), (Values{32767, -6}));
  // 12 bit: 0xABC and 0x001.
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 12, 0), {0xab, 0xc0, 0x01})), (Values{4095 - 2748, 4094}));
  // 1 bit: 1 0 1.
  EXPECT_EQ(samples_of(read_page(grey_tags(3, 1, 1, 0), {0xa0})), (Values{0, 255, 0}));
}

TEST_F(TiffBytesTest, min_is_white_leaves_alpha_alone) {
  for (const std::uint32_t planar : {1u, 2u}) {
    TiffBytes::Tags tags = grey_tags(2, 1, 8, 0);
    tags[kBits] = {8, 8};
    tags[kSamples] = {2};
    tags[kPlanar] = {planar};
    tags[kExtraSamples] = {2};
    const std::vector<Bytes> chunks =
        planar == 1 ? std::vector<Bytes>{{10, 20, 30, 40}} : std::vector<Bytes>{{10, 30}, {20, 40}};
    const Image image = read_back(TiffBytes().page(tags, chunks));
    EXPECT_EQ(image.channels(), 2);
    EXPECT_EQ(samples_of(image), (Values{245, 20, 225, 40})) << planar;
  }
}

TEST_F(TiffBytesTest, CaseA23_packed_12_bit_rows_start_on_a_byte) {
  const Image image = read_page(grey_tags(3, 2, 12), {0xab, 0xcd, 0xef, 0x12, 0x30, 0x00, 0x1f, 0xff, 0x80, 0x00});
  EXPECT_EQ(image.format(), Format::u16);
  EXPECT_EQ(samples_of(image), (Values{2748, 3567, 291, 1, 4095, 2048}));
}

TEST_F(TiffBytesTest, small_samples_spread_over_8_bit) {
  EXPECT_EQ(samples_of(read_page(grey_tags(9, 1, 1), {0x91, 0x80})), (Values{255, 0, 0, 255, 0, 0, 0, 255, 255}));
  EXPECT_EQ(samples_of(read_page(grey_tags(4, 1, 2), {0x1b})), (Values{0, 85, 170, 255}));
  EXPECT_EQ(samples_of(read_page(grey_tags(3, 1, 4), {0x1f, 0x80})), (Values{17, 255, 136}));
  EXPECT_EQ(notes(), std::vector<std::string>{"4 bit samples scaled to 0 to 255"});
}

TEST_F(TiffBytesTest, CaseA21_signed_samples_keep_their_sign) {
  const Image image = read_page(grey_tags(3, 1, 16, 1, 2), little<std::int16_t>({-1, 0, 1}));
  EXPECT_EQ(image.format(), Format::f32);
  EXPECT_EQ(samples_of(image), (Values{-1, 0, 1}));
  EXPECT_EQ(notes(), std::vector<std::string>{"16 bit signed samples delivered as f32, values unchanged"});
  EXPECT_EQ(samples_of(read_page(grey_tags(3, 1, 8, 1, 2), {0x80, 0xff, 0x7f})), (Values{-128, -1, 127}));
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 24, 1, 2), {0xff, 0xff, 0xff, 0x00, 0x00, 0x80})),
            (Values{-1, -8388608}));
}

TEST_F(TiffBytesTest, wide_samples_become_f32_where_that_is_exact_and_are_refused_otherwise) {
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 24), {0xff, 0xff, 0xff, 0x01, 0x02, 0x03})),
            (Values{16777215, 197121}));
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 32, 1, 2), little<std::int32_t>({-16777216, INT32_MIN}))),
            (Values{-16777216, -2147483648.0}));
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 64), little<std::uint64_t>({5, std::uint64_t(1) << 63}))),
            (Values{5, 0x1p63}));
  EXPECT_EQ(samples_of(read_page(grey_tags(2, 1, 64, 1, 3), little<double>({0.5, -1e300 / 1e300}))), (Values{0.5, -1}));
  // 1.5, -2, the smallest half, and infinity.
  EXPECT_EQ(samples_of(read_page(grey_tags(4, 1, 16, 1, 3), little<std::uint16_t>({0x3e00, 0xc000, 0x0001, 0x7c00}))),
            (Values{1.5, -2, 0x1p-24, std::numeric_limits<double>::infinity()}));

  EXPECT_ERROR(ErrorKind::unsupported, "SampleFormat, BitsPerSample",
               read_page(grey_tags(1, 1, 32, 1, 2), little<std::int32_t>({16777217})));
  EXPECT_ERROR(ErrorKind::unsupported, "SampleFormat, BitsPerSample",
               read_page(grey_tags(1, 1, 64, 1, 3), little<double>({0.1})));
  EXPECT_ERROR(ErrorKind::unsupported, "no exact f32", read_page(grey_tags(1, 1, 64, 1, 3), little<double>({1e300})));
}

TEST_F(TiffBytesTest, both_byte_orders_and_big_tiff_read_alike) {
  const std::vector<std::uint16_t> values = {1, 0x0203, 0xff00, 0x00ff, 40000, 12};
  for (const bool big_endian : {false, true}) {
    for (const bool big_tiff : {false, true}) {
      TiffBytes file(big_endian, big_tiff);
      file.page(grey_tags(3, 2, 16), {file.samples(values)});
      EXPECT_EQ(samples_of(read_back(file)), Values(values.begin(), values.end())) << big_endian << big_tiff;
      TiffBytes floats(big_endian, big_tiff);
      floats.page(grey_tags(2, 1, 32, 1, 3), {floats.samples<float>({1.5f, -3e20f})});
      EXPECT_EQ(samples_of(read_back(floats)), (Values{1.5, double(-3e20f)}));
    }
  }
}

TEST_F(TiffBytesTest, labels_of_32_bit_stay_integers) {
  const Image image = read_page(grey_tags(3, 1, 32), little<std::uint32_t>({0, 16777217, 4294967295u}));
  EXPECT_EQ(image.format(), Format::u32);
  EXPECT_EQ(samples_of(image), (Values{0, 16777217, 4294967295.0}));
}

TEST_F(TiffBytesTest, planes_are_interleaved) {
  TiffBytes::Tags tags = grey_tags(2, 2, 16, 2);
  tags[kBits] = {16, 16, 16};
  tags[kSamples] = {3};
  tags[kPlanar] = {2};
  tags[kRowsPerStrip] = {1};
  std::vector<Bytes> strips;
  for (const std::uint16_t base : {100, 200, 300}) {
    for (const std::uint16_t row : {0, 2}) {
      strips.push_back(little<std::uint16_t>({std::uint16_t(base + row), std::uint16_t(base + row + 1)}));
    }
  }
  const Image image = read_back(TiffBytes().page(tags, strips));
  EXPECT_EQ(samples_of(image), (Values{100, 200, 300, 101, 201, 301, 102, 202, 302, 103, 203, 303}));
}

TEST_F(TiffBytesTest, a_tile_may_be_larger_than_the_image) {
  for (const std::uint32_t bits : {8u, 12u}) {
    TiffBytes::Tags tags = grey_tags(3, 2, bits);
    tags.erase(kRowsPerStrip);
    tags[kTileWidth] = {16};
    tags[kTileLength] = {16};
    const std::size_t row = 16 * bits / 8;
    Bytes tile(16 * row, 0xee);
    const Bytes first = bits == 8 ? Bytes{1, 2, 3} : Bytes{0x00, 0x10, 0x02, 0x00, 0x3e};
    const Bytes second = bits == 8 ? Bytes{4, 5, 6} : Bytes{0x00, 0x40, 0x05, 0x00, 0x6e};
    std::copy(first.begin(), first.end(), tile.begin());
    std::copy(second.begin(), second.end(), tile.begin() + std::ptrdiff_t(row));
    EXPECT_EQ(samples_of(read_back(TiffBytes().page(tags, {tile}))), (Values{1, 2, 3, 4, 5, 6})) << bits;
  }
}

TEST_F(TiffBytesTest, tiles_at_the_right_and_bottom_are_cut) {
  TiffBytes::Tags tags = grey_tags(19, 18, 8);
  tags.erase(kRowsPerStrip);
  tags[kTileWidth] = {16};
  tags[kTileLength] = {16};
  std::vector<Bytes> tiles;
  for (int ty = 0; ty < 2; ++ty) {
    for (int tx = 0; tx < 2; ++tx) {
      Bytes tile;
      for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) tile.push_back(std::uint8_t((ty * 16 + y) * 13 + (tx * 16 + x)));
      }
      tiles.push_back(tile);
    }
  }
  const Image image = read_back(TiffBytes().page(tags, tiles));
  for (int y = 0; y < 18; ++y) {
    for (int x = 0; x < 19; ++x)
      ASSERT_EQ(image.as<std::uint8_t>().at(x, y), std::uint8_t(y * 13 + x)) << x << " " << y;
  }
}

TEST_F(TiffBytesTest, CaseA24_all_eight_orientations_stand_upright) {
  // 3x2 [[1,2,3],[4,5,6]]; the words of the specification say where row 0 and column 0 lie.
  struct Case {
    std::uint32_t orientation;
    int width, height;
    Values upright;
  };
  const Case cases[] = {{1, 3, 2, {1, 2, 3, 4, 5, 6}},   // row 0 top, column 0 left
                        {2, 3, 2, {3, 2, 1, 6, 5, 4}},   // top, right
                        {3, 3, 2, {6, 5, 4, 3, 2, 1}},   // bottom, right
                        {4, 3, 2, {4, 5, 6, 1, 2, 3}},   // bottom, left
                        {5, 2, 3, {1, 4, 2, 5, 3, 6}},   // row 0 left, column 0 top
                        {6, 2, 3, {4, 1, 5, 2, 6, 3}},   // right, top
                        {7, 2, 3, {6, 3, 5, 2, 4, 1}},   // right, bottom
                        {8, 2, 3, {3, 6, 2, 5, 1, 4}}};  // left, bottom
  for (const Case& c : cases) {
    for (const std::uint32_t bits : {8u, 16u}) {
      TiffBytes::Tags tags = grey_tags(3, 2, bits);
      tags[kOrientation] = {c.orientation};
      const Image image =
          read_page(tags, bits == 8 ? Bytes{1, 2, 3, 4, 5, 6} : little<std::uint16_t>({1, 2, 3, 4, 5, 6}));
      EXPECT_EQ(image.width(), c.width) << c.orientation;
      EXPECT_EQ(image.height(), c.height) << c.orientation;
      EXPECT_EQ(samples_of(image), c.upright) << c.orientation;
      EXPECT_EQ(inspect(path).shape, image.shape());
      EXPECT_EQ(notes().size(), c.orientation == 1 ? 0u : 1u);
    }
  }
}

TEST_F(TiffBytesTest, orientation_turns_pixels_of_every_size) {
  for (const std::uint32_t channels : {1u, 2u, 3u, 4u}) {
    for (const std::uint32_t bytes : {1u, 2u, 4u}) {
      // 35 x 41 covers a whole and a cut block of the transposition.
      constexpr std::uint32_t kColumns = 35, kRows = 41;
      TiffBytes::Tags tags = grey_tags(kColumns, kRows, bytes * 8, channels >= 3 ? 2 : 1);
      tags[kBits] = std::vector<std::uint32_t>(channels, bytes * 8);
      tags[kSamples] = {channels};
      tags[kOrientation] = {6};
      if (channels % 2 == 0) tags[kExtraSamples] = {0};
      Bytes pixels;
      std::uint32_t state = 1;
      for (std::uint32_t i = 0; i < kColumns * kRows * channels * bytes; ++i) {
        state = state * 1664525u + 1013904223u;
        pixels.push_back(std::uint8_t(state >> 24));
      }
      const Image image = read_page(tags, pixels);
      ASSERT_EQ(image.width(), int(kRows));
      const std::size_t pixel = channels * bytes;
      for (std::uint32_t y = 0; y < kColumns; ++y) {
        for (std::uint32_t x = 0; x < kRows; ++x) {
          const auto* got = static_cast<const std::uint8_t*>(image.data()) + (y * kRows + x) * pixel;
          const std::uint8_t* want = pixels.data() + ((kRows - 1 - x) * kColumns + y) * pixel;
          ASSERT_EQ(std::memcmp(got, want, pixel), 0) << channels << " x " << bytes << " at " << x << "," << y;
        }
      }
    }
  }
}

class PaletteTest : public TiffBytesTest {
 protected:
  // Indices 0, 1, 3, 2 of 2 bits in one row.
  Image expand(const std::vector<std::uint32_t>& map) {
    TiffBytes::Tags tags = grey_tags(4, 1, 2, 3);
    tags[kColorMap] = map;
    return read_page(tags, {0x1e});
  }
};

TEST_F(PaletteTest, colours_of_8_bit_times_257_become_u8) {
  const Image image = expand({0, 257, 514, 65535, 0, 0, 257, 257, 65535, 0, 0, 257});
  EXPECT_EQ(image.shape(), (PlaneShape{4, 1, 3, Format::u8}));
  EXPECT_EQ(samples_of(image), (Values{0, 0, 255, 1, 0, 0, 255, 1, 1, 2, 1, 0}));
}

TEST_F(PaletteTest, colours_of_8_bit_times_256_become_u8) {
  const Image image = expand({0, 256, 512, 65280, 0, 0, 256, 256, 65280, 0, 0, 256});
  EXPECT_EQ(samples_of(image), (Values{0, 0, 255, 1, 0, 0, 255, 1, 1, 2, 1, 0}));
}

TEST_F(PaletteTest, colours_below_256_are_8_bit_and_noted) {
  const Image image = expand({0, 1, 2, 255, 0, 0, 1, 1, 255, 0, 0, 1});
  EXPECT_EQ(samples_of(image), (Values{0, 0, 255, 1, 0, 0, 255, 1, 1, 2, 1, 0}));
  EXPECT_EQ(notes(), std::vector<std::string>{"palette of 4 entries expanded to RGB u8, its values taken as 8 bit"});
}

TEST_F(PaletteTest, true_16_bit_colours_become_u16) {
  const Image image = expand({0, 1000, 20000, 65535, 0, 0, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(image.shape(), (PlaneShape{4, 1, 3, Format::u16}));
  EXPECT_EQ(samples_of(image), (Values{0, 0, 5, 1000, 0, 6, 65535, 4, 8, 20000, 3, 7}));
}

TEST_F(PaletteTest, a_grey_palette_becomes_one_channel) {
  const Image image = expand({0, 256, 512, 65280, 0, 256, 512, 65280, 0, 256, 512, 65280});
  EXPECT_EQ(image.shape(), (PlaneShape{4, 1, 1, Format::u8}));
  EXPECT_EQ(samples_of(image), (Values{0, 1, 255, 2}));
}

TEST_F(PaletteTest, a_palette_without_its_map_is_an_error) {
  EXPECT_THROW(read_page(grey_tags(4, 1, 2, 3), {0x1e}), Error);
}

TEST_F(TiffBytesTest, legal_varieties_that_are_not_read_name_file_page_and_tag) {
  TiffBytes::Tags cmyk = grey_tags(1, 1, 8, 5);
  cmyk[kBits] = {8, 8, 8, 8};
  cmyk[kSamples] = {4};
  EXPECT_ERROR(ErrorKind::unsupported, "made.tif': page 0: tag PhotometricInterpretation",
               read_page(cmyk, {1, 2, 3, 4}));
  TiffBytes::Tags five = grey_tags(1, 1, 8);
  five[kBits] = {8, 8, 8, 8, 8};
  five[kSamples] = {5};
  EXPECT_ERROR(ErrorKind::unsupported, "page 0: tag SamplesPerPixel: 5", read_page(five, {1, 2, 3, 4, 5}));
  EXPECT_ERROR(ErrorKind::unsupported, "page 0: tag SampleFormat", read_page(grey_tags(1, 1, 64, 1, 6), Bytes(8)));
  EXPECT_ERROR(ErrorKind::unsupported, "page 0: tag BitsPerSample: 20", read_page(grey_tags(2, 1, 20), Bytes(5)));
  EXPECT_ERROR(ErrorKind::unsupported, "page 0: tag BitsPerSample: 3", read_page(grey_tags(2, 1, 3), Bytes(1)));
  TiffBytes::Tags jpeg2000 = grey_tags(1, 1, 8);
  jpeg2000[kCompression] = {34712};
  EXPECT_ERROR(ErrorKind::unsupported, "page 0: tag Compression: jpeg2000", read_page(jpeg2000, {0}));
}

TEST_F(TiffBytesTest, the_page_of_a_fault_is_named) {
  TiffBytes file;
  file.page(grey_tags(2, 1, 8), {{1, 2}}).page(grey_tags(2, 1, 8), {{3, 4}}).page(grey_tags(2, 1, 20), {Bytes(5)});
  save(path, file.bytes());
  int pages = 0;
  EXPECT_ERROR(ErrorKind::unsupported, "page 2: tag BitsPerSample", read_pages(path, [&](int, Image) { ++pages; }));
  EXPECT_EQ(pages, 2);
  EXPECT_EQ(samples_of(read(path)), (Values{1, 2}));
}

TEST_F(TiffBytesTest, a_directory_loop_ends_with_an_error) {
  TiffBytes file;
  file.page(grey_tags(2, 1, 8), {{1, 2}});
  const std::uint64_t second = file.bytes().size() + 2;  // after the two pixels of the next page
  file.page(grey_tags(2, 1, 8), {{3, 4}}).page(grey_tags(2, 1, 8), {{5, 6}}).link_to(second);
  save(path, file.bytes());
  std::vector<double> first;
  EXPECT_ERROR(ErrorKind::io,
               "page 3: ", read_pages(path, [&](int, Image image) { first.push_back(samples_of(image)[0]); }));
  EXPECT_EQ(first, (Values{1, 3, 5}));
  EXPECT_ERROR(ErrorKind::io, "loop", inspect(path));
}

TEST_F(TiffBytesTest, sizes_that_the_file_cannot_hold_are_refused_before_anything_is_allocated) {
  EXPECT_ERROR(ErrorKind::io, "uncompressed", read_page(grey_tags(30000, 30000, 8), {1, 2, 3}));
  EXPECT_ERROR(ErrorKind::io, "uncompressed", read_page(grey_tags(30, 20, 16), Bytes(1000)));
  TiffBytes::Tags lzw = grey_tags(30000, 30000, 8);
  lzw[kCompression] = {5};
  EXPECT_ERROR(ErrorKind::io, "ReadOptions::expansion_limit", read_page(lzw, {1, 2, 3}));
  TiffBytes::Tags wide = grey_tags(200000, 200000, 8);
  wide[kCompression] = {5};
  EXPECT_ERROR(ErrorKind::invalid_argument, "ReadOptions::byte_limit", read_page(wide, {1, 2, 3}));
  TiffBytes::Tags tile = grey_tags(3, 2, 8);
  tile.erase(kRowsPerStrip);
  tile[kCompression] = {5};
  tile[kTileWidth] = {1u << 20};
  tile[kTileLength] = {1u << 20};
  EXPECT_ERROR(ErrorKind::invalid_argument, "TileWidth", read_page(tile, {1, 2, 3}));
}

TEST_F(TiffBytesTest, limits_are_the_callers) {
  TiffBytes file;
  file.page(grey_tags(100, 100, 16), {Bytes(20000)});
  EXPECT_NO_THROW(read_back(file, {.byte_limit = 20000}));
  EXPECT_ERROR(ErrorKind::invalid_argument, "needs 20000 bytes, more than ReadOptions::byte_limit = 19999",
               read_back(file, {.byte_limit = 19999}));
  // 81 MB of zeros: deflate packs them 1000 to 1, zstd far better.
  Image black(Format::u8, 9000, 9000);
  std::memset(black.data(), 0, black.bytes());
  write(path, black, {.compression = "zstd"});
  EXPECT_ERROR(ErrorKind::io, "ReadOptions::expansion_limit = 2000", read(path));
  EXPECT_TRUE(same_bytes(read(path, {.expansion_limit = 0}), black));
  write(path, black, {.compression = "deflate"});
  EXPECT_TRUE(same_bytes(read(path), black));
}

TEST_F(TiffBytesTest, missing_colour_tag_is_guessed_and_noted) {
  TiffBytes::Tags tags = grey_tags(2, 1, 8);
  tags.erase(kPhotometric);
  EXPECT_EQ(samples_of(read_page(tags, {1, 2})), (Values{1, 2}));
  EXPECT_EQ(notes(), std::vector<std::string>{"no tag PhotometricInterpretation: taken as min-is-black"});
}

}  // namespace
}  // namespace zp::tests
