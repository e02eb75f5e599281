// Second derivatives.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/laplacian.h"

#include "ops/filter/correlation.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Laplacian, IsOpencvs) {
  // cv2.Laplacian to CV_32F with ksize 1 and 3.
  const std::vector<float> one{256,  208,  234,  260,  -226, -200, -248, 100,  0,    -256, -512, 512,
                               256,  -100, -130, -512, 512,  256,  -256, -512, 642,  408,  256,  -256,
                               -512, 512,  0,    -408, -4,   -464, 534,  252,  -542, 456,  -4};
  const std::vector<float> three{1128,  832, 936,  16,    120,  -800, -1096, 400,   -512, -512, -1024, 1024,
                                 512,   624, -520, -1024, 1024, 0,    0,     -1024, 520,  1632, 0,     0,
                                 -1024, 512, 0,    -608,  -120, -832, 1112,  -16,   -120, 800,  88};
  const Image image = test::pattern_image();
  EXPECT_EQ(test::samples_of<float>(everywhere(Laplacian{}, image)), one);
  EXPECT_EQ(test::samples_of<float>(everywhere(Laplacian{.aperture = 3}, image)), three);
}

template <class T, class U>
void expect_sum(const Laplacian& op, int channels, double tolerance) {
  const std::vector<double> kernel = op.aperture == 1 ? std::vector<double>{0, 1, 0, 1, -4, 1, 0, 1, 0}
                                                      : std::vector<double>{2, 0, 2, 0, -8, 0, 2, 0, 2};
  const Image image = test::noise({9, 7, channels, format_of<T>}, 4);
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  test::for_each_sample(image, [&](int x, int y, int c) {
    double expected = test::correlation(in, x, y, c, kernel, 3, 1, 1) * double(op.scale) + double(op.offset);
    if constexpr (!std::is_same_v<U, float>)
      expected = std::nearbyint(std::min(std::max(expected, 0.0), white_of(format_of<U>)));
    ASSERT_NEAR(double(out.as<U>().at(x, y, c)), expected, tolerance);
  });
}

TEST(Laplacian, BothAperturesOnEveryBorder) {
  for (const Border border : test::kBorders)
    for (const int aperture : {1, 3}) {
      Laplacian op{.aperture = aperture, .scale = -0.25f, .offset = 3, .border = border, .value = 1};
      expect_sum<std::uint8_t, float>(op, 3, 0);
      expect_sum<std::uint16_t, float>(op, 1, 0);
      expect_sum<float, float>(op, 4, 3e-6);
      op.format = Depth::same;
      op.offset = 128;
      expect_sum<std::uint8_t, std::uint8_t>(op, 1, 0);
      expect_sum<std::uint16_t, std::uint16_t>(op, 2, 0);
    }
}

TEST(Laplacian, TinyImagesAndUnreadSamples) {
  EXPECT_EQ(test::samples_of<float>(everywhere(Laplacian{}, test::row_of<std::uint8_t>({9}))), (std::vector<float>{0}));
  // 2 from the right for itself at the left end, mirrored; none along y.
  EXPECT_EQ(test::samples_of<float>(everywhere(Laplacian{}, test::row_of<std::uint16_t>({9, 11}))),
            (std::vector<float>{4, -4}));
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  EXPECT_EQ(everywhere(Laplacian{}, test::image_of<float>(3, 3, 1, {nan, 1, infinity, 1, 1, 1, nan, 1, nan}))
                .as<float>()
                .at(1, 1),
            0.0f);
}

TEST(Laplacian, RefusesOtherApertures) {
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(Laplacian{.aperture = 2}, image), "laplacian: aperture = 2, allowed 1 and 3");
  EXPECT_EQ(test::refusal(Laplacian{.aperture = 5}, image), "laplacian: aperture = 5, allowed 1 to 3");
}

}  // namespace
}  // namespace zp
