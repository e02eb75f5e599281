// Length of the gradient.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/gradient_magnitude.h"

#include "ops/filter/correlation.h"
#include "ops/filter/scharr.h"
#include "ops/filter/sobel.h"

namespace zp {
namespace {

using test::everywhere;
using Kind = GradientMagnitude::Kind;

TEST(GradientMagnitude, IsOpencvsMagnitude) {
  // numpy: sqrt(gx^2 + gy^2) / 16 + 1 of cv2.Scharr in double, rounded; no value lies within 0.003 of a tie.
  const std::vector<std::uint8_t> expected{1,  85, 85, 13, 13, 85, 1,  193, 169, 59, 61, 68, 54, 89, 65, 60, 41, 31,
                                           43, 67, 73, 65, 75, 61, 10, 60,  119, 25, 1,  9,  9,  73, 89, 9,  1};
  const GradientMagnitude op{.kind = Kind::scharr, .scale = 0.0625f, .offset = 1, .format = Depth::same};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(op, test::pattern_image())), expected);
}

template <class T>
void expect_length(Kind kind, Border border, int channels) {
  const Image image = test::noise({11, 6, channels, format_of<T>}, 9);
  const Image out = everywhere(GradientMagnitude{.kind = kind, .border = border, .value = 1}, image);
  const Image gx = kind == Kind::sobel ? apply(Sobel{.border = border, .value = 1}, image)
                                       : apply(Scharr{.border = border, .value = 1}, image);
  const Image gy = kind == Kind::sobel ? apply(Sobel{.dx = 0, .dy = 1, .border = border, .value = 1}, image)
                                       : apply(Scharr{.dx = 0, .dy = 1, .border = border, .value = 1}, image);
  test::for_each_sample(image, [&](int x, int y, int c) {
    const float a = gx.as<float>().at(x, y, c), b = gy.as<float>().at(x, y, c);
    const float squares[] = {a * a, b * b};
    ASSERT_EQ(out.as<float>().at(x, y, c), std::sqrt(squares[0] + squares[1])) << x << ' ' << y << ' ' << c;
  });
}

TEST(GradientMagnitude, IsTheLengthOfTheTwoDerivatives) {
  for (const Border border : test::kBorders)
    for (const Kind kind : {Kind::sobel, Kind::scharr}) {
      expect_length<std::uint8_t>(kind, border, 3);
      expect_length<std::uint16_t>(kind, border, 1);
      expect_length<float>(kind, border, 4);
    }
}

TEST(GradientMagnitude, KnownSlopes) {
  // 3 right and 4 down per pixel: sobel weighs 8 times, 8 * 5 = 40.
  std::vector<std::uint16_t> ramp;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) ramp.push_back(std::uint16_t(3 * x + 4 * y));
  EXPECT_EQ(everywhere(GradientMagnitude{}, test::image_of<std::uint16_t>(3, 3, 1, ramp)).as<float>().at(1, 1), 40.0f);
  EXPECT_EQ(test::samples_of<float>(everywhere(GradientMagnitude{}, test::row_of<std::uint8_t>({200}))),
            (std::vector<float>{0}));
  // A black and white step saturates.
  EXPECT_EQ(
      test::samples_of<std::uint8_t>(everywhere(GradientMagnitude{.format = Depth::same, .border = Border::replicate},
                                                test::row_of<std::uint8_t>({0, 255}))),
      (std::vector<std::uint8_t>{255, 255}));
  const float nan = std::nanf("");
  const Image hole = test::image_of<float>(3, 3, 1, {1, 1, 1, 1, nan, 1, 1, 1, 1});
  const auto found = test::samples_of<float>(everywhere(GradientMagnitude{.border = Border::replicate}, hole));
  for (int k = 0; k < 9; ++k) EXPECT_EQ(std::isnan(found[std::size_t(k)]), k != 4) << k;
}

}  // namespace
}  // namespace zp
