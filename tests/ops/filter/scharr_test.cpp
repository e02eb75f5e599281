// First derivatives, 3 10 3 across.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/scharr.h"

#include "ops/filter/correlation.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Scharr, IsOpencvs) {
  // cv2.Scharr to CV_32F, and to CV_8U with scale 0.125 and delta 128.
  const std::vector<float> dx{0,    1340, 1340, -196, -196, 1340, 0,   0,    832,   832, -960, -960,
                              832,  0,    0,    -544, -544, 480,  480, -544, 0,     0,   896,  896,
                              -128, -896, 896,  0,    0,    132,  132, 1156, -1404, 132, 0};
  const std::vector<std::uint8_t> saturated{128, 128, 128, 128, 128, 128, 128, 255, 255, 180, 136, 188,
                                            144, 0,   0,   32,  84,  136, 188, 240, 255, 0,   32,  84,
                                            136, 92,  0,   80,  128, 128, 128, 128, 128, 128, 128};
  const Image image = test::pattern_image();
  EXPECT_EQ(test::samples_of<float>(everywhere(Scharr{}, image)), dx);
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(Scharr{.dx = 0, .dy = 1, .scale = 0.125f, .offset = 128, .format = Depth::same}, image)),
            saturated);
}

template <class T>
void expect_sum(const Scharr& op, int channels, double tolerance) {
  const std::vector<double> kernel =
      op.dx ? std::vector<double>{-3, 0, 3, -10, 0, 10, -3, 0, 3} : std::vector<double>{-3, -10, -3, 0, 0, 0, 3, 10, 3};
  const Image image = test::noise({9, 7, channels, format_of<T>}, 4);
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  test::for_each_sample(image, [&](int x, int y, int c) {
    ASSERT_NEAR(out.as<float>().at(x, y, c),
                test::correlation(in, x, y, c, kernel, 3, 1, 1) * double(op.scale) + double(op.offset), tolerance);
  });
}

TEST(Scharr, BothDirectionsOnEveryBorder) {
  for (const Border border : test::kBorders)
    for (const int dx : {0, 1}) {
      const Scharr op{.dx = dx, .dy = 1 - dx, .scale = 0.25f, .offset = 3, .border = border, .value = 1};
      expect_sum<std::uint8_t>(op, 3, 0);
      expect_sum<std::uint16_t>(op, 1, 0);
      expect_sum<float>(op, 4, 3e-6);
    }
}

TEST(Scharr, TinyImagesAndUnreadSamples) {
  EXPECT_EQ(test::samples_of<float>(everywhere(Scharr{}, test::row_of<std::uint8_t>({9}))), (std::vector<float>{0}));
  EXPECT_EQ(test::samples_of<float>(everywhere(Scharr{.border = Border::replicate}, test::row_of<float>({9, 11}))),
            (std::vector<float>{32, 32}));
  const float nan = std::nanf("");
  const auto found =
      test::samples_of<float>(everywhere(Scharr{}, test::image_of<float>(3, 3, 1, {1, nan, 3, 1, nan, 3, 1, nan, 3})));
  EXPECT_EQ(found[4], 32.0f);
}

TEST(Scharr, RefusesOtherOrders) {
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(Scharr{.dx = 1, .dy = 1}, image),
            "scharr: dx = 1 and dy = 1, one of them must be 1 and the other 0");
  EXPECT_EQ(test::refusal(Scharr{.dx = 0}, image), "scharr: dx = 0 and dy = 0, one of them must be 1 and the other 0");
  EXPECT_EQ(test::refusal(Scharr{.dx = 2}, image), "scharr: dx = 2, allowed 0 to 1");
}

}  // namespace
}  // namespace zp
