// Files of other writers: sizes, sums and single pixels as other readers report them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "io/files.h"

namespace zp::tests {
namespace {

using Values = std::vector<double>;

Values pixel(const Image& image, int x, int y) {
  const Values all = samples_of(image);
  const auto channels = std::size_t(image.channels());
  const auto first =
      all.begin() + std::ptrdiff_t((std::size_t(y) * std::size_t(image.width()) + std::size_t(x)) * channels);
  return Values(first, first + std::ptrdiff_t(channels));
}

// The reference is tifffile 2026.3.3 for TIFF ("index" and map where it delivers indices), Pillow 13.0 for 8 bit PNG,
// JPEG and old-style JPEG in TIFF, imagecodecs 2026.3.6 for the PNG with a transparent colour.
struct Sample {
  const char* name;
  PlaneShape shape;
  double sum;
  Values first, middle, last;  // at (0, 0), (width / 3, height / 2), (width - 1, height - 1)
};

const Sample kSamples[] = {
    {"microscopy/cherry_u16_1344x1024.tif", {1344, 1024, 1, Format::u16}, 45864231790, {33090}, {33122}, {33023}},
    {"microscopy/speckles_hoechst_12in16_1200x1000.tif", {1200, 1000, 1, Format::u16}, 551636230, {319}, {366}, {327}},
    {"microscopy/human_D03f00d0.tif", {512, 512, 1, Format::u8}, 4533639, {8}, {9}, {38}},
    {"microscopy/nuclei_u16_512.tif", {512, 512, 1, Format::u16}, 8331268, {14}, {17}, {37}},
    {"microscopy/nuclei_u16_512_labels.tif", {512, 512, 1, Format::u16}, 4978481, {0}, {0}, {0}},
    {"microscopy/bbbc022_3ch_u16.tif", {695, 395, 1, Format::u16}, 51840778, {}, {}, {}},
    {"microscopy/flatfield_O01f00.tif", {512, 512, 1, Format::u8}, 12853183, {13}, {41}, {75}},
    {"microscopy/flatfield_O24f02.tif", {512, 512, 1, Format::u8}, 11776456, {22}, {47}, {36}},
    {"microscopy/worms_brightfield_rgb.png",
     {691, 770, 3, Format::u8},
     379736420,
     {255, 255, 255},
     {247, 247, 248},
     {255, 255, 255}},
    {"microscopy/retina.jpg", {1411, 1411, 3, Format::u8}, 535744832, {0, 0, 0}, {238, 114, 78}, {0, 0, 0}},
    {"microscopy/focus_001.jpg", {2048, 1536, 3, Format::u8}, 859112353, {133, 112, 93}, {109, 107, 86}, {64, 80, 51}},
    {"tiff/flower-minisblack-12.tif", {73, 43, 1, Format::u16}, 4709841, {1387}, {454}, {1098}},
    {"tiff/flower-rgb-contig-12.tif",
     {73, 43, 3, Format::u16},
     13233053,
     {1420, 1418, 1142},
     {162, 672, 101},
     {1099, 1124, 963}},
    {"tiff/flower-palette-08.tif",
     {73, 43, 3, Format::u16},
     211851474,
     {21978, 23302, 17777},
     {3445, 9975, 1551},
     {17161, 17697, 15111}},
    {"tiff/strike.tif", {256, 200, 4, Format::u8}, 15819047, {0, 0, 0, 0}, {3, 1, 0, 255}, {0, 0, 0, 0}},
    {"tiff/quad-jpeg.tif", {512, 384, 3, Format::u8}, 21507926, {0, 0, 0}, {126, 0, 126}, {0, 0, 0}},
    {"tiff/zackthecat.tif", {234, 213, 3, Format::u8}, 8676909, {134, 155, 176}, {135, 108, 65}, {36, 67, 85}},
    {"tiff/caspian.tif", {279, 220, 3, Format::f32}, 44362456, {101, 167, 455}, {133, 144, 239}, {163, 185, 249}},
    {"tiff/pred_ref_u16.tif", {96, 64, 1, Format::u16}, 12299115, {1892}, {1767}, {2640}},
    {"tiff/orientation_tag1.tif", {5, 4, 3, Format::u8}, 5200, {5, 5, 200}, {15, 45, 200}, {45, 65, 200}},
    {"png/basn0g16.png", {32, 32, 1, Format::u16}, 37857070, {0}, {31232}, {255}},
    {"png/bayer.png", {256, 172, 1, Format::u16}, 517552991, {4369}, {6553}, {3276}},
    {"png/ftbbn2c16.png",
     {32, 32, 4, Format::u16},
     171899393,
     {65535, 65535, 65535, 0},
     {15163, 40606, 15163, 65535},
     {65535, 65535, 65535, 0}},
    {"jpeg/testorig.jpg", {227, 149, 3, Format::u8}, 10771587, {48, 47, 45}, {202, 66, 54}, {39, 46, 38}},
    {"jpeg/hopper_orientation_6.jpg", {128, 128, 3, Format::u8}, 4343178, {25, 21, 72}, {91, 31, 33}, {132, 161, 201}},
};

// A change of the JPEG library may move single samples of these.
bool is_jpeg(const std::string& name) {
  return name.find(".jpg") != std::string::npos || name.find("jpeg.tif") != std::string::npos ||
         name.find("zackthecat") != std::string::npos;
}

class SampleTest : public testing::TestWithParam<Sample> {};

TEST_P(SampleTest, reads_as_another_reader_does) {
  const Sample& sample = GetParam();
  ZP_SAMPLE(path, sample.name);
  const Image image = read(path);
  ASSERT_EQ(image.shape(), sample.shape);
  EXPECT_EQ(inspect(path).shape, sample.shape);
  const double slack = is_jpeg(sample.name) ? 1e-3 * sample.sum : 0;
  EXPECT_NEAR(sum_of(image), sample.sum, slack);
  if (sample.first.empty()) return;
  const auto expect_near = [&](int x, int y, const Values& want) {
    const Values got = pixel(image, x, y);
    for (std::size_t c = 0; c < want.size(); ++c) EXPECT_NEAR(got[c], want[c], slack > 0 ? 2 : 0) << x << "," << y;
  };
  expect_near(0, 0, sample.first);
  expect_near(image.width() / 3, image.height() / 2, sample.middle);
  expect_near(image.width() - 1, image.height() - 1, sample.last);
}

INSTANTIATE_TEST_SUITE_P(All, SampleTest, testing::ValuesIn(kSamples), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

// The ramps of 16x16: value = (16 y + x) modulo 2^bits, whatever the file's variety.
class RampTest : public testing::TestWithParam<std::pair<const char*, Format>> {};

TEST_P(RampTest, holds_the_ramp) {
  ZP_SAMPLE(path, std::string("tiff/") + GetParam().first);
  const Image image = read(path);
  ASSERT_EQ(image.shape(), (PlaneShape{16, 16, 1, GetParam().second}));
  const Values got = samples_of(image);
  const std::string name = GetParam().first;
  for (int i = 0; i < 256; ++i) {
    // The float file holds i / 255, the signed one i - 128 (as tifffile reads them).
    const double want = name.find("32f") != std::string::npos   ? double(float(i / 255.0))
                        : name.find("i16") != std::string::npos ? i - 128
                                                                : i;
    ASSERT_EQ(got[std::size_t(i)], want) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, RampTest,
                         testing::Values(std::pair{"seq-1c-10b-6d739fa2.tiff", Format::u16},
                                         std::pair{"seq-1c-12b-47c39b31.tiff", Format::u16},
                                         std::pair{"seq-1c-12b-miniswhite-47c39b31.tiff", Format::u16},
                                         std::pair{"seq-1c-16b-bigendian-68f373a0.tiff", Format::u16},
                                         std::pair{"seq-1c-32f-deflate-fpredict-390fe673.tiff", Format::f32},
                                         std::pair{"seq-1c-8b-lzw-hpredict-20f3db0c.tiff", Format::u8},
                                         std::pair{"seq-1c-8b-multipage-adeefdcc.tiff", Format::u8},
                                         std::pair{"seq-1c-8b-packbits-20f3db0c.tiff", Format::u8},
                                         std::pair{"seq-1c-8b-tiled-bigtiff-20f3db0c.tiff", Format::u8},
                                         std::pair{"seq-1c-i16-63af2488.tiff", Format::f32}));

void expect_equal_files(const char* left, const char* right) {
  ZP_SAMPLE(a, left);
  ZP_SAMPLE(b, right);
  EXPECT_TRUE(same_bytes(read(a), read(b)));
}

TEST(Samples, planar_equals_contiguous) {
  expect_equal_files("tiff/flower-rgb-planar-12.tif", "tiff/flower-rgb-contig-12.tif");
}
TEST(Samples, zstd_with_predictor_equals_plain) {
  expect_equal_files("tiff/zstd_pred2_u16.tif", "tiff/pred_ref_u16.tif");
}
TEST(Samples, interlaced_equals_plain) { expect_equal_files("png/ibasn0g16.png", "png/basn0g16.png"); }
TEST(Samples, turned_equals_upright) { expect_equal_files("tiff/orientation_tag6.tif", "tiff/orientation_tag1.tif"); }

TEST(Samples, the_stack_has_31_pages_in_order) {
  ZP_SAMPLE(path, "microscopy/stack31_u16_57x61.tif");
  // Page sums from tifffile.
  const double sums[] = {660637, 673050, 680465, 686377, 684969, 682926, 680179, 671277, 671363, 681908, 693288,
                         699102, 700914, 699256, 693624, 680963, 673854, 676058, 686330, 697780, 706292, 709985,
                         709860, 701789, 685737, 674435, 679260, 693058, 701908, 704220, 701571};
  int pages = 0;
  EXPECT_EQ(read_pages(path,
                       [&](int index, Image image) {
                         ASSERT_EQ(index, pages++);
                         EXPECT_EQ(image.shape(), (PlaneShape{57, 61, 1, Format::u16}));
                         EXPECT_EQ(sum_of(image), sums[index]) << index;
                       }),
            31);
  EXPECT_EQ(inspect(path).pages, 31);
}

TEST(Samples, channels_as_pages) {
  ZP_SAMPLE(path, "microscopy/bbbc022_3ch_u16.tif");
  const std::vector<Image> pages = read_all(path);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(sum_of(pages[0]), 51840778);
  EXPECT_EQ(sum_of(pages[1]), 78651621);
  EXPECT_EQ(sum_of(pages[2]), 72992341);
}

TEST(Samples, the_label_image_has_125_objects) {
  ZP_SAMPLE(path, "microscopy/nuclei_u16_512_labels.tif");
  const Values all = samples_of(read(path));
  const std::set<double> labels(all.begin(), all.end());
  EXPECT_EQ(labels.size(), 126u);
  EXPECT_EQ(*labels.begin(), 0);
  EXPECT_EQ(*labels.rbegin(), 183);
}

TEST(Samples, cmyk_is_refused_in_words) {
  ZP_SAMPLE(path, "jpeg/cmyk-sample.jpg");
  EXPECT_ERROR(ErrorKind::unsupported, "cmyk-sample.jpg': a JPEG of 4 components", read(path));
}

}  // namespace
}  // namespace zp::tests
