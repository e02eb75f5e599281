// WarpAffine against exact moves and against values made by SciPy 1's affine_transform, order 1.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/warp_affine.h"

#include "ops/geometry/pictures.h"
#include "ops/geometry/rotate90.h"

namespace zp::test {
namespace {

TEST(WarpAffine, IdentityAndQuarterTurnAreExact) {
  const Image image = noise({9, 6, 3, Format::f32});
  for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
    EXPECT_EQ(hash(everywhere(WarpAffine{.method = method}, image).view()), hash(image.view()));
    // Counter-clockwise: (x, y) goes to (y, width - 1 - x).
    const WarpAffine turn{.matrix = {0, 1, 0, -1, 0, 8}, .width = 6, .height = 9, .method = method};
    EXPECT_EQ(hash(everywhere(turn, image).view()), hash(apply(Rotate90{}, image).view()));
  }
}

TEST(WarpAffine, EqualsSciPy) {
  const Image image = quadratic<float>(7, 5);
  const std::vector<float> matrix{0.9f, 0.2f, 0.5f, -0.1f, 1.1f, 0.25f};
  constexpr float kRounding = 2e-4f;  // SciPy works in double
  expect_near(everywhere(WarpAffine{.matrix = matrix, .border = Border::replicate}, image),
              {0.0f,        4.15841595f, 21.3465356f, 55.6945915f, 109.206309f, 180.291402f, 183.460393f,
               8.04455425f, 13.5253896f, 33.8725132f, 71.7930129f, 127.673027f, 181.380998f, 72.4509671f,
               32.8861372f, 39.7266432f, 64.6301829f, 107.107099f, 167.15739f,  102.404498f, 86.6810713f,
               78.0643528f, 84.4999966f, 113.959952f, 160.993284f, 171.054736f, 68.9078127f, 151.533535f,
               143.579201f, 152.589102f, 183.386574f, 85.903298f,  120.922712f, 133.351193f, 181.509683f},
              kRounding);
  expect_near(everywhere(WarpAffine{.matrix = matrix, .value = 40}, image),
              {25.3014413f, 10.3685912f, 22.7316937f, 55.6945915f, 109.206309f, 180.291402f, 177.778771f,
               30.1918934f, 13.5253896f, 33.8725132f, 71.7930129f, 127.673027f, 181.380998f, 72.4509671f,
               39.225223f,  39.7266432f, 64.6301829f, 107.107099f, 167.15739f,  102.404498f, 86.6810713f,
               40.0f,       84.4999966f, 113.959952f, 160.993284f, 171.054736f, 68.9078127f, 151.533535f,
               40.0f,       130.29423f,  183.386574f, 85.903298f,  120.922712f, 133.351193f, 181.509683f},
              kRounding);
}

TEST(WarpAffine, InverseTakesTheMatrixAsItIs) {
  const Image row = row_of<std::uint8_t>({10, 20, 30, 40});
  const std::vector<float> shift{1, 0, 1, 0, 1, 0};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(WarpAffine{.matrix = shift, .value = 7}, row)),
            (std::vector<std::uint8_t>{7, 10, 20, 30}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(WarpAffine{.matrix = shift, .inverse = true, .value = 7}, row)),
            (std::vector<std::uint8_t>{20, 30, 40, 7}));
}

TEST(WarpAffine, FarShiftsStayExact) {
  // 127.25 pixels at 40 fraction bits is a number in the range of addresses.
  Image image(Format::f32, 300, 2);
  for (int i = 0; i < 600; ++i) image.as<float>().data[i] = float(i % 300);
  const Image out = everywhere(
      WarpAffine{.matrix = {1, 0, 127.25f, 0, 1, 127.5f}, .inverse = true, .border = Border::replicate}, image);
  EXPECT_EQ(out.as<float>().at(0, 0), 127.25f);
  EXPECT_EQ(out.as<float>().at(170, 1), 297.25f);
  Image wide(Format::f32, 65536, 1);
  for (int i = 0; i < 65536; ++i) wide.as<float>().data[i] = float(i);
  const Image half = everywhere(WarpAffine{.matrix = {1, 0, 0.25f, 0, 1, 0}, .inverse = true}, wide);
  EXPECT_EQ(half.as<float>().at(65000, 0), 65000.25f);
}

TEST(WarpAffine, EveryFormatAndChannelCountIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 2, 3, 4})
      for (const Interpolation method : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
        const Image image = noise({37, 29, channels, format});
        everywhere(WarpAffine{.matrix = {0.7f, 0.4f, 3, -0.4f, 0.7f, 9},
                              .width = 50,
                              .height = 31,
                              .method = method,
                              .border = Border::reflect},
                   image);
      }
}

TEST(WarpAffine, RefusesWhatCannotBeInverted) {
  const Image image = noise({8, 8, 1, Format::u8});
  EXPECT_NE(refusal(WarpAffine{.matrix = {1, 2, 0, 2, 4, 0}}, {&image})
                .find("warp_affine: matrix = 1/2/0/2/4/0 has no usable inverse"),
            std::string::npos);
  EXPECT_EQ(refusal(WarpAffine{.matrix = {1, 2}}, {&image}), "warp_affine: matrix has 2 numbers, allowed 6");
  EXPECT_EQ(refusal(WarpAffine{.width = -1}, {&image}), "warp_affine: width = -1, allowed 0 to 1.07374e+09 pixels");
}

}  // namespace
}  // namespace zp::test
