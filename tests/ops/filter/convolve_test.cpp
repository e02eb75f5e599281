// Correlation with a given kernel.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/convolve.h"

#include "ops/filter/correlation.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Convolve, IsOpencvsFilter2d) {
  // cv2.filter2D with anchor (0, 1), delta 2, BORDER_REPLICATE; scipy.ndimage.correlate gives the same. All sums are
  // exact in f32.
  const std::vector<std::uint8_t> expected{120, 164, 208, 252, 255, 255, 255, 123, 150, 161, 141, 255,
                                           255, 255, 225, 91,  182, 160, 126, 65,  168, 214, 208, 218,
                                           100, 170, 111, 48,  220, 117, 223, 216, 166, 255, 255};
  const Convolve op{.kernel = {0.125f, 0.25f, 0.375f, 0.5f, -0.5f, 0.25f, 0.125f, 0.0625f},
                    .size = {4, 2},
                    .anchor = {0, 1},
                    .offset = 2,
                    .border = Border::replicate};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(op, test::pattern_image())), expected);
  // The same to CV_32F with the kernel -7, -6, ... 17 and BORDER_REFLECT_101.
  const std::vector<float> five{16420, 17777, 16630, 18085, 16980, 18337, 17050, 15875, 18533, 17011, 18949, 18839,
                                20229, 18295, 16610, 19189, 18420, 17513, 16094, 15877, 15700, 12665, 15413, 15373,
                                16445, 18541, 18229, 16985, 15980, 17713, 17262, 18501, 17692, 18913, 18290};
  Convolve square{.format = Depth::f32};
  square.kernel.clear();
  for (int k = -7; k < 18; ++k) square.kernel.push_back(float(k));
  EXPECT_EQ(test::samples_of<float>(everywhere(square, test::pattern_image())), five);
}

template <class T, class U>
void expect_sum(const Convolve& op, Extent size, Extent anchor, const PlaneShape& shape, double tolerance) {
  const Image image = test::noise(shape, 4);
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  const std::vector<double> kernel(op.kernel.begin(), op.kernel.end());
  test::for_each_sample(image, [&](int x, int y, int c) {
    double expected =
        test::correlation(in, x, y, c, kernel, size.width, anchor.width, anchor.height) + double(op.offset);
    if constexpr (!std::is_same_v<U, float>)
      expected = std::nearbyint(std::min(std::max(expected, 0.0), white_of(format_of<U>)));
    ASSERT_NEAR(double(out.as<U>().at(x, y, c)), expected, tolerance) << x << ' ' << y << ' ' << c;
  });
}

/// Multiples of 1/16 with zeros among them: sums of integers are exact in f32.
std::vector<float> weights(Extent size, unsigned seed) {
  std::vector<float> kernel;
  std::mt19937 random(seed);
  for (int k = 0; k < size.width * size.height; ++k)
    kernel.push_back(random() % 4 == 0 ? 0.0f : float(int(random() % 17) - 8) / 16);
  return kernel;
}

TEST(Convolve, AnyKernelOnEveryBorder) {
  const Extent sizes[] = {{1, 1}, {3, 3}, {2, 2}, {1, 5}, {6, 3}, {3, 1}};
  for (const Border border : test::kBorders)
    for (const Extent size : sizes) {
      Convolve op{.kernel = weights(size, 5), .size = size, .offset = 3, .border = border, .value = 7};
      const Extent middle{size.width / 2, size.height / 2}, last{size.width - 1, 0};
      expect_sum<std::uint8_t, std::uint8_t>(op, size, middle, {9, 7, 3, Format::u8}, 0);
      op.anchor = last;
      expect_sum<std::uint16_t, std::uint16_t>(op, size, last, {9, 7, 1, Format::u16}, 0);
      op.format = Depth::f32;
      expect_sum<std::uint8_t, float>(op, size, last, {4, 3, 1, Format::u8}, 0);
      expect_sum<float, float>(op, size, last, {5, 9, 4, Format::f32}, 1e-5);
    }
}

