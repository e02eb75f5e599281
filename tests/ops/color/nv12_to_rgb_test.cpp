// nv12_to_rgb: the block that each pixel belongs to, odd sizes, one buffer as two views, refusals.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/nv12_to_rgb.h"
#include "ops/color/ycbcr_to_rgb.h"

#include "support/everywhere.h"

namespace zp::test {
namespace {

TEST(Nv12ToRgb, each_pixel_has_the_chroma_of_its_block) {
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 2}, {7, 5}, {8, 6}, {33, 18}, {1, 9}, {9, 1}})
    for (const YcbcrStandard standard : {YcbcrStandard::bt601, YcbcrStandard::bt709})
      for (const YcbcrRange range : {YcbcrRange::full, YcbcrRange::limited}) {
        const Image luma = noise({width, height, 1, Format::u8}, 1),
                    chroma = noise({(width + 1) / 2, (height + 1) / 2, 2, Format::u8}, 2);
        Image ycc(Format::u8, width, height, 3);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            ycc.as<std::uint8_t>().at(x, y, 0) = luma.as<std::uint8_t>().at(x, y);
            for (int c = 0; c < 2; ++c)
              ycc.as<std::uint8_t>().at(x, y, 1 + c) = chroma.as<std::uint8_t>().at(x / 2, y / 2, c);
          }
        const Image out = everywhere(Nv12ToRgb{standard, range}, {&luma, &chroma});
        EXPECT_EQ(hash(out.view()), hash(apply(YcbcrToRgb{standard, range}, ycc).view())) << width << "x" << height;
      }
}

TEST(Nv12ToRgb, known_colours) {
  // Limited BT.601: grey 126, and red 81 with Cb 90, Cr 240.
  const Image luma = image_of<std::uint8_t>(4, 1, 1, {16, 126, 81, 81}),
              chroma = image_of<std::uint8_t>(2, 1, 2, {128, 128, 90, 240});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Nv12ToRgb{}, {&luma, &chroma})),
            (std::vector<std::uint8_t>{0, 0, 0, 128, 128, 128, 254, 0, 0, 254, 0, 0}));
}

TEST(Nv12ToRgb, a_frame_in_one_buffer_is_two_views_of_it) {
  constexpr int kWidth = 10, kHeight = 6, kPitch = 16;
  for (const Place& place : places()) {
    const At at(place);
    Image frame = noise({kPitch, kHeight * 3 / 2, 1, Format::u8}).clone();
    const View<const std::uint8_t> luma(frame.as<std::uint8_t>().data, kWidth, kHeight, 1, kPitch),
        chroma(frame.as<std::uint8_t>().row(kHeight), kWidth / 2, kHeight / 2, 2, kPitch);
    Image out(Format::u8, kWidth, kHeight, 3);
    apply(Nv12ToRgb{}, {luma, chroma}, out.view());
    Image first(Format::u8, kWidth, kHeight), second(Format::u8, kWidth / 2, kHeight / 2, 2);
    for (int y = 0; y < kHeight; ++y) std::memcpy(first.as<std::uint8_t>().row(y), luma.row(y), kWidth);
    for (int y = 0; y < kHeight / 2; ++y) std::memcpy(second.as<std::uint8_t>().row(y), chroma.row(y), kWidth);
    EXPECT_EQ(hash(out.view()), hash(apply(Nv12ToRgb{}, first, second).view())) << place.text();
  }
}

TEST(Nv12ToRgb, refuses_chroma_of_another_size) {
  const auto message = [](const Image& luma, const Image& chroma) -> std::string {
    try {
      apply(Nv12ToRgb{}, luma, chroma);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  const Image luma(Format::u8, 5, 4);
  EXPECT_EQ(message(luma, Image(Format::u8, 2, 2, 2)),
            "nv12_to_rgb: chroma is u8 2x2x2, but luma of u8 5x4 has u8 3x2x2");
  EXPECT_EQ(message(luma, Image(Format::u8, 3, 2)), "nv12_to_rgb: chroma is u8 3x2, but luma of u8 5x4 has u8 3x2x2");
  EXPECT_EQ(message(luma, Image(Format::u16, 3, 2, 2)),
            "nv12_to_rgb: chroma is u16 3x2x2, but luma of u8 5x4 has u8 3x2x2");
  EXPECT_EQ(message(Image(Format::u16, 4, 4), Image(Format::u8, 2, 2, 2)), "nv12_to_rgb: does not take u16, only u8");
  EXPECT_TRUE(apply(Nv12ToRgb{}, Image(Format::u8, 0, 4), Image(Format::u8, 0, 2, 2)).empty());
}

}  // namespace
}  // namespace zp::test
