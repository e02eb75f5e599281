// convert: every level against exact integer arithmetic, floats by hand, round trips.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/convert.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::row_of, test::samples_of;
using Target = Convert::Target;
constexpr float kInf = std::numeric_limits<float>::infinity();

template <class T>
Image levels() {
  std::vector<T> all(std::size_t(1) << (8 * sizeof(T)));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = T(v);
  return image_of(sizeof(T) == 1 ? 16 : 256, sizeof(T) == 1 ? 16 : 256, 1, all);
}

/// v * top / white to the nearest integer, half to even, in 64-bit integers.
std::uint64_t scaled(std::uint64_t v, std::uint64_t top, std::uint64_t white) {
  if (v >= white) return top;
  const std::uint64_t q = v * top / white, twice = 2 * (v * top % white);
  return q + (twice > white || (twice == white && q % 2 == 1));
}

template <class T, class U>
void expect_exact_levels(Target target, int white) {
  const Convert op{.format = target, .white = white ? float(white) : kAutomatic};
  const auto out = samples_of<U>(everywhere(op, levels<T>()));
  const std::uint64_t in_white = white ? std::uint64_t(white) : std::uint64_t(white_of(format_of<T>));
  for (std::size_t v = 0; v < out.size(); ++v)
    ASSERT_EQ(out[v], scaled(v, std::uint64_t(white_of(format_of<U>)), in_white)) << v << " of " << in_white;
}

TEST(Convert, range_of_integers_is_exact_at_every_level) {
  expect_exact_levels<std::uint8_t, std::uint8_t>(Target::u8, 0);
  expect_exact_levels<std::uint8_t, std::uint16_t>(Target::u16, 0);
  expect_exact_levels<std::uint16_t, std::uint8_t>(Target::u8, 0);
  expect_exact_levels<std::uint16_t, std::uint16_t>(Target::u16, 0);
  // Whites of 10, 12 and 14 bits; even ones, where ties occur; and very small ones.
  for (const int white : {1023, 4095, 16383, 510, 1020, 4096, 65534, 32767, 1, 2, 3, 255, 257}) {
    expect_exact_levels<std::uint16_t, std::uint8_t>(Target::u8, white);
    expect_exact_levels<std::uint16_t, std::uint16_t>(Target::u16, white);
    expect_exact_levels<std::uint8_t, std::uint8_t>(Target::u8, white);
    expect_exact_levels<std::uint8_t, std::uint16_t>(Target::u16, white);
  }
}

TEST(Convert, known_values) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(
                Convert{Target::u8}, row_of<std::uint16_t>({0, 128, 129, 257, 32767, 32768, 65406, 65407, 65535}))),
            (std::vector<std::uint8_t>{0, 0, 1, 1, 127, 128, 254, 255, 255}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Convert{Target::u16}, row_of<std::uint8_t>({0, 1, 128, 255}))),
            (std::vector<std::uint16_t>{0, 257, 32896, 65535}));
  // 510 to 255: halves go to the even neighbour.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Convert{.format = Target::u8, .white = 510},
                                                row_of<std::uint16_t>({1, 2, 3, 5, 509, 510, 511}))),
            (std::vector<std::uint8_t>{0, 1, 2, 2, 254, 255, 255}));
}

TEST(Convert, CaseA14_floats_beyond_the_format_saturate_and_nan_is_0) {
  const Image in = row_of<float>({std::nanf(""), kInf, -kInf, -1, 300, 1e10f, 254.5f, 255.4f, 0.5f, 1.5f});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Convert{.format = Target::u8, .scale = "none"}, in)),
            (std::vector<std::uint8_t>{0, 255, 0, 0, 255, 255, 254, 255, 0, 2}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Convert{.format = Target::u16, .scale = "none"}, in)),
            (std::vector<std::uint16_t>{0, 65535, 0, 0, 300, 65535, 254, 255, 0, 2}));
}

TEST(Convert, integers_to_f32_are_the_nearest_quotient) {
  const auto bytes = samples_of<float>(everywhere(Convert{}, levels<std::uint8_t>()));
  for (int v = 0; v < 256; ++v) EXPECT_EQ(bytes[std::size_t(v)], float(v / 255.0L)) << v;
  const auto words = samples_of<float>(everywhere(Convert{}, levels<std::uint16_t>()));
  for (int v = 0; v < 65536; ++v) ASSERT_EQ(words[std::size_t(v)], float(v / 65535.0L)) << v;
  const auto twelve = samples_of<float>(everywhere(Convert{.white = 4095}, levels<std::uint16_t>()));
  for (int v = 0; v < 65536; ++v) ASSERT_EQ(twelve[std::size_t(v)], float(v / 4095.0L)) << v;
}

