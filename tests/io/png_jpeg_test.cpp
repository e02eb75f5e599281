// PNG and JPEG varieties that our own writer does not make: small depths, palettes, keys, interlace, EXIF.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <png.h>

#include <csetjmp>

#include "io/files.h"

namespace zp::tests {
namespace {

using Values = std::vector<double>;

struct PngParts {
  int width = 1, height = 1, bits = 8, colour = PNG_COLOR_TYPE_GRAY;
  bool interlaced = false;
  std::vector<Bytes> rows = {};  // as stored
  std::vector<png_color> palette = {};
  Bytes palette_alpha = {};
  int grey_key = -1;
};

// libpng's errors end the process here, which fails the test.
void make_png(const std::string& path, PngParts parts) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  png_init_io(png, file);
  png_set_IHDR(png, info, png_uint_32(parts.width), png_uint_32(parts.height), parts.bits, parts.colour,
               parts.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!parts.palette.empty()) png_set_PLTE(png, info, parts.palette.data(), int(parts.palette.size()));
  if (!parts.palette_alpha.empty()) {
    png_set_tRNS(png, info, parts.palette_alpha.data(), int(parts.palette_alpha.size()), nullptr);
  }
  if (parts.grey_key >= 0) {
    png_color_16 key{};
    key.gray = png_uint_16(parts.grey_key);
    png_set_tRNS(png, info, nullptr, 0, &key);
  }
  std::vector<png_bytep> rows;
  for (Bytes& row : parts.rows) rows.push_back(row.data());
  png_set_rows(png, info, rows.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

TEST(Png, small_depths_spread_over_8_bit) {
  const TemporaryFolder folder;
  make_png(folder / "1.png", {.width = 9, .bits = 1, .rows = {{0x91, 0x80}}});
  EXPECT_EQ(samples_of(read(folder / "1.png")), (Values{255, 0, 0, 255, 0, 0, 0, 255, 255}));
  make_png(folder / "2.png", {.width = 4, .bits = 2, .rows = {{0x1b}}});
  EXPECT_EQ(samples_of(read(folder / "2.png")), (Values{0, 85, 170, 255}));
  make_png(folder / "4.png", {.width = 3, .bits = 4, .rows = {{0x1f, 0x80}}});
  EXPECT_EQ(samples_of(read(folder / "4.png")), (Values{17, 255, 136}));
  EXPECT_EQ(inspect(folder / "4.png").notes, std::vector<std::string>{"4 bit samples scaled to 0 to 255"});
  EXPECT_EQ(inspect(folder / "4.png").bits, 4);
}

TEST(Png, a_palette_becomes_rgb_and_its_transparency_alpha) {
  const TemporaryFolder folder;
  PngParts parts{.width = 3, .bits = 2, .colour = PNG_COLOR_TYPE_PALETTE, .rows = {{0x18}}};  // 0 1 2
  parts.palette = {{1, 2, 3}, {40, 50, 60}, {255, 254, 253}};
  make_png(folder / "a.png", parts);
  EXPECT_EQ(samples_of(read(folder / "a.png")), (Values{1, 2, 3, 40, 50, 60, 255, 254, 253}));
  parts.palette_alpha = {7, 0};
  make_png(folder / "b.png", parts);
  EXPECT_EQ(samples_of(read(folder / "b.png")), (Values{1, 2, 3, 7, 40, 50, 60, 0, 255, 254, 253, 255}));
  EXPECT_EQ(inspect(folder / "b.png").shape, (PlaneShape{3, 1, 4, Format::u8}));
}

TEST(Png, a_transparent_grey_becomes_alpha) {
  const TemporaryFolder folder;
  make_png(folder / "a.png", {.width = 3, .bits = 16, .rows = {{0, 1, 1, 2, 0, 3}}, .grey_key = 258});
  const Image image = read(folder / "a.png");
  EXPECT_EQ(image.shape(), (PlaneShape{3, 1, 2, Format::u16}));
  EXPECT_EQ(samples_of(image), (Values{1, 65535, 258, 0, 3, 65535}));
}

TEST(Png, interlaced_equals_plain_at_sizes_where_passes_are_empty) {
  const TemporaryFolder folder;
  for (int width = 1; width <= 9; ++width) {
    for (int height = 1; height <= 9; ++height) {
      PngParts parts{.width = width, .height = height, .bits = 16};
      Values want;
      for (int y = 0; y < height; ++y) {
        Bytes row;
        for (int x = 0; x < width; ++x) {
          row.insert(row.end(), {std::uint8_t(y), std::uint8_t(x)});
          want.push_back(y * 256 + x);
        }
        parts.rows.push_back(row);
      }
      parts.interlaced = true;
      make_png(folder / "a.png", parts);
      ASSERT_EQ(samples_of(read(folder / "a.png")), want) << width << "x" << height;
    }
  }
}

// A JPEG of a 5x3 ramp with an EXIF block after its first two bytes.
Bytes with_exif(const Bytes& jpeg, const Bytes& block) {
  const std::size_t length = 2 + 6 + block.size();
  Bytes all = {0xff, 0xe1, std::uint8_t(length >> 8), std::uint8_t(length), 'E', 'x', 'i', 'f', 0, 0};
  all.insert(all.begin(), jpeg.begin(), jpeg.begin() + 2);
  all.insert(all.end(), block.begin(), block.end());
  all.insert(all.end(), jpeg.begin() + 2, jpeg.end());
  return all;
}

class ExifTest : public testing::Test {
 protected:
  ExifTest() {
    Image image(Format::u8, 5, 3);
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 5; ++x) image.as<std::uint8_t>().at(x, y) = std::uint8_t(20 * x + 50 * y);
    }
    write(folder / "plain.jpg", image, {.quality = 100});
    plain = read(folder / "plain.jpg");
  }
  Image read_with(const Bytes& block) {
    save(folder / "exif.jpg", with_exif(load(folder / "plain.jpg"), block));
    return read(folder / "exif.jpg");
  }
  TemporaryFolder folder;
  Image plain;
};

Bytes exif_block(bool big, std::uint8_t orientation) {
  return big ? Bytes{'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0}
             : Bytes{'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0};
}

TEST_F(ExifTest, orientation_is_applied_in_both_byte_orders) {
  const auto stored = plain.as<std::uint8_t>();
  for (const bool big : {false, true}) {
    const Image turned = read_with(exif_block(big, 6));
    ASSERT_EQ(turned.width(), 3);
    ASSERT_EQ(turned.height(), 5);
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 3; ++x) EXPECT_EQ(turned.as<std::uint8_t>().at(x, y), stored.at(y, 2 - x));
    }
    EXPECT_EQ(inspect(folder / "exif.jpg").shape, turned.shape());
    const Image mirrored = read_with(exif_block(big, 2));
    for (int x = 0; x < 5; ++x) EXPECT_EQ(mirrored.as<std::uint8_t>().at(x, 1), stored.at(4 - x, 1));
  }
}

TEST_F(ExifTest, a_damaged_block_changes_nothing) {
  const Bytes good = exif_block(false, 6);
  for (std::size_t size = 0; size < 20; ++size) {
    EXPECT_TRUE(same_bytes(read_with(Bytes(good.begin(), good.begin() + std::ptrdiff_t(size))), plain)) << size;
  }
  EXPECT_TRUE(same_bytes(read_with(exif_block(false, 9)), plain));
  Bytes far = good;
  far[4] = far[5] = far[6] = far[7] = 0xff;
  EXPECT_TRUE(same_bytes(read_with(far), plain));
  Bytes many = good;
  many[8] = many[9] = 0xff;
  many[10] = 0;
  EXPECT_TRUE(same_bytes(read_with(many), plain));
}

}  // namespace
}  // namespace zp::tests
