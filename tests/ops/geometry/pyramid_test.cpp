// PyramidDown and PyramidUp against the 25 weights written out on an image with borders, in whole numbers.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/pictures.h"
#include "ops/geometry/pyramid_down.h"
#include "ops/geometry/pyramid_up.h"

namespace zp::test {
namespace {

int reflected(int i, int n) {
  while (i < 0 || i >= n) i = n == 1 ? 0 : (i < 0 ? -i : 2 * n - 2 - i);
  return i;
}

constexpr int kWeights[] = {1, 4, 6, 4, 1};

/// 25 weights around (x, y), in double, which holds every sum of integers.
template <class Sample>
double filtered(int x, int y, int width, int height, const Sample& sample) {
  double sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += kWeights[dx + 2] * kWeights[dy + 2] * double(sample(reflected(x + dx, width), reflected(y + dy, height)));
  return sum;
}

template <class T>
void expect_formula(const PlaneShape& shape) {
  Image image = noise(shape);
  const View<T> in = image.as<T>();
  const Image half = everywhere(PyramidDown{}, image), twice = everywhere(PyramidUp{}, image);
  ASSERT_EQ(half.shape(), (PlaneShape{(shape.width + 1) / 2, (shape.height + 1) / 2, shape.channels, shape.format}));
  ASSERT_EQ(twice.shape(), (PlaneShape{shape.width * 2, shape.height * 2, shape.channels, shape.format}));
  const auto expect = [&](const Image& out, int x, int y, int c, double exact) {
    const T found = ConstPlaneView(out.view()).as<const T>().at(x, y, c);
    if constexpr (std::is_same_v<T, float>)
      ASSERT_NEAR(found, exact, 1e-6);
    else
      ASSERT_EQ(found, T(std::nearbyint(exact))) << describe(shape) << " at " << x << ", " << y;
  };
  for (int c = 0; c < shape.channels; ++c) {
    for (int y = 0; y < half.height(); ++y)
      for (int x = 0; x < half.width(); ++x)
        expect(half, x, y, c,
               filtered(2 * x, 2 * y, shape.width, shape.height, [&](int i, int j) { return in.at(i, j, c); }) / 256);
    for (int y = 0; y < twice.height(); ++y)
      for (int x = 0; x < twice.width(); ++x)
        expect(twice, x, y, c, filtered(x, y, twice.width(), twice.height(), [&](int i, int j) {
                                 return i % 2 || j % 2 ? T(0) : in.at(i / 2, j / 2, c);
                               }) / 64);
  }
}

TEST(Pyramid, EqualsTheWeightsWrittenOut) {
  for (const auto& [width, height] :
       {std::pair(1, 1), std::pair(2, 1), std::pair(1, 2), std::pair(3, 2), std::pair(1, 9), std::pair(13, 8),
        std::pair(520, 5), std::pair(513, 3), std::pair(257, 2)})
    for (const int channels : {1, 2, 3, 4}) {
      expect_formula<std::uint8_t>({width, height, channels, Format::u8});
      expect_formula<std::uint16_t>({width, height, channels, Format::u16});
      expect_formula<float>({width, height, channels, Format::f32});
    }
}

TEST(Pyramid, ConstantsStayAndWhiteDoesNotWrap) {
  Image white(Format::u16, 9, 7);
  for (int i = 0; i < 63; ++i) white.as<std::uint16_t>().data[i] = 65535;
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(PyramidDown{}, white)), std::vector<std::uint16_t>(20, 65535));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(PyramidUp{}, white)), std::vector<std::uint16_t>(252, 65535));
}

TEST(Pyramid, ByHand) {
  const Image row = row_of<std::uint8_t>({16, 32, 48, 64});
  // (6 * 16 + 8 * 32 + 2 * 48) / 16 = 28; (16 + 4 * 32 + 6 * 48 + 4 * 64 + 48) / 16 = 46
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(PyramidDown{}, row)), (std::vector<std::uint8_t>{28, 46}));
  // 6/8 of a pixel and 1/8 of its neighbours, halves between; the last pixel repeats.
  const std::vector<std::uint8_t> line{20, 24, 32, 40, 48, 56, 62, 64};
  std::vector<std::uint8_t> expected(line);
  expected.insert(expected.end(), line.begin(), line.end());
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(PyramidUp{}, row)), expected);
}

TEST(Pyramid, EmptyIsEmptyAndAPartIsAPart) {
  EXPECT_TRUE(apply(PyramidDown{}, Image(Format::u8, 0, 5)).empty());
  EXPECT_TRUE(apply(PyramidUp{}, Image(Format::u8, 5, 0)).empty());
  Image whole = noise({40, 30, 1, Format::u8}), target(Format::u8, 40, 30);
  Image copy(Format::u8, 21, 11);
  const View<std::uint8_t> part = whole.as<std::uint8_t>().sub(3, 5, 21, 11),
                           to = target.as<std::uint8_t>().sub(7, 9, 11, 6);
  for (int y = 0; y < 11; ++y)
    for (int x = 0; x < 21; ++x) copy.as<std::uint8_t>().at(x, y) = part.at(x, y);
  apply(PyramidDown{}, {ConstPlaneView(part)}, PlaneView(to));
  const std::vector<std::uint8_t> expected = samples_of<std::uint8_t>(apply(PyramidDown{}, copy));
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 11; ++x) EXPECT_EQ(to.at(x, y), expected[std::size_t(y * 11 + x)]);
}

}  // namespace
}  // namespace zp::test
