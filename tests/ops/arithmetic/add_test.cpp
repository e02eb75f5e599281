// add: values by hand, one channel for all, views, what is refused.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/add.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Add, saturates_integers_and_follows_ieee_in_f32) {
  const Image a = row_of<std::uint8_t>({0, 1, 200, 200, 255}), b = row_of<std::uint8_t>({0, 2, 55, 56, 255});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Add{}, {&a, &b})), (std::vector<std::uint8_t>{0, 3, 255, 255, 255}));
  const Image c = row_of<std::uint16_t>({65000, 65000}), d = row_of<std::uint16_t>({535, 536});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Add{}, {&c, &d})), (std::vector<std::uint16_t>{65535, 65535}));
  const Image e = row_of<float>({0.5f, kInf, kInf}), f = row_of<float>({-2, 1, -kInf});
  const auto out = samples_of<float>(everywhere(Add{}, {&e, &f}));
  EXPECT_EQ(out[0], -1.5f);
  EXPECT_EQ(out[1], kInf);
  EXPECT_TRUE(std::isnan(out[2]));
}

TEST(Add, every_pair_of_bytes) {
  Image a(Format::u8, 256, 256), b(Format::u8, 256, 256);
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      a.as<std::uint8_t>().at(x, y) = std::uint8_t(x);
      b.as<std::uint8_t>().at(x, y) = std::uint8_t(y);
    }
  const Image out = everywhere(Add{}, {&a, &b});
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) ASSERT_EQ(out.as<std::uint8_t>().at(x, y), std::min(x + y, 255));
}

TEST(Add, one_channel_serves_all) {
  const Image a = test::noise({19, 7, 3, Format::u16}), b = test::noise({19, 7, 1, Format::u16}, 2);
  const auto out = samples_of<std::uint16_t>(everywhere(Add{}, {&a, &b}));
  const auto p = samples_of<std::uint16_t>(a), q = samples_of<std::uint16_t>(b);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], std::min(p[i] + q[i / 3], 65535));
}

TEST(Add, works_in_place_on_either_input_and_on_parts) {
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    const Image a = test::noise({23, 9, 2, Format::u8}), b = test::noise({23, 9, 2, Format::u8}, 2);
    const Image sum = apply(Add{}, a, b);
    Image first = a.clone(), second = b.clone(), twice = a.clone();
    apply(Add{}, {first.view(), b.view()}, first.view());
    apply(Add{}, {a.view(), second.view()}, second.view());
    EXPECT_EQ(hash(first.view()), hash(sum.view()));
    EXPECT_EQ(hash(second.view()), hash(sum.view()));
    apply(Add{}, {twice.view(), twice.view()}, twice.view());
    EXPECT_EQ(hash(twice.view()), hash(apply(Add{}, a, a).view()));
    // A part of rows with padding, and an output that overlaps the first input by one pixel to the right.
    Image moved = a.clone();
    const View<std::uint8_t> rows = moved.as<std::uint8_t>();
    apply(Add{}, View<const std::uint8_t>(rows.sub(2, 1, 20, 7)), b.as<std::uint8_t>().sub(2, 1, 20, 7),
          rows.sub(3, 1, 20, 7));
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 23; ++x)
        for (int c = 0; c < 2; ++c)
          EXPECT_EQ(rows.at(x, y, c), x >= 3 && y >= 1 && y < 8 ? sum.as<std::uint8_t>().at(x - 1, y, c)
                                                                : a.as<std::uint8_t>().at(x, y, c));
  }
}

TEST(Add, refuses_images_that_do_not_fit) {
  const Image a(Format::u8, 4, 3), b(Format::u8, 4, 4);
  try {
    apply(Add{}, a, b);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "add: input 2 is u8 4x4, but input 1 is u8 4x3; size and format must be equal, and channels equal or 1");
  }
  EXPECT_THROW(apply(Add{}, a), Error);
}

TEST(Add, one_channel_of_either_image_serves_all) {
  test::expect_one_channel_serves_all<std::uint8_t>(Add{});
  test::expect_one_channel_serves_all<std::uint16_t>(Add{});
  test::expect_one_channel_serves_all<float>(Add{});
}

}  // namespace
}  // namespace zp
