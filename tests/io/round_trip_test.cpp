// What is written is read back to the last bit: every format, channel count, compression, layout, size and pitch.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "io/files.h"

namespace zp::tests {
namespace {

constexpr Format kFormats[] = {Format::u8, Format::u16, Format::f32, Format::u32};

// A plane in rows padded by `padding` bytes, filled with a ramp, noise, and (f32) the special values.
struct Padded {
  Padded(const PlaneShape& shape, std::size_t padding)
      : pitch(shape.row_bytes() + padding),
        bytes(pitch * std::size_t(shape.height) + padding + 64, 0xcd),
        shape(shape) {
    std::uint32_t state = 12345;
    for (int y = 0; y < shape.height; ++y) {
      for (int i = 0; i < shape.width * shape.channels; ++i) {
        state = state * 1664525u + 1013904223u;
        const std::uint32_t noise = state >> 24 & 15;
        char* at = reinterpret_cast<char*>(bytes.data()) + std::size_t(y) * pitch;
        switch (shape.format) {
          case Format::u8:
            reinterpret_cast<std::uint8_t*>(at)[i] = std::uint8_t(y * 7 + i * 3 + int(noise));
            break;
          case Format::u16: {
            const auto value = std::uint16_t(y * 701 + i * 311 + int(noise));
            std::memcpy(at + std::size_t(i) * 2, &value, 2);
            break;
          }
          case Format::u32: {
            const std::uint32_t value = std::uint32_t(y) * 70000001u + std::uint32_t(i) * 31u + noise;
            std::memcpy(at + std::size_t(i) * 4, &value, 4);
            break;
          }
          case Format::f32: {
            constexpr float kSpecial[] = {-0.0f, std::numeric_limits<float>::infinity(),
                                          std::numeric_limits<float>::quiet_NaN(),
                                          std::numeric_limits<float>::denorm_min()};
            const float value = i % 11 == 3 ? kSpecial[(y + i) % 4] : float(y) * 0.37f - float(i) * 1.7f;
            std::memcpy(at + std::size_t(i) * 4, &value, 4);
            break;
          }
        }
      }
    }
  }
  ConstPlaneView view() const { return {bytes.data(), shape, std::ptrdiff_t(pitch)}; }

  std::size_t pitch;
  Bytes bytes;
  PlaneShape shape;
};

TEST(RoundTrip, tiff_keeps_every_format_channel_count_compression_and_layout) {
  const TemporaryFolder folder;
  const std::string path = folder / "image.tif";
  for (const Format format : kFormats) {
    for (int channels = 1; channels <= 4; ++channels) {
      for (const char* compression : {"", "none", "lzw", "deflate", "zstd", "packbits"}) {
        for (const int tile : {0, 16, 48}) {
          for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {1, 33}, {53, 37}}) {
            for (const std::size_t padding : {std::size_t(0), std::size_t(20)}) {
              const Padded image({width, height, channels, format}, padding);
              SCOPED_TRACE(std::string(name_of(format)) + " x" + std::to_string(channels) + " " + compression +
                           " tile " + std::to_string(tile) + " " + std::to_string(width) + "x" +
                           std::to_string(height) + " padding " + std::to_string(padding));
              write(path, image.view(), {.compression = compression, .tile = tile});
              ASSERT_TRUE(same_bytes(read(path), image.view()));
              std::filesystem::remove(path);
            }
          }
        }
      }
    }
  }
}

TEST(RoundTrip, tiff_of_several_strips_with_a_short_last_one) {
  const TemporaryFolder folder;
  const std::string path = folder / "image.tif";
  for (const char* compression : {"none", "deflate"}) {
    const Padded image({701, 803, 3, Format::u16}, 6);
    write(path, image.view(), {.compression = compression});
    ASSERT_TRUE(same_bytes(read(path), image.view()));
    EXPECT_EQ(inspect(path).compression, compression);
  }
}

