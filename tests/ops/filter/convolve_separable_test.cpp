// Correlation with a row and a column.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/convolve_separable.h"

#include "ops/filter/convolve.h"
#include "ops/filter/correlation.h"

namespace zp {
namespace {

using test::everywhere;

TEST(ConvolveSeparable, IsOpencvsSepFilter2d) {
  // cv2.sepFilter2D of an f32 image with anchor (0, 1), delta 2, BORDER_REFLECT, rounded half to even.
  const std::vector<std::uint8_t> expected{71,  106, 141, 175, 196, 193, 172, 108, 115, 129, 152, 167,
                                           164, 140, 162, 133, 128, 114, 105, 116, 101, 135, 134, 158,
                                           141, 123, 148, 142, 141, 136, 124, 143, 156, 141, 127};
  const ConvolveSeparable op{.kernel_x = {0.125f, 0.25f, 0.375f, 0.5f},
                             .kernel_y = {0.5f, 0.25f},
                             .anchor = {0, 1},
                             .offset = 2,
                             .border = Border::reflect};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(op, test::pattern_image())), expected);
}

template <class T, class U>
void expect_sum(const ConvolveSeparable& op, Extent anchor, int channels, double tolerance) {
  const Image image = test::noise({9, 7, channels, format_of<T>}, 4);
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  std::vector<double> kernel;
  for (const float y : op.kernel_y.empty() ? op.kernel_x : op.kernel_y)
    for (const float x : op.kernel_x) kernel.push_back(double(y) * double(x));
  test::for_each_sample(image, [&](int x, int y, int c) {
    double expected = test::correlation(in, x, y, c, kernel, int(op.kernel_x.size()), anchor.width, anchor.height) +
                      double(op.offset);
    if constexpr (!std::is_same_v<U, float>)
      expected = std::nearbyint(std::min(std::max(expected, 0.0), white_of(format_of<U>)));
    ASSERT_NEAR(double(out.as<U>().at(x, y, c)), expected, tolerance) << x << ' ' << y << ' ' << c;
  });
}

TEST(ConvolveSeparable, AnyKernelsOnEveryBorder) {
  for (const Border border : test::kBorders) {
    ConvolveSeparable op{.kernel_x = {0.5f, -0.25f, 0.125f, 1}, .offset = 3, .border = border, .value = 7};
    expect_sum<std::uint8_t, std::uint8_t>(op, {2, 2}, 3, 0);
    op.kernel_y = {0.25f, 0, -0.5f, 1, 0.5f};
    op.anchor = {3, -1};
    expect_sum<std::uint16_t, std::uint16_t>(op, {3, 2}, 1, 0);
    op.format = Depth::f32;
    expect_sum<std::uint8_t, float>(op, {3, 2}, 2, 0);
    expect_sum<float, float>(op, {3, 2}, 4, 1e-5);
  }
}

TEST(ConvolveSeparable, CaseA20KernelsLargerThanTheImage) {
  ConvolveSeparable mean{.kernel_x = std::vector<float>(31, 1.0f / 31)};
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap}) {
    mean.border = border;
    EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(mean, test::row_of<std::uint8_t>({7})))[0], 7);
    const auto two = test::samples_of<float>(everywhere(mean, test::row_of<float>({3, 9})));
    for (const float v : two) {
      EXPECT_GT(v, 3.0f);
      EXPECT_LT(v, 9.0f);
    }
  }
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(
                ConvolveSeparable{.kernel_x = std::vector<float>(255, 1.0f / 256), .kernel_y = {1}, .offset = 0.75f},
                test::row_of<std::uint8_t>({64})))[0],
            64);  // 64 * 255 / 256 + 0.75 = 64.5, to even
}

TEST(ConvolveSeparable, NanReachesWhereItsWeightIsNotZero) {
  std::vector<float> row(9, 1.0f);
  row[4] = std::nanf("");
  const ConvolveSeparable op{.kernel_x = {1, 0, 2, 0, 0}, .kernel_y = {1}};
  const auto found = test::samples_of<float>(everywhere(op, test::row_of(row)));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i == 4 || i == 6) << i;
}

TEST(ConvolveSeparable, RectanglesAndTwoAtOnce) {
  test::expect_rectangles_as_images<std::uint8_t, float>(
      ConvolveSeparable{.kernel_x = {0.5f, 0.25f}, .format = Depth::f32, .border = Border::wrap});
  test::expect_independent(ConvolveSeparable{.kernel_x = {0.5f, 0.25f, 0.25f}},
                           ConvolveSeparable{.kernel_x = {-0.5f, 1.5f, 3.0f, 0.25f, 2}},
                           test::noise({64, 64, 1, Format::f32}));
}

TEST(ConvolveSeparable, RefusesWhatItCannotDo) {
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(ConvolveSeparable{.anchor = {3, 0}}, image),
            "convolve_separable: anchor along x = 3, allowed 0 to 2 for 3 numbers in kernel_x");
  EXPECT_EQ(test::refusal(ConvolveSeparable{.kernel_y = {1, 2}, .anchor = {0, 2}}, image),
            "convolve_separable: anchor along y = 2, allowed 0 to 1 for 2 numbers in kernel_y");
  EXPECT_EQ(test::refusal(ConvolveSeparable{.kernel_x = {}}, image),
            "convolve_separable: kernel_x has 0 numbers, allowed 1 to 255");
}

}  // namespace
}  // namespace zp