TEST(Convert, to_f32_and_back_is_the_image_itself) {
  const Image bytes = levels<std::uint8_t>(), words = levels<std::uint16_t>();
  EXPECT_EQ(hash(everywhere(Convert{Target::u8}, everywhere(Convert{}, bytes)).view()), hash(bytes.view()));
  EXPECT_EQ(hash(everywhere(Convert{Target::u16}, everywhere(Convert{}, words)).view()), hash(words.view()));
  EXPECT_EQ(hash(everywhere(Convert{Target::u8}, everywhere(Convert{Target::u16}, bytes)).view()), hash(bytes.view()));
}

TEST(Convert, f32_to_range) {
  EXPECT_EQ(samples_of<std::uint8_t>(
                everywhere(Convert{Target::u8}, row_of<float>({-0.1f, 0, 0.25f, 0.5f, 1, 1.1f, std::nanf("")}))),
            (std::vector<std::uint8_t>{0, 0, 64, 128, 255, 255, 0}));
  EXPECT_EQ(samples_of<std::uint8_t>(
                everywhere(Convert{.format = Target::u8, .white = 4095}, row_of<float>({0, 2047.5f, 4095, 5000}))),
            (std::vector<std::uint8_t>{0, 128, 255, 255}));
}

TEST(Convert, scale_none_keeps_numbers) {
  const Convert to_u8{.format = Target::u8, .scale = "none"}, to_f32{.scale = "none"};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(to_u8, row_of<std::uint16_t>({0, 200, 255, 256, 65535}))),
            (std::vector<std::uint8_t>{0, 200, 255, 255, 255}));
  EXPECT_EQ(samples_of<float>(everywhere(to_f32, row_of<std::uint16_t>({0, 1, 65535}))),
            (std::vector<float>{0, 1, 65535}));
  const auto zero = samples_of<float>(everywhere(to_f32, row_of<float>({-0.0f})));
  EXPECT_TRUE(std::signbit(zero[0]));
}

TEST(Convert, scale_and_offset) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Convert{.format = Target::u8, .scale = "0.5", .offset = 3},
                                                row_of<std::uint16_t>({0, 1, 3, 600}))),
            (std::vector<std::uint8_t>{3, 4, 4, 255}));
  EXPECT_EQ(samples_of<std::uint16_t>(
                everywhere(Convert{.format = Target::u16, .offset = 1000}, row_of<std::uint8_t>({0, 1, 255}))),
            (std::vector<std::uint16_t>{1000, 1257, 65535}));
  EXPECT_EQ(samples_of<float>(everywhere(Convert{.scale = "1e-1", .offset = -1}, row_of<std::uint8_t>({10}))),
            std::vector<float>{0});
}

TEST(Convert, labels) {
  const Image labels = row_of<std::uint32_t>({0, 1, 255, 65536, 4294967295u});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Convert{.format = Target::u16, .scale = "none"}, labels)),
            (std::vector<std::uint16_t>{0, 1, 255, 65535, 65535}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Convert{.format = Target::u8, .white = 65536}, labels)),
            (std::vector<std::uint8_t>{0, 0, 1, 255, 255}));
}

TEST(Convert, every_format_channel_count_and_part) {
  for (const Format from : {Format::u8, Format::u16, Format::f32})
    for (const Target to : {Target::u8, Target::u16, Target::f32})
      for (int channels = 1; channels <= 4; ++channels)
        EXPECT_EQ(everywhere(Convert{to}, test::noise({13, 7, channels, from})).shape(),
                  (PlaneShape{13, 7, channels, Format(int(to))}));
  const Image in = test::noise({31, 9, 1, Format::u16}), whole = apply(Convert{Target::u8}, in);
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    const Image source = in.clone();
    Image out(Format::u8, 40, 12);
    std::memset(out.data(), 0xEE, out.bytes());
    apply(Convert{Target::u8}, source.as<std::uint16_t>().sub(5, 1, 19, 7), out.as<std::uint8_t>().sub(3, 2, 19, 7));
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 40; ++x) {
        const bool inside = x >= 3 && x < 22 && y >= 2 && y < 9;
        EXPECT_EQ(out.as<std::uint8_t>().at(x, y), inside ? whole.as<std::uint8_t>().at(x + 2, y - 1) : 0xEE)
            << place.text();
      }
  }
}

TEST(Convert, refusals_name_the_parameter) {
  const auto message = [](const Convert& op, const Image& image) -> std::string {
    try {
      apply(op, image);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  const Image bytes = row_of<std::uint8_t>({1});
  for (const char* scale : {"rage", "", "1x", "nan", "inf"})
    EXPECT_EQ(message({.scale = scale}, bytes),
              "convert: scale = " + std::string(scale) + ", allowed range, none or a number");
  EXPECT_EQ(message({.white = 0}, bytes), "convert: white = 0, allowed above 0 to 4294967295 pixel value");
  EXPECT_EQ(message({}, row_of<std::uint32_t>({1})), "convert: scale = range needs white = ... for u32");
}

}  // namespace
}  // namespace zp
