// Derivatives from a 3x3 window.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/sobel.h"

#include "ops/filter/pictures.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Sobel, IsOpencvs) {
  // cv2.Sobel to CV_32F, and to CV_8U with scale 0.5 and delta 128.
  const std::vector<float> dx1{0,   348,  348, -164, -164, 348, 0,   0,   144,  144, -112, -112,
                               144, 0,    0,   -8,   -8,   -8,  -8,  -8,  0,    0,   96,   96,
                               96,  -160, 96,  0,    0,    148, 148, 148, -364, 148, 0};
  const std::vector<float> dx1_dy2{0,    52,  52,   -460, -460, 52,   0,    0,    -256, -256, 512,  512,
                                   -256, 0,   0,    512,  512,  -512, -512, 512,  0,    0,    -512, -512,
                                   512,  256, -512, 0,    0,    460,  460,  -564, -52,  460,  0};
  const std::vector<std::uint8_t> saturated{128, 128, 128, 128, 128, 128, 128, 255, 255, 212, 136, 188,
                                            112, 10,  6,   32,  84,  136, 188, 240, 255, 6,   32,  84,
                                            136, 60,  0,   10,  128, 128, 128, 128, 128, 128, 128};
  const Image image = test::pattern_image();
  EXPECT_EQ(test::samples_of<float>(everywhere(Sobel{}, image)), dx1);
  EXPECT_EQ(test::samples_of<float>(everywhere(Sobel{.dx = 1, .dy = 2}, image)), dx1_dy2);
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(Sobel{.dx = 0, .dy = 1, .scale = 0.5f, .offset = 128, .format = Sobel::Depth::same}, image)),
            saturated);
}

template <class T>
void expect_sum(const Sobel& op, int channels, double tolerance) {
  static constexpr double kernel[3][3] = {{1, 2, 1}, {-1, 0, 1}, {1, -2, 1}};
  const Image image = test::noise({9, 7, channels, format_of<T>}, 4);
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 9; ++x)
      for (int c = 0; c < channels; ++c) {
        double sum = 0;
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i)
            sum += kernel[op.dy][j] * kernel[op.dx][i] * double(in.at(x + i - 1, y + j - 1, c));
        ASSERT_NEAR(out.as<float>().at(x, y, c), sum * double(op.scale) + double(op.offset), tolerance);
      }
}

TEST(Sobel, EveryOrderOnEveryBorder) {
  for (const Border border : test::kBorders)
    for (int dx = 0; dx <= 2; ++dx)
      for (int dy = dx == 0 ? 1 : 0; dy <= 2; ++dy) {
        const Sobel op{.dx = dx, .dy = dy, .scale = 0.25f, .offset = 3, .border = border, .value = 1};
        expect_sum<std::uint8_t>(op, 3, 0);
        expect_sum<std::uint16_t>(op, 1, 0);
        expect_sum<float>(op, 4, 3e-6);
      }
}

TEST(Sobel, TinyImagesAndUnreadSamples) {
  EXPECT_EQ(test::samples_of<float>(everywhere(Sobel{}, test::row_of<std::uint16_t>({9}))), (std::vector<float>{0}));
  // 1 2 1 down the single row four times, and the edge repeated.
  EXPECT_EQ(
      test::samples_of<float>(everywhere(Sobel{.border = Border::replicate}, test::row_of<std::uint16_t>({9, 11}))),
      (std::vector<float>{8, 8}));
  // The middle column has weight 0 for dx = 1: its NaN is not read.
  const float nan = std::nanf("");
  const auto found =
      test::samples_of<float>(everywhere(Sobel{}, test::image_of<float>(3, 3, 1, {1, nan, 3, 1, nan, 3, 1, nan, 3})));
  EXPECT_EQ(found[4], 8.0f);
}

TEST(Sobel, RefusesNoDerivative) {
  try {
    apply(Sobel{.dx = 0, .dy = 0}, test::pattern_image());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sobel: dx = 0 and dy = 0, at least one must be 1 or 2");
  }
  EXPECT_THROW(apply(Sobel{.dx = 3}, test::pattern_image()), Error);
}

}  // namespace
}  // namespace zp
