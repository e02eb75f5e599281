// reorder_channels: orders that swap, repeat, drop and grow; refusals.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/reorder_channels.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::samples_of;

TEST(ReorderChannels, by_hand) {
  const Image in = image_of<std::uint16_t>(2, 1, 3, {1, 2, 3, 10, 20, 30});
  const auto ordered = [&](const std::vector<float>& order) {
    return samples_of<std::uint16_t>(everywhere(ReorderChannels{order}, in));
  };
  using Words = std::vector<std::uint16_t>;
  EXPECT_EQ(ordered({}), (Words{3, 2, 1, 30, 20, 10}));
  EXPECT_EQ(ordered({1, 2, 0}), (Words{2, 3, 1, 20, 30, 10}));
  EXPECT_EQ(ordered({2}), (Words{3, 30}));
  EXPECT_EQ(ordered({1, 1}), (Words{2, 2, 20, 20}));
  EXPECT_EQ(ordered({0, 2, 0, 1}), (Words{1, 3, 1, 2, 10, 30, 10, 20}));
}

TEST(ReorderChannels, every_count_and_format_copies_bytes) {
  const std::vector<std::vector<float>> orders{{0},    {0, 0},       {0, 0, 0}, {0, 0, 0, 0},
                                               {1, 0}, {1, 0, 1, 1}, {2, 0, 1}, {3, 2}};
  for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32})
    for (int channels = 1; channels <= 4; ++channels)
      for (const std::vector<float>& order : orders) {
        if (*std::max_element(order.begin(), order.end()) >= float(channels)) continue;
        const Image in = test::noise({23, 7, channels, format}), out = everywhere(ReorderChannels{order}, in);
        ASSERT_EQ(out.shape(), (PlaneShape{23, 7, int(order.size()), format}));
        const std::size_t size = bytes_of(format);
        for (std::size_t i = 0; i < out.shape().samples(); ++i) {
          const std::size_t from = i / order.size() * std::size_t(channels) + std::size_t(order[i % order.size()]);
          ASSERT_EQ(std::memcmp(static_cast<const char*>(out.data()) + i * size,
                                static_cast<const char*>(in.data()) + from * size, size),
                    0);
        }
      }
}

TEST(ReorderChannels, works_on_rectangles_and_in_place) {
  const Image source = test::noise({12, 9, 3, Format::u8});
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    const Image copy = source.clone();
    Image target = source.clone();
    const View<std::uint8_t> part = target.as<std::uint8_t>().sub(3, 2, 5, 4);
    apply(ReorderChannels{}, part, part);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 12; ++x)
        for (int c = 0; c < 3; ++c) {
          const bool inside = x >= 3 && x < 8 && y >= 2 && y < 6;
          ASSERT_EQ(target.as<std::uint8_t>().at(x, y, c), copy.as<std::uint8_t>().at(x, y, inside ? 2 - c : c))
              << place.text();
        }
  }
}

TEST(ReorderChannels, keeps_nan) {
  const auto out = samples_of<float>(everywhere(ReorderChannels{}, image_of<float>(1, 1, 2, {1, std::nanf("")})));
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(out[1], 1.0f);
}

TEST(ReorderChannels, refusals) {
  const auto message = [](const std::vector<float>& order) -> std::string {
    try {
      apply(ReorderChannels{order}, Image(Format::u8, 4, 4, 3));
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  EXPECT_EQ(message({0, 3}), "reorder_channels: order = 3, allowed whole numbers 0 to 2 for u8 4x4x3");
  EXPECT_EQ(message({0.5f}), "reorder_channels: order = 0.5, allowed whole numbers 0 to 2 for u8 4x4x3");
  EXPECT_EQ(message({-1}), "reorder_channels: order = -1, allowed 0 to 3");
  EXPECT_EQ(message({std::nanf("")}), "reorder_channels: order = nan, allowed whole numbers 0 to 2 for u8 4x4x3");
  EXPECT_EQ(message({0, 0, 0, 0, 0}), "reorder_channels: order has 5 numbers, allowed 1 to 4");
}

}  // namespace
}  // namespace zp
