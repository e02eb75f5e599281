// apply_colormap: entries of the published tables, ramps, windows of every format, NaN.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/apply_colormap.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

using Name = ApplyColormap::Name;

Image every_byte() {
  std::vector<std::uint8_t> all(256);
  for (std::size_t v = 0; v < 256; ++v) all[v] = std::uint8_t(v);
  return test::image_of(16, 16, 1, all);
}

struct Entry {
  int level, red, green, blue;
};

void expect_entries(Name name, std::initializer_list<Entry> entries) {
  const Image out = everywhere(ApplyColormap{name}, every_byte());
  ASSERT_EQ(out.shape(), (PlaneShape{16, 16, 3, Format::u8}));
  const auto v = samples_of<std::uint8_t>(out);
  for (const Entry& e : entries) {
    const std::size_t i = std::size_t(e.level) * 3;
    EXPECT_NEAR(v[i], e.red, 1) << e.level;
    EXPECT_NEAR(v[i + 1], e.green, 1) << e.level;
    EXPECT_NEAR(v[i + 2], e.blue, 1) << e.level;
  }
}

// Entries as matplotlib 3.11 has them, times 255, rounded.
TEST(ApplyColormap, is_within_a_level_of_the_published_tables) {
  expect_entries(Name::viridis, {{0, 68, 1, 84},
                                 {1, 68, 2, 86},
                                 {17, 72, 26, 108},
                                 {64, 59, 82, 139},
                                 {100, 42, 118, 142},
                                 {128, 33, 145, 140},
                                 {200, 112, 207, 87},
                                 {254, 251, 231, 35},
                                 {255, 253, 231, 37}});
  expect_entries(Name::magma, {{0, 0, 0, 4},
                               {1, 1, 0, 5},
                               {17, 11, 9, 36},
                               {64, 81, 18, 124},
                               {100, 137, 40, 129},
                               {128, 183, 55, 121},
                               {200, 253, 152, 105},
                               {254, 252, 251, 189},
                               {255, 252, 253, 191}});
  expect_entries(Name::inferno, {{0, 0, 0, 4},
                                 {1, 1, 0, 5},
                                 {17, 12, 8, 38},
                                 {64, 87, 16, 110},
                                 {100, 144, 37, 104},
                                 {128, 188, 55, 84},
                                 {200, 251, 157, 7},
                                 {254, 250, 253, 161},
                                 {255, 252, 255, 164}});
  expect_entries(Name::turbo, {{0, 48, 18, 59},
                               {1, 50, 21, 67},
                               {17, 65, 67, 167},
                               {64, 40, 188, 235},
                               {100, 63, 246, 138},
                               {128, 164, 252, 60},
                               {200, 244, 102, 23},
                               {254, 126, 5, 2},
                               {255, 122, 4, 3}});
}

TEST(ApplyColormap, ramps_lead_from_black_to_their_colour) {
  struct Ramp {
    Name name;
    int red, green, blue;
  };
  for (const auto& [name, red, green, blue] :
       {Ramp{Name::grey, 1, 1, 1}, Ramp{Name::red, 1, 0, 0}, Ramp{Name::green, 0, 1, 0}, Ramp{Name::blue, 0, 0, 1},
        Ramp{Name::cyan, 0, 1, 1}, Ramp{Name::magenta, 1, 0, 1}, Ramp{Name::yellow, 1, 1, 0}}) {
    const auto out = samples_of<std::uint8_t>(everywhere(ApplyColormap{name}, every_byte()));
    for (int v = 0; v < 256; ++v) {
      ASSERT_EQ(out[std::size_t(v) * 3], v * red);
      ASSERT_EQ(out[std::size_t(v) * 3 + 1], v * green);
      ASSERT_EQ(out[std::size_t(v) * 3 + 2], v * blue);
    }
  }
}

std::vector<int> levels(const ApplyColormap& op, const Image& in) {
  const auto out = samples_of<std::uint8_t>(everywhere(op, in));
  std::vector<int> grey;
  for (std::size_t i = 0; i < out.size(); i += 3) {
    EXPECT_EQ(out[i], out[i + 1]);
    EXPECT_EQ(out[i], out[i + 2]);
    grey.push_back(out[i]);
  }
  return grey;
}

