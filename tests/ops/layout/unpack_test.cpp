// unpack: CASES A23, packers written from the standards, widths, refusals.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/unpack.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::samples_of;
using Order = Unpack::Order;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;

/// A row of samples as a string of bits, cut into bytes.
Bytes msb_row(const Words& row, int bits) {
  std::string text;
  for (const unsigned v : row)
    for (int b = bits - 1; b >= 0; --b) text += v >> b & 1u ? '1' : '0';
  while (text.size() % 8 != 0) text += '0';
  Bytes bytes;
  for (std::size_t i = 0; i < text.size(); i += 8)
    bytes.push_back(std::uint8_t(std::stoi(text.substr(i, 8), nullptr, 2)));
  return bytes;
}

/// The byte figures of MIPI CSI-2, "RAW10", "RAW12" and "RAW14", written out.
Bytes mipi_row(Words row, int bits) {
  Bytes bytes;
  const std::size_t group = bits == 12 ? 2 : 4;
  while (row.size() % group != 0) row.push_back(0);
  const auto add = [&bytes](int v) { bytes.push_back(std::uint8_t(v)); };
  for (std::size_t i = 0; i < row.size(); i += group) {
    const Words p(row.begin() + std::ptrdiff_t(i), row.begin() + std::ptrdiff_t(i + group));
    for (const int v : p) add(v >> (bits - 8));
    if (bits == 10) {
      add((p[3] & 3) << 6 | (p[2] & 3) << 4 | (p[1] & 3) << 2 | (p[0] & 3));
    } else if (bits == 12) {
      add((p[1] & 15) << 4 | (p[0] & 15));
    } else {
      add((p[1] & 3) << 6 | (p[0] & 63));
      add((p[2] & 15) << 4 | (p[1] & 63) >> 2);
      add((p[3] & 63) << 2 | (p[2] & 63) >> 4);
    }
  }
  return bytes;
}

TEST(Unpack, case_a23_rows_start_on_a_byte) {
  const Image packed = image_of<std::uint8_t>(5, 2, 1, {0xAB, 0xCD, 0xEF, 0x12, 0x30, 0x00, 0x1F, 0xFF, 0x80, 0x00});
  const Image out = everywhere(Unpack{}, packed);
  EXPECT_EQ(out.shape(), (PlaneShape{3, 2, 1, Format::u16}));
  EXPECT_EQ(samples_of<std::uint16_t>(out), (Words{2748, 3567, 291, 1, 4095, 2048}));
}

TEST(Unpack, every_bit_is_where_the_standards_say) {
  std::mt19937 random(5);
  for (const int bits : {10, 12, 14})
    for (const Order order : {Order::msb, Order::mipi})
      for (const int width : {1, 2, 3, 4, 5, 7, 8, 13, 64, 101}) {
        Words samples;
        Bytes packed;
        for (int y = 0; y < 5; ++y) {
          Words row;
          for (int x = 0; x < width; ++x) row.push_back(std::uint16_t(random() & ((1u << bits) - 1)));
          samples.insert(samples.end(), row.begin(), row.end());
          const Bytes bytes = order == Order::msb ? msb_row(row, bits) : mipi_row(row, bits);
          packed.insert(packed.end(), bytes.begin(), bytes.end());
        }
        const Image in = image_of<std::uint8_t>(int(packed.size()) / 5, 5, 1, packed);
        EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Unpack{bits, order, width}, in)), samples)
            << bits << " bits, order " << int(order) << ", width " << width;
      }
}

TEST(Unpack, single_bits_by_hand) {
  const auto unpacked = [](int bits, Order order, const Bytes& row) {
    return samples_of<std::uint16_t>(everywhere(Unpack{bits, order}, test::row_of(row)));
  };
  EXPECT_EQ(unpacked(10, Order::mipi, {1, 2, 3, 255, 0b11000110}), (Words{6, 9, 12, 1023}));
  EXPECT_EQ(unpacked(12, Order::mipi, {0xAB, 0xCD, 0x21}), (Words{0xAB1, 0xCD2}));
  EXPECT_EQ(unpacked(14, Order::mipi, {0, 0, 0, 0, 0x40, 0x00, 0x04}), (Words{0, 1, 0, 1}));
  EXPECT_EQ(unpacked(10, Order::msb, {0x80, 0x20, 0x08, 0x02, 0x01}), (Words{512, 512, 512, 513}));
  EXPECT_EQ(unpacked(14, Order::msb, {0x80, 0x01, 0x00, 0x04}), (Words{8192, 4096}));
}

TEST(Unpack, width_is_what_the_bytes_hold) {
  const auto width = [](const Unpack& op, int bytes) { return apply(op, Image(Format::u8, bytes, 2)).width(); };
  EXPECT_EQ(width({12, Order::msb}, 4), 2);   // 32 bits: two samples and 8 bits
  EXPECT_EQ(width({12, Order::mipi}, 5), 2);  // one group and two bytes
  EXPECT_EQ(width({10, Order::msb}, 1), 0);
  EXPECT_EQ(width({14, Order::msb}, 7), 4);
  EXPECT_EQ(width({10, Order::mipi}, 15), 12);
  EXPECT_EQ(width({12, Order::msb, 1}, 64), 1);
  EXPECT_TRUE(apply(Unpack{}, Image(Format::u8, 0, 3)).empty());
}

TEST(Unpack, rectangles_of_larger_planes) {
  Bytes bytes(20 * 4, 0xFF);
  Words words(9 * 4, 7);
  const View<std::uint8_t> packed = View<std::uint8_t>(bytes.data(), 20, 4).sub(3, 1, 5, 2);
  const Bytes rows[] = {{0xAB, 0xCD, 0xEF, 0x12, 0x30}, {0x00, 0x1F, 0xFF, 0x80, 0x00}};
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 5; ++x) packed.at(x, y) = rows[y][std::size_t(x)];
  apply(Unpack{}, packed, View<std::uint16_t>(words.data(), 9, 4).sub(2, 1, 3, 2));
  EXPECT_EQ(words, (Words{7, 7, 7, 7,    7,    7, 7, 7, 7, 7, 7, 2748, 3567, 291, 7, 7, 7, 7,
                          7, 7, 1, 4095, 2048, 7, 7, 7, 7, 7, 7, 7,    7,    7,   7, 7, 7, 7}));
}

TEST(Unpack, refusals) {
  const auto message = [](const Unpack& op, const Image& image) -> std::string {
    try {
      apply(op, image);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  const Image row(Format::u8, 5, 1);
  EXPECT_EQ(message({11}, row), "unpack: bits = 11, allowed 10, 12 or 14");
  EXPECT_EQ(message({16}, row), "unpack: bits = 16, allowed 10 to 14 bits");
  EXPECT_EQ(message({12, Order::msb, 4}, row),
            "unpack: width = 4 needs rows of 6 bytes, but the image has 5, allowed 0 to 3");
  EXPECT_EQ(message({14, Order::mipi, 1}, row),
            "unpack: width = 1 needs rows of 7 bytes, but the image has 5, allowed 0 to 0");
  EXPECT_EQ(message({}, Image(Format::u16, 5, 1)), "unpack: does not take u16, only u8");
  EXPECT_EQ(message({}, Image(Format::u8, 5, 1, 3)), "unpack: does not take 3 channels, only 1");
}

}  // namespace
}  // namespace zp