TEST(Convolve, CaseA20TheLargestKernelOnTinyImages) {
  for (const Border border : test::kBorders) {
    Convolve op{.kernel = weights({31, 31}, 6), .format = Depth::f32, .border = border, .value = 1};
    for (const Extent e : {Extent{1, 1}, Extent{2, 1}, Extent{1, 3}, Extent{7, 5}})
      expect_sum<std::uint8_t, float>(op, {31, 31}, {15, 15}, {e.width, e.height, 1, Format::u8}, 0);
    op.anchor = {0, 30};  // the reach doubles
    expect_sum<std::uint8_t, float>(op, {31, 31}, {0, 30}, {5, 3, 4, Format::u8}, 0);
  }
  // Weights that sum to 1 keep a constant: 1024 of 1/1024, but 961 in the kernel, the rest in the centre.
  Convolve mean{.kernel = std::vector<float>(961, 1.0f / 1024), .border = Border::reflect};
  mean.kernel[480] += 63.0f / 1024;
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(mean, test::row_of<std::uint16_t>({7}))),
            (std::vector<std::uint16_t>{7}));
  const auto two = test::samples_of<float>(everywhere(mean, test::row_of<float>({3, 9})));
  for (const float v : two) {
    EXPECT_GT(v, 3.0f);
    EXPECT_LT(v, 9.0f);
  }
  EXPECT_FLOAT_EQ(two[0] + two[1], 12.0f);
}

TEST(Convolve, NanReachesWhereItsWeightIsNotZero) {
  std::vector<float> row(9, 1.0f);
  row[4] = std::nanf("");
  const Convolve op{.kernel = {1, 0, 2, 0, 0}, .size = {5, 1}};
  const auto found = test::samples_of<float>(everywhere(op, test::row_of(row)));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i == 4 || i == 6) << i;
}

TEST(Convolve, RectanglesAreReadAlone) {
  test::expect_rectangles_as_images<std::uint8_t, std::uint8_t>(
      Convolve{.kernel = weights({5, 5}, 8), .border = Border::wrap});
  test::expect_rectangles_as_images<std::uint16_t, float>(Convolve{.kernel = weights({3, 3}, 8), .format = Depth::f32});
}

TEST(Convolve, CaseA17TwoAtOnceDoNotShareKernels) {
  test::expect_independent(Convolve{.kernel = weights({5, 5}, 1)}, Convolve{.kernel = weights({7, 7}, 2)},
                           test::noise({64, 64, 1, Format::f32}));
}

TEST(Convolve, RefusesWhatItCannotDo) {
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(Convolve{.kernel = {1, 2}}, image),
            "convolve: kernel has 2 numbers, no square: size is needed");
  EXPECT_EQ(test::refusal(Convolve{.kernel = {1, 2}, .size = {3, 1}}, image),
            "convolve: kernel has 2 numbers, allowed 3 for size = 3x1");
  EXPECT_EQ(test::refusal(Convolve{.kernel = {1, 2}, .size = {2, 0}}, image),
            "convolve: size = 2x0, allowed 1x1 to 31x31");
  EXPECT_EQ(test::refusal(Convolve{.anchor = {1, 3}}, image),
            "convolve: anchor = 1x3, allowed 0x0 to 2x2 for size = 3x3");
  EXPECT_EQ(test::refusal(Convolve{.kernel = {}}, image), "convolve: kernel has 0 numbers, allowed 1 to 961");
  EXPECT_EQ(test::refusal(Convolve{.size = {32, 1}}, image), "convolve: size = 32, allowed 0 to 31 pixels");
  EXPECT_EQ(test::refusal(Convolve{.kernel = {std::nanf("")}}, image), "convolve: kernel is not a number");
}

}  // namespace
}  // namespace zp
