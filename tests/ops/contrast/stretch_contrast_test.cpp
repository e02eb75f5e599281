// Tests of stretch_contrast.
// SPDX-License-Identifier: Apache-2.0
#include "ops/contrast/stretch_contrast.h"

#include <gtest/gtest.h>

#include "ops/contrast/pictures.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;
using Reals = std::vector<float>;

TEST(CaseA13, StretchContrastOfConstantImagesIsZero) {
  for (const bool per_channel : {false, true}) {
    const StretchContrast op{.per_channel = per_channel};
    EXPECT_EQ(samples_of<std::uint8_t>(everywhere(op, test::image_of(4, 4, 1, Bytes(16, 100)))), Bytes(16, 0));
    EXPECT_EQ(samples_of<std::uint16_t>(everywhere(op, test::image_of(2, 2, 3, Words(12, 65535)))), Words(12, 0));
    for (const float v : {0.0f, 0.7f, -3e38f})
      EXPECT_EQ(samples_of<float>(everywhere(op, test::image_of(4, 4, 1, Reals(16, v)))), Reals(16, 0.0f)) << v;
  }
  // Percentiles that meet although the image is not constant.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(StretchContrast{.low = 25, .high = 75},
                                                test::row_of<std::uint8_t>({0, 9, 9, 9, 9, 9, 255}))),
            Bytes(7, 0));
}

TEST(StretchContrast, ByHand) {
  // 55 to 155: 100 steps of 2.55; half to even.
  EXPECT_EQ(
      samples_of<std::uint8_t>(everywhere(StretchContrast{}, test::row_of<std::uint8_t>({55, 155, 57, 65, 105, 154}))),
      (Bytes{0, 255, 5, 26, 128, 252}));
  EXPECT_EQ(samples_of<float>(everywhere(StretchContrast{}, test::row_of<float>({-2, 2, 0, 1}))),
            (Reals{0, 1, 0.5f, 0.75f}));
  // Quartiles of 0, 10, 20, 30, 40 are 10 and 30.
  test::values_everywhere(StretchContrast{.low = 25, .high = 75}, test::row_of<std::uint16_t>({40, 0, 10, 30, 20}),
                          [](const StretchContrast::Result& r) {
                            EXPECT_EQ(r.low, std::vector<double>{10});
                            EXPECT_EQ(r.high, std::vector<double>{30});
                          });
  EXPECT_EQ(samples_of<std::uint16_t>(
                everywhere(StretchContrast{.low = 25, .high = 75}, test::row_of<std::uint16_t>({40, 0, 10, 30, 20}))),
            (Words{65535, 0, 0, 65535, 32768}));
}

// Sums of rescale_intensity's formula over numpy's percentiles 1 and 99, rounded.
TEST(StretchContrast, EqualsScikitImage) {
  const StretchContrast op{.low = 1, .high = 99};
  const Image bytes = test::image_of(101, 67, 1, test::slope<std::uint8_t>(101, 67));
  EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(op, bytes))), 3204266218u);
  const Image words = test::image_of(101, 67, 1, test::slope<std::uint16_t>(101, 67));
  test::values_everywhere(op, words, [](const StretchContrast::Result& r) {
    EXPECT_EQ(r.low, std::vector<double>{double(5717.58f)});
    EXPECT_EQ(r.high, std::vector<double>{double(46095.12f)});
  });
  // Operations in f32 may round a sample the other way.
  EXPECT_NEAR(double(test::weighted_sum(samples_of<std::uint16_t>(everywhere(op, words)))), 833072845083.0,
              101 * 67 * 5.0);
}

TEST(StretchContrast, ChannelsTogetherOrEachOnItsOwn) {
  const Image image = test::image_of<std::uint8_t>(3, 1, 4, {10, 20, 30, 7, 20, 40, 60, 7, 30, 60, 110, 7});
  // Together: 7 to 110.
  const auto level = [](int v) { return std::uint8_t(std::lrint((v - 7) * 255.0 / 103.0)); };
  Bytes together;
  for (const int v : {10, 20, 30, 7, 20, 40, 60, 7, 30, 60, 110, 7}) together.push_back(level(v));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(StretchContrast{}, image)), together);
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(StretchContrast{.per_channel = true}, image)),
            (Bytes{0, 0, 0, 0, 128, 128, 96, 0, 255, 255, 255, 0}));
  test::values_everywhere(StretchContrast{.per_channel = true}, image, [](const StretchContrast::Result& r) {
    EXPECT_EQ(r.low, (std::vector<double>{10, 20, 30, 7}));
    EXPECT_EQ(r.high, (std::vector<double>{30, 60, 110, 7}));
  });
}

TEST(StretchContrast, NanInfinityAndLargeRanges) {
  const float most = std::numeric_limits<float>::max();
  const std::vector<float> result =
      samples_of<float>(everywhere(StretchContrast{}, test::row_of<float>({NAN, 1, INFINITY, 3, -INFINITY, 2})));
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(Reals(result.begin() + 1, result.end()), (Reals{0, 1, 1, 0, 0.5f}));
  EXPECT_EQ(samples_of<float>(everywhere(StretchContrast{}, test::row_of<float>({-most, 0, most, most / 2}))),
            (Reals{0, 0.5f, 1, 0.75f}));
  const std::vector<float> nothing =
      samples_of<float>(everywhere(StretchContrast{}, test::row_of<float>({NAN, INFINITY})));
  EXPECT_TRUE(std::isnan(nothing[0]));
  EXPECT_EQ(nothing[1], 0.0f);
}

TEST(StretchContrast, PartsOfLargerPlanesInPlace) {
  Words parent(20 * 12, 60000);
  const View<std::uint16_t> view(parent.data() + 3 * 20 + 5, 7, 6, 1, 40);
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 7; ++x) view.at(x, y) = std::uint16_t(100 + y * 7 + x);
  const StretchContrast::Result r = apply(StretchContrast{}, View<const std::uint16_t>(view), view);
  EXPECT_EQ(r.low, std::vector<double>{100});
  EXPECT_EQ(r.high, std::vector<double>{141});
  EXPECT_EQ(view.at(0, 0), 0);
  EXPECT_EQ(view.at(6, 5), 65535);
  EXPECT_EQ(view.row(0)[-1], 60000);
}

TEST(StretchContrast, Refusals) {
  const Image grey(Format::u8, 4, 4);
  EXPECT_EQ(test::refusal(StretchContrast{.low = 60, .high = 50}, grey),
            "stretch_contrast: low = 60.000000 is not below high = 50.000000");
  EXPECT_EQ(test::refusal(StretchContrast{.high = 101}, grey),
            "stretch_contrast: high = 101, allowed 0 to 100 percent");
  EXPECT_NE(test::refusal(StretchContrast{}, Image(Format::u8, 0, 4)).find("stretch_contrast: the image is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace zp
