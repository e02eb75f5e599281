// merge: order of channels, parts, and extract_channel undoes it.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/merge.h"
#include "ops/layout/extract_channel.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

TEST(Merge, channels_in_the_order_given) {
  const Image a = row_of<std::uint8_t>({1, 2}), b = row_of<std::uint8_t>({10, 20}),
              c = row_of<std::uint8_t>({100, 200}), d = row_of<std::uint8_t>({7, 8});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Merge{}, {&a, &b})), (std::vector<std::uint8_t>{1, 10, 2, 20}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Merge{}, {&a, &b, &c})),
            (std::vector<std::uint8_t>{1, 10, 100, 2, 20, 200}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Merge{}, {&a, &b, &c, &d})),
            (std::vector<std::uint8_t>{1, 10, 100, 7, 2, 20, 200, 8}));
}

TEST(Merge, extract_channel_undoes_it) {
  for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32}) {
    const Image planes[] = {test::noise({35, 9, 1, format}, 1), test::noise({35, 9, 1, format}, 2),
                            test::noise({35, 9, 1, format}, 3), test::noise({35, 9, 1, format}, 4)};
    const Image two = everywhere(Merge{}, {&planes[0], &planes[1]});
    const Image three = everywhere(Merge{}, {&planes[0], &planes[1], &planes[2]});
    const Image four = everywhere(Merge{}, {&planes[0], &planes[1], &planes[2], &planes[3]});
    for (const Image* merged : {&two, &three, &four})
      for (int c = 0; c < merged->channels(); ++c)
        EXPECT_EQ(hash(apply(ExtractChannel{c}, *merged).view()), hash(planes[c].view()));
  }
}

TEST(Merge, one_plane_may_serve_twice_and_parts_may_be_merged) {
  const Image a = test::noise({30, 20, 1, Format::u16});
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    const Image source = a.clone();
    const View<const std::uint16_t> left = source.as<std::uint16_t>().sub(1, 2, 12, 9),
                                    right = source.as<std::uint16_t>().sub(17, 5, 12, 9);
    Image out(Format::u16, 12, 9, 3);
    apply(Merge{}, {left, right, left}, out.view());
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 12; ++x) {
        EXPECT_EQ(out.as<std::uint16_t>().at(x, y, 0), left.at(x, y)) << place.text();
        EXPECT_EQ(out.as<std::uint16_t>().at(x, y, 1), right.at(x, y)) << place.text();
        EXPECT_EQ(out.as<std::uint16_t>().at(x, y, 2), left.at(x, y)) << place.text();
      }
  }
}

TEST(Merge, refuses_planes_that_do_not_fit) {
  const auto message = [](const Image& a, const Image& b) -> std::string {
    try {
      apply(Merge{}, a, b);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  const Image a(Format::u8, 4, 3);
  EXPECT_EQ(message(a, Image(Format::u8, 4, 4)),
            "merge: input 2 is u8 4x4, but input 1 is u8 4x3; all have one channel, one size and one format");
  EXPECT_EQ(message(a, Image(Format::u16, 4, 3)),
            "merge: input 2 is u16 4x3, but input 1 is u8 4x3; all have one channel, one size and one format");
  EXPECT_EQ(message(a, Image(Format::u8, 4, 3, 3)),
            "merge: input 2 is u8 4x3x3, but input 1 is u8 4x3; all have one channel, one size and one format");
  EXPECT_EQ(message(Image(Format::u8, 4, 3, 3), a), "merge: does not take 3 channels, only 1");
}

}  // namespace
}  // namespace zp
