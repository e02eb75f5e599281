// lookup: tables as lists and as files, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/lookup.h"

#include <cstdio>
#include <fstream>

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

std::vector<float> table_of(int entries, float (*f)(int)) {
  std::vector<float> table;
  for (int v = 0; v < entries; ++v) table.push_back(f(v));
  return table;
}

class TextFile {
 public:
  explicit TextFile(const std::string& text) : path_(testing::TempDir() + "zeroplane_lookup_test.txt") {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::remove(path_.c_str()); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Lookup, replaces_bytes_in_all_channels) {
  const auto table = table_of(256, [](int v) { return float(v * v % 251); });
  for (int channels = 1; channels <= 4; ++channels) {
    const Image in = test::noise({37, 5, channels, Format::u8});
    const auto out = samples_of<std::uint8_t>(everywhere(Lookup{table}, in)), source = samples_of<std::uint8_t>(in);
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], source[i] * source[i] % 251);
  }
}

TEST(Lookup, replaces_u16) {
  const auto table = table_of(65536, [](int v) { return float(65535 - v); });
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Lookup{table}, row_of<std::uint16_t>({0, 1, 256, 32768, 65535}))),
            (std::vector<std::uint16_t>{65535, 65534, 65279, 32767, 0}));
}

TEST(Lookup, entries_become_samples_as_everywhere) {
  auto table = table_of(256, [](int) { return 9.0f; });
  table[0] = -3, table[1] = 300, table[2] = 0.5f, table[3] = 1.5f, table[4] = std::nanf("");
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Lookup{table}, row_of<std::uint8_t>({0, 1, 2, 3, 4, 5}))),
            (std::vector<std::uint8_t>{0, 255, 0, 2, 0, 9}));
}

TEST(Lookup, works_in_place) {
  Image image = test::noise({300, 300, 1, Format::u8});
  const Lookup negative{table_of(256, [](int v) { return float(255 - v); })};
  const Image out = apply(negative, image);
  apply(negative, image.view(), image.view());
  EXPECT_EQ(hash(image.view()), hash(out.view()));
}

TEST(Lookup, reads_a_file) {
  std::string text = "# negative\n";
  for (int v = 0; v < 256; ++v) text += std::to_string(255 - v) + (v % 16 == 15 ? "\r\n" : v % 2 ? ", " : ";\t");
  const TextFile file(text);
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Lookup{.file = file.path()}, row_of<std::uint8_t>({0, 1, 100, 255}))),
            (std::vector<std::uint8_t>{255, 254, 155, 0}));
}

TEST(Lookup, refusals_name_what_is_wrong) {
  const Image bytes = row_of<std::uint8_t>({1}), words = row_of<std::uint16_t>({1});
  const auto table = table_of(256, [](int v) { return float(v); });
  EXPECT_EQ(test::refusal(Lookup{}, bytes), "lookup: neither table nor file is given");
  EXPECT_EQ(test::refusal(Lookup{table, "x"}, bytes), "lookup: table and file are both given");
  EXPECT_EQ(test::refusal(Lookup{table}, words), "lookup: table has 256 numbers, allowed 65536 for u16");
  EXPECT_EQ(test::refusal(Lookup{{1, 2, 3}}, bytes), "lookup: table has 3 numbers, allowed 256 to 65536");
  EXPECT_EQ(test::refusal(Lookup{.file = "/nowhere/table.txt"}, bytes),
            "lookup: file = /nowhere/table.txt cannot be opened");
  EXPECT_EQ(test::refusal(Lookup{table}, row_of<float>({1})), "lookup: does not take f32, only u8, u16");
  {
    const TextFile file("1 2\n3 x4 # x\n");
    EXPECT_EQ(test::refusal(Lookup{.file = file.path()}, bytes),
              "lookup: file = " + file.path() + ", line 2: 'x4' is not a number");
  }
  {
    const TextFile file("1 2 +3");
    EXPECT_EQ(test::refusal(Lookup{.file = file.path()}, bytes),
              "lookup: file = " + file.path() + " holds 3 numbers, allowed 256 for u8");
  }
}

}  // namespace
}  // namespace zp