TEST(ApplyColormap, windows_by_hand) {
  EXPECT_EQ(levels({Name::grey, 50, 150}, row_of<std::uint8_t>({0, 50, 51, 60, 149, 150, 255})),
            (std::vector<int>{0, 0, 3, 26, 252, 255, 255}));  // 2.55, 25.5, 252.45
  EXPECT_EQ(levels({Name::grey}, row_of<std::uint16_t>({0, 128, 129, 257, 32768, 65535})),
            (std::vector<int>{0, 0, 1, 1, 128, 255}));  // 0.498, 0.502
  EXPECT_EQ(levels({Name::grey, 0, 4095}, row_of<std::uint16_t>({0, 8, 9, 4094, 4095, 65535})),
            (std::vector<int>{0, 0, 1, 255, 255, 255}));
  EXPECT_EQ(levels({Name::grey}, row_of<float>({-kInf, -1, 0, 0.5f, 1, 7, kInf, kNaN})),
            (std::vector<int>{0, 0, 0, 128, 255, 255, 255, 0}));  // 127.5 to even
  EXPECT_EQ(levels({Name::grey, -1e33f, 1e33f}, row_of<float>({-3e38f, -1e33f, 0, 1e33f, 3e38f})),
            (std::vector<int>{0, 0, 128, 255, 255}));
  EXPECT_EQ(levels({Name::grey, 7, 7}, row_of<std::uint8_t>({0, 7, 255})), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(levels({Name::grey, 7, 7}, row_of<float>({0, 7, kInf, kNaN})), (std::vector<int>{0, 0, 0, 0}));
}

TEST(ApplyColormap, formats_agree_where_their_levels_do) {
  const Image bytes = test::noise({37, 21, 1, Format::u8});
  const auto v = samples_of<std::uint8_t>(bytes);
  std::vector<std::uint16_t> words;
  std::vector<float> floats;
  for (const std::uint8_t x : v) words.push_back(std::uint16_t(x * 257)), floats.push_back(float(x) / 255);
  for (const Name name : {Name::viridis, Name::turbo, Name::cyan}) {
    const std::uint64_t expected = hash(everywhere(ApplyColormap{name}, bytes).view());
    EXPECT_EQ(hash(everywhere(ApplyColormap{name}, test::image_of(37, 21, 1, words)).view()), expected);
    EXPECT_EQ(hash(everywhere(ApplyColormap{name}, test::image_of(37, 21, 1, floats)).view()), expected);
  }
}

TEST(ApplyColormap, of_parts_and_single_pixels) {
  const Image in = test::noise({23, 11, 1, Format::u16});
  const Image whole = everywhere(ApplyColormap{Name::inferno}, in);
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    const Image copy = in.clone();
    Image around(Format::u8, 9, 12, 3);
    std::memset(around.data(), 17, around.bytes());
    apply(ApplyColormap{Name::inferno}, copy.as<std::uint16_t>().sub(5, 1, 1, 10),
          around.as<std::uint8_t>().sub(4, 1, 1, 10));
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 9; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_EQ(around.as<std::uint8_t>().at(x, y, c),
                    x == 4 && y >= 1 && y < 11 ? whole.as<std::uint8_t>().at(5, y, c) : 17);
  }
}

TEST(ApplyColormap, refuses_what_it_cannot_serve) {
  const auto message = [](const ApplyColormap& op, const Image& in) -> std::string {
    try {
      apply(op, in);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  const Image grey = row_of<std::uint8_t>({1});
  EXPECT_EQ(message({}, test::noise({2, 2, 3, Format::u8})), "apply_colormap: does not take 3 channels, only 1");
  EXPECT_EQ(message({Name::red, 9, 3}, grey), "apply_colormap: high = 3, allowed 9 (low) and up");
  EXPECT_EQ(message({Name::red, -kInf}, grey), "apply_colormap: low = -inf, allowed -1e+33 to 1e+33 pixel value");
  EXPECT_EQ(message({Name(11)}, grey), "apply_colormap: name: 11 is none of its choices");
}

}  // namespace
}  // namespace zp