TEST(RoundTrip, png_keeps_both_formats_and_every_channel_count) {
  const TemporaryFolder folder;
  const std::string path = folder / "image.png";
  for (const Format format : {Format::u8, Format::u16}) {
    for (int channels = 1; channels <= 4; ++channels) {
      for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {1, 33}, {257, 129}}) {
        for (const std::size_t padding : {std::size_t(0), std::size_t(10)}) {
          const Padded image({width, height, channels, format}, padding);
          write(path, image.view());
          ASSERT_TRUE(same_bytes(read(path), image.view()))
              << name_of(format) << " x" << channels << " " << width << "x" << height;
        }
      }
    }
  }
}

TEST(RoundTrip, png_stores_16_bit_with_the_high_byte_first) {
  const TemporaryFolder folder;
  const std::string path = folder / "image.png";
  const std::uint16_t samples[] = {0x1234};
  write(path, View<const std::uint16_t>(samples, 1, 1));
  const Bytes file = load(path);
  // IHDR begins at byte 16 with width and height; bit depth and colour type follow.
  ASSERT_GT(file.size(), 26u);
  EXPECT_EQ(file[24], 16);
  EXPECT_EQ(file[25], 0);
  EXPECT_EQ(read(path).as<std::uint16_t>().at(0, 0), 0x1234);
}

TEST(RoundTrip, jpeg_is_near_and_exact_where_it_must_be) {
  const TemporaryFolder folder;
  for (const char* name : {"image.jpg", "image.jpeg"}) {
    const std::string path = folder / name;
    for (const int channels : {1, 3}) {
      Image image(Format::u8, 61, 43, channels);
      for (int y = 0; y < 43; ++y) {
        for (int i = 0; i < 61 * channels; ++i) image.as<std::uint8_t>().row(y)[i] = std::uint8_t(2 * y + i / channels);
      }
      write(path, image, {.quality = 100});
      const std::vector<double> got = samples_of(read(path));
      const std::vector<double> want = samples_of(image);
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 3) << i;

      // A constant mid grey has no coefficient but zero.
      std::memset(image.data(), 128, image.bytes());
      write(path, image, {.quality = 50});
      ASSERT_TRUE(same_bytes(read(path), image));
    }
  }
}

TEST(RoundTrip, jpeg_of_lower_quality_is_smaller) {
  const TemporaryFolder folder;
  const Padded image({200, 100, 3, Format::u8}, 0);
  write(folder / "high.jpg", image.view(), {.quality = 95});
  write(folder / "low.jpg", image.view(), {.quality = 20});
  EXPECT_LT(load(folder / "low.jpg").size() * 2, load(folder / "high.jpg").size());
}

