// invert: values by hand, and twice is nothing.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/invert.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

TEST(Invert, mirrors_at_white) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Invert{}, row_of<std::uint8_t>({0, 1, 254, 255}))),
            (std::vector<std::uint8_t>{255, 254, 1, 0}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Invert{}, row_of<std::uint16_t>({0, 1000, 65535}))),
            (std::vector<std::uint16_t>{65535, 64535, 0}));
  EXPECT_EQ(samples_of<float>(everywhere(Invert{}, row_of<float>({0, 0.25f, 1.5f}))),
            (std::vector<float>{1, 0.75f, -0.5f}));
  // 12 bits: CASES of scanners that store min-is-white.
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Invert{4095}, row_of<std::uint16_t>({0, 95, 4095, 5000}))),
            (std::vector<std::uint16_t>{4095, 4000, 0, 0}));
}

TEST(Invert, twice_is_the_image_itself) {
  for (const Format format : {Format::u8, Format::u16})
    for (int channels = 1; channels <= 4; ++channels) {
      const Image in = test::noise({41, 13, channels, format});
      EXPECT_EQ(hash(everywhere(Invert{}, everywhere(Invert{}, in)).view()), hash(in.view()));
    }
}

TEST(Invert, in_place_equals_out_of_place) {
  Image in = test::noise({301, 251, 1, Format::u16});
  const Image out = apply(Invert{}, in);
  apply(Invert{}, in.view(), in.view());
  EXPECT_EQ(hash(in.view()), hash(out.view()));
}

TEST(Invert, of_an_overlapping_part_reads_nothing_that_was_written) {
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    // The output is the input shifted by one row.
    Image parent = test::noise({16, 9, 1, Format::u8});
    const Image before = parent.clone();
    const View<std::uint8_t> whole = parent.as<std::uint8_t>();
    apply(Invert{}, View<const std::uint8_t>(whole.sub(0, 0, 16, 8)), whole.sub(0, 1, 16, 8));
    for (int y = 1; y < 9; ++y)
      for (int x = 0; x < 16; ++x) EXPECT_EQ(whole.at(x, y), 255 - before.as<std::uint8_t>().at(x, y - 1));
  }
}

}  // namespace
}  // namespace zp
