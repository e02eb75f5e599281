// pad: each border by hand, any reach, and crop undoes it.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/pad.h"
#include "ops/layout/crop.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::row_of, test::samples_of;

std::vector<std::uint8_t> row(Border border, std::vector<std::uint8_t> in, int left, int right) {
  return samples_of<std::uint8_t>(
      everywhere(Pad{.left = left, .right = right, .border = border, .value = 7}, row_of(in)));
}

// numpy.pad with edge, symmetric, reflect, wrap and constant gives the same.
TEST(Pad, borders) {
  const std::vector<std::uint8_t> abc{1, 2, 3};
  EXPECT_EQ(row(Border::replicate, abc, 2, 4), (std::vector<std::uint8_t>{1, 1, 1, 2, 3, 3, 3, 3, 3}));
  EXPECT_EQ(row(Border::reflect, abc, 2, 4), (std::vector<std::uint8_t>{2, 1, 1, 2, 3, 3, 2, 1, 1}));
  EXPECT_EQ(row(Border::reflect101, abc, 2, 4), (std::vector<std::uint8_t>{3, 2, 1, 2, 3, 2, 1, 2, 3}));
  EXPECT_EQ(row(Border::wrap, abc, 2, 4), (std::vector<std::uint8_t>{2, 3, 1, 2, 3, 1, 2, 3, 1}));
  EXPECT_EQ(row(Border::constant, abc, 2, 4), (std::vector<std::uint8_t>{7, 7, 1, 2, 3, 7, 7, 7, 7}));
}

TEST(Pad, reflections_fold_as_often_as_it_takes) {
  EXPECT_EQ(row(Border::reflect101, {3, 9}, 3, 4), (std::vector<std::uint8_t>{9, 3, 9, 3, 9, 3, 9, 3, 9}));
  EXPECT_EQ(row(Border::reflect, {3, 9}, 3, 4), (std::vector<std::uint8_t>{9, 9, 3, 3, 9, 9, 3, 3, 9}));
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
    EXPECT_EQ(row(border, {5}, 40, 31), std::vector<std::uint8_t>(72, 5));
}

TEST(Pad, rows_and_columns_and_channels) {
  const Image in = image_of<std::uint16_t>(2, 1, 3, {1, 2, 3, 4, 5, 6});
  const Image out = everywhere(Pad{.left = 1, .top = 1, .bottom = 1, .border = Border::wrap}, in);
  EXPECT_EQ(out.shape(), (PlaneShape{3, 3, 3, Format::u16}));
  const std::vector<std::uint16_t> line{4, 5, 6, 1, 2, 3, 4, 5, 6};
  std::vector<std::uint16_t> want;
  for (int y = 0; y < 3; ++y) want.insert(want.end(), line.begin(), line.end());
  EXPECT_EQ(samples_of<std::uint16_t>(out), want);
}

TEST(Pad, a_constant_saturates) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Pad{.left = 1, .value = 300}, row_of<std::uint8_t>({1}))),
            (std::vector<std::uint8_t>{255, 1}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Pad{.left = 1, .value = -3}, row_of<std::uint8_t>({1}))),
            (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(samples_of<float>(everywhere(Pad{.left = 1, .value = -3}, row_of<float>({1}))),
            (std::vector<float>{-3, 1}));
}

TEST(Pad, crop_undoes_it) {
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap, Border::constant})
    for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32})
      for (int channels = 1; channels <= 4; ++channels) {
        const Image in = test::noise({7, 5, channels, format});
        const Image padded = everywhere(Pad{11, 3, 2, 9, border, 1}, in);
        EXPECT_EQ(padded.shape(), (PlaneShape{20, 17, channels, format}));
        EXPECT_EQ(hash(everywhere(Crop{11, 3, 7, 5}, padded).view()), hash(in.view()));
      }
}

TEST(Pad, refuses_sizes_that_do_not_fit) {
  try {
    apply(Pad{.left = 2000000000, .right = 2000000000}, row_of<std::uint8_t>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "pad: left = 2000000000, right = 2000000000: with the image's 1 that is 4000000001 pixels, allowed up "
                 "to 2147483647");
  }
  // Nothing to reflect or repeat.
  EXPECT_THROW(apply(Pad{.left = 1, .right = 1}, Image(Format::u8, 0, 3)), Error);
}

}  // namespace
}  // namespace zp