TEST(RoundTrip, pages_keep_their_order_shape_and_format) {
  const TemporaryFolder folder;
  const std::string path = folder / "pages.TIFF";
  const Padded first({9, 4, 1, Format::u16}, 2);
  const Padded second({3, 8, 3, Format::u8}, 0);
  const Padded third({5, 5, 1, Format::f32}, 4);
  write_pages(path, {first.view(), second.view(), third.view()}, {.compression = "lzw"});
  const std::vector<Image> pages = read_all(path);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_TRUE(same_bytes(pages[0], first.view()));
  EXPECT_TRUE(same_bytes(pages[1], second.view()));
  EXPECT_TRUE(same_bytes(pages[2], third.view()));
  EXPECT_EQ(inspect(path).pages, 3);
  EXPECT_TRUE(same_bytes(read(path), first.view()));

  std::vector<int> order;
  EXPECT_EQ(read_pages(path, [&](int index, Image) { order.push_back(index); }), 3);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(RoundTrip, an_exception_of_the_callback_ends_the_walk) {
  const TemporaryFolder folder;
  const Padded image({9, 4, 1, Format::u16}, 2);
  write_pages(folder / "a.tif", {image.view(), image.view()});
  int calls = 0;
  const auto stop = [&](int, Image) {
    ++calls;
    throw std::runtime_error("enough");
  };
  EXPECT_THROW(read_pages(folder / "a.tif", stop), std::runtime_error);
  EXPECT_EQ(calls, 1);
}

TEST(RoundTrip, big_tiff_and_resolution_are_written_as_asked) {
  const TemporaryFolder folder;
  const Padded image({9, 4, 1, Format::u16}, 0);
  write(folder / "a.tif", image.view(), {.big_tiff = true, .dots_per_inch = 300});
  const Bytes file = load(folder / "a.tif");
  EXPECT_EQ(file[2] + file[3], 43);
  EXPECT_TRUE(same_bytes(read(folder / "a.tif"), image.view()));
  write(folder / "a.png", image.view(), {.dots_per_inch = 254});
  const Bytes png = load(folder / "a.png");
  // pHYs follows IHDR (33 bytes): length, name, then 10000 dots per metre twice and the unit.
  const Bytes chunk(png.begin() + 37, png.begin() + 50);
  EXPECT_EQ(chunk, (Bytes{'p', 'H', 'Y', 's', 0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10, 1}));
}

TEST(RoundTrip, inspect_says_what_read_delivers) {
  const TemporaryFolder folder;
  const Padded image({9, 4, 4, Format::u16}, 0);
  write(folder / "a.tif", image.view(), {.compression = "zstd"});
  FileInfo info = inspect(folder / "a.tif");
  EXPECT_EQ(info.path, folder / "a.tif");
  EXPECT_EQ(info.format, "tiff");
  EXPECT_EQ(info.pages, 1);
  EXPECT_EQ(info.shape, image.shape);
  EXPECT_EQ(info.bits, 16);
  EXPECT_EQ(info.compression, "zstd");
  EXPECT_EQ(info.notes, std::vector<std::string>{"unassociated alpha kept as stored"});
  write(folder / "a.png", image.view());
  info = inspect(folder / "a.png");
  EXPECT_EQ(info.format, "png");
  EXPECT_EQ(info.shape, image.shape);
  EXPECT_EQ(info.bits, 16);
  EXPECT_TRUE(info.notes.empty());
}

TEST(RoundTrip, the_content_counts_when_reading_not_the_name) {
  const TemporaryFolder folder;
  const Padded image({9, 4, 1, Format::u8}, 0);
  write(folder / "a.png", image.view());
  std::filesystem::rename(folder / "a.png", folder / "a.tif");
  EXPECT_EQ(inspect(folder / "a.tif").format, "png");
  EXPECT_TRUE(same_bytes(read(folder / "a.tif"), image.view()));
}

TEST(RoundTrip, several_threads_read_and_write_at_once) {
  const TemporaryFolder folder;
  const Padded tiff({61, 53, 3, Format::u16}, 0);
  const Padded png({40, 30, 4, Format::u8}, 0);
  const Padded jpeg({64, 64, 1, Format::u8}, 0);
  write(folder / "a.tif", tiff.view(), {.compression = "deflate"});
  write(folder / "a.png", png.view());
  write(folder / "a.jpg", jpeg.view());
  const Image decoded = read(folder / "a.jpg");
  Bytes broken = load(folder / "a.tif");
  broken.resize(broken.size() / 2);
  save(folder / "broken.tif", broken);

  std::vector<int> failures(4, 0);
  const auto work = [&](int number) {
    for (int round = 0; round < 60; ++round) {
      const std::string own = folder / (std::to_string(number) + ".tif");
      write(own, tiff.view(), {.compression = "lzw"});
      bool refused = false;
      try {
        read(folder / "broken.tif");
      } catch (const Error&) {
        refused = true;
      }
      const bool right = refused && same_bytes(read(own), tiff.view()) &&
                         same_bytes(read(folder / "a.tif"), tiff.view()) &&
                         same_bytes(read(folder / "a.png"), png.view()) && same_bytes(read(folder / "a.jpg"), decoded);
      if (!right) ++failures[std::size_t(number)];
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace zp::tests
