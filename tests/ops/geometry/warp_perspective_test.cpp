// WarpPerspective against the affine warp, exact moves and the formula in double.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/warp_perspective.h"

#include "ops/geometry/pictures.h"
#include "ops/geometry/warp_affine.h"

namespace zp::test {
namespace {

TEST(WarpPerspective, ExactMovesAreExact) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
      const Image image = noise({9, 6, 3, format});
      EXPECT_EQ(hash(everywhere(WarpPerspective{.method = method}, image).view()), hash(image.view()));
      // Multiples of a matrix are the same matrix.
      const std::vector<float> shift{1, 0, 2, 0, 1, -1}, doubled{-2, 0, -4, 0, -2, 2, 0, 0, -2};
      EXPECT_EQ(hash(everywhere(WarpPerspective{.matrix = doubled, .method = method, .value = 7}, image).view()),
                hash(apply(WarpAffine{.matrix = shift, .method = method, .value = 7}, image).view()));
    }
}

/// The picture of a plane a + b x + c y is known everywhere, and linear reads it exactly.
TEST(WarpPerspective, EqualsTheFormulaOnAPlane) {
  Image image(Format::f32, 60, 50);
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 60; ++x) image.as<float>().at(x, y) = float(100 + 3 * x - 2 * y);
  const std::vector<float> matrix{0.9f, 0.2f, 3, -0.1f, 1.1f, 2, 0.001f, 0.002f, 1};
  const auto mapped = [&](double x, double y) {
    const double w = double(matrix[6]) * x + double(matrix[7]) * y + double(matrix[8]);
    return std::pair((double(matrix[0]) * x + double(matrix[1]) * y + double(matrix[2])) / w,
                     (double(matrix[3]) * x + double(matrix[4]) * y + double(matrix[5])) / w);
  };
  const Image there = everywhere(WarpPerspective{.matrix = matrix, .inverse = true, .value = -1e9f}, image);
  int inside = 0;
  for (int v = 0; v < 50; ++v)
    for (int u = 0; u < 60; ++u) {
      const auto [x, y] = mapped(u, v);
      if (x < 0 || x > 59 || y < 0 || y > 49) continue;
      ++inside;
      ASSERT_NEAR(ConstPlaneView(there.view()).as<const float>().at(u, v), 100 + 3 * x - 2 * y, 1e-3);
    }
  EXPECT_GT(inside, 2000);
  // Without `inverse` a pixel whose image lies on a pixel of the result is found there: solved by Newton's steps.
  const Image back = everywhere(WarpPerspective{.matrix = matrix, .value = -1e9f}, image);
  inside = 0;
  for (int v = 0; v < 50; ++v)
    for (int u = 0; u < 60; ++u) {
      double x = u, y = v;
      for (int step = 0; step < 60; ++step) {
        const auto [a, b] = mapped(x, y);
        x += 0.7 * (u - a);
        y += 0.7 * (v - b);
      }
      const auto [a, b] = mapped(x, y);
      if (std::abs(a - u) + std::abs(b - v) > 1e-9 || x < 0 || x > 59 || y < 0 || y > 49) continue;
      ++inside;
      ASSERT_NEAR(ConstPlaneView(back.view()).as<const float>().at(u, v), 100 + 3 * x - 2 * y, 1e-3);
    }
  EXPECT_GT(inside, 2000);
}

TEST(WarpPerspective, TheHorizonHasNoPlaceAndBeyondItTheFormulaHolds) {
  // W = 1 - y / 2: 1, 1/2, 0, -1/2 from top to bottom; places x / W, y / W.
  const Image image = image_of<std::uint8_t>(3, 4, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const WarpPerspective op{.matrix = {1, 0, 0, 0, 1, 0, 0, -0.5f, 1},
                           .inverse = true,
                           .method = Interpolation::nearest,
                           .border = Border::replicate,
                           .value = 99};
  // Row 1: (2 x, 2). Row 3: (-2 x, -6).
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(op, image)),
            (std::vector<std::uint8_t>{1, 2, 3, 7, 9, 9, 99, 99, 99, 1, 1, 1}));
}

TEST(WarpPerspective, EveryFormatChannelCountAndMethodIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 2, 3, 4})
      for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic})
        everywhere(WarpPerspective{.matrix = {0.7f, 0.4f, 3, -0.4f, 0.7f, 9, 0.01f, -0.02f, 1},
                                   .width = 300,
                                   .height = 12,
                                   .method = method,
                                   .border = Border::wrap},
                   noise({37, 29, channels, format}));
}

TEST(WarpPerspective, RefusesSingularMatrices) {
  const Image image = noise({8, 8, 1, Format::u8});
  EXPECT_EQ(refusal(WarpPerspective{.matrix = {1, 2, 3, 4, 5, 6, 7, 8, 9}}, {&image}),
            "warp_perspective: matrix = 1/2/3/4/5/6/7/8/9 is singular: it has no inverse");
  EXPECT_NE(refusal(WarpPerspective{.matrix = {0, 0, 0, 0, 0, 0, 0, 0, 0}, .inverse = true}, {&image}).find("singular"),
            std::string::npos);
  // 3.5 times and 0.3 times the first row: singular within the rounding of f32 products.
  EXPECT_NE(refusal(WarpPerspective{.matrix = {0.5f, 0.25f, 0.75f, 1.75f, 0.875f, 2.625f, 0, 0, 1}}, {&image})
                .find("singular"),
            std::string::npos);
  EXPECT_EQ(refusal(WarpPerspective{.matrix = {1, 2}}, {&image}), "warp_perspective: matrix has 2 numbers, allowed 9");
}

TEST(WarpPerspective, PartsOfImages) {
  Image whole = noise({60, 40, 1, Format::u16});
  Image target(Format::u16, 50, 30);
  const WarpPerspective op{.matrix = {0.9f, 0.2f, 3, -0.1f, 1.1f, 2, 0.001f, 0.002f, 1}};
  const View<std::uint16_t> part = whole.as<std::uint16_t>().sub(7, 3, 33, 21),
                            to = target.as<std::uint16_t>().sub(4, 5, 33, 21);
  Image copy(Format::u16, 33, 21);
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 33; ++x) copy.as<std::uint16_t>().at(x, y) = part.at(x, y);
  apply(op, {ConstPlaneView(part)}, PlaneView(to));
  const std::vector<std::uint16_t> expected = samples_of<std::uint16_t>(apply(op, copy));
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 33; ++x) ASSERT_EQ(to.at(x, y), expected[std::size_t(y * 33 + x)]);
}

}  // namespace
}  // namespace zp::test
