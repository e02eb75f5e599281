// select: masks of every format and channel count, views, what is refused.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/select.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Select, by_hand) {
  const Image a = row_of<std::uint8_t>({1, 2, 3, 4}), b = row_of<std::uint8_t>({10, 20, 30, 40});
  const std::vector<std::uint8_t> expected{10, 2, 3, 40};
  const Image bytes = row_of<std::uint8_t>({0, 1, 255, 0}), words = row_of<std::uint16_t>({0, 256, 65535, 0}),
              floats = row_of<float>({0, -1e-45f, kNaN, -0.0f}),
              labels = row_of<std::uint32_t>({0, 1u << 31, 65536, 0});
  for (const Image* mask : {&bytes, &words, &floats, &labels})
    EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Select{}, {&a, &b, mask})), expected) << name_of(mask->format());
}

TEST(Select, moves_f32_as_it_is) {
  const Image a = row_of<float>({kNaN, -0.0f, kInf, 1e-45f, 5}), b = row_of<float>({1, 2, kNaN, 4, -0.0f}),
              mask = row_of<std::uint8_t>({1, 1, 0, 1, 0});
  const auto out = samples_of<float>(everywhere(Select{}, {&a, &b, &mask}));
  EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[2]));
  EXPECT_TRUE(out[1] == 0 && std::signbit(out[1]) && out[4] == 0 && std::signbit(out[4]));
  EXPECT_EQ(out[3], 1e-45f);
}

template <class T>
void expect_reference(int a_channels, int b_channels, int mask_channels, Format mask_format) {
  const Image a = test::noise({29, 13, a_channels, format_of<T>}),
              b = test::noise({29, 13, b_channels, format_of<T>}, 2);
  Image mask = test::noise({29, 13, mask_channels, mask_format}, 3);
  const Image coin = test::noise({29, 13, mask_channels, Format::u8}, 4);
  const auto picks = [&](int x, int y, int c) {
    return coin.as<std::uint8_t>().at(x, y, mask_channels == 1 ? 0 : c) >= 128;
  };
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 29; ++x)
      for (int c = 0; c < mask_channels; ++c) {
        auto* sample = static_cast<char*>(mask.data()) +
                       (std::size_t(y * 29 + x) * std::size_t(mask_channels) + std::size_t(c)) * bytes_of(mask_format);
        std::memset(sample, picks(x, y, c) ? 1 : 0, bytes_of(mask_format));
      }
  const Image out = everywhere(Select{}, {&a, &b, &mask});
  const int channels = std::max(a_channels, b_channels);
  ASSERT_EQ(out.shape(), (PlaneShape{29, 13, channels, format_of<T>}));
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 29; ++x)
      for (int c = 0; c < channels; ++c)
        ASSERT_EQ(out.as<T>().at(x, y, c), picks(x, y, c) ? a.as<T>().at(x, y, a_channels == 1 ? 0 : c)
                                                          : b.as<T>().at(x, y, b_channels == 1 ? 0 : c));
}

TEST(Select, agrees_with_a_reference_for_channels_and_formats) {
  for (const Format mask : {Format::u8, Format::u16, Format::f32, Format::u32})
    for (const auto& [a, b, m] : {std::tuple{1, 1, 1}, {3, 3, 1}, {3, 3, 3}, {4, 1, 1}, {1, 2, 2}, {1, 3, 1}}) {
      expect_reference<std::uint8_t>(a, b, m, mask);
      expect_reference<std::uint16_t>(a, b, m, mask);
      expect_reference<float>(a, b, m, mask);
    }
}

TEST(Select, works_in_place_and_on_parts) {
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    const Image a = test::noise({23, 9, 1, Format::u8}), b = test::noise({23, 9, 1, Format::u8}, 2),
                mask = test::noise({23, 9, 1, Format::u8}, 3);
    const std::vector<ConstPlaneView> views{a.view(), b.view(), mask.view()};
    const Image whole = zp::apply(Select{}, std::span<const ConstPlaneView>(views));
    Image first = a.clone(), third = mask.clone();
    apply(Select{}, {first.view(), b.view(), mask.view()}, first.view());
    apply(Select{}, {a.view(), b.view(), third.view()}, third.view());
    EXPECT_EQ(hash(first.view()), hash(whole.view()));
    EXPECT_EQ(hash(third.view()), hash(whole.view()));
    Image target = a.clone();
    const View<std::uint8_t> part = target.as<std::uint8_t>().sub(3, 2, 17, 5);
    apply(Select{},
          {View<const std::uint8_t>(part), b.as<std::uint8_t>().sub(3, 2, 17, 5),
           mask.as<std::uint8_t>().sub(3, 2, 17, 5)},
          part);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 23; ++x)
        ASSERT_EQ(target.as<std::uint8_t>().at(x, y),
                  (x >= 3 && x < 20 && y >= 2 && y < 7 ? whole : a).as<std::uint8_t>().at(x, y));
  }
}

TEST(Select, refuses_masks_and_images_that_do_not_fit) {
  const auto message = [](const Image& a, const Image& b, const Image& mask) -> std::string {
    try {
      const std::vector<ConstPlaneView> views{a.view(), b.view(), mask.view()};
      zp::apply(Select{}, std::span<const ConstPlaneView>(views));
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  const Image a(Format::u8, 4, 3, 3), b(Format::u8, 4, 3), wide(Format::u8, 5, 3), two(Format::u8, 4, 3, 2),
      word(Format::u16, 4, 3, 3);
  EXPECT_EQ(message(a, a, wide),
            "select: the mask is u8 5x3, but the result is u8 4x3x3; sizes must be equal, and channels equal or 1");
  EXPECT_EQ(message(b, b, a),
            "select: the mask is u8 4x3x3, but the result is u8 4x3; sizes must be equal, and channels equal or 1");
  EXPECT_EQ(
      message(a, two, b),
      "select: input 2 is u8 4x3x2, but input 1 is u8 4x3x3; size and format must be equal, and channels equal or 1");
  EXPECT_EQ(
      message(a, word, b),
      "select: input 2 is u16 4x3x3, but input 1 is u8 4x3x3; size and format must be equal, and channels equal or 1");
}

}  // namespace
}  // namespace zp
