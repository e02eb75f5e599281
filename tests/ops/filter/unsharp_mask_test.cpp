// Sharpening.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/unsharp_mask.h"

#include "ops/filter/correlation.h"
#include "ops/filter/gaussian.h"

namespace zp {
namespace {

using test::everywhere;

TEST(UnsharpMask, IsTheDefinition) {
  // numpy: p + 0.7 (p - g) of scipy.ndimage.gaussian_filter(p, 1.3, mode mirror) in double, and with amount 1.5 where
  // |p - g| > 20; no value lies within 0.026 of a tie.
  const std::vector<std::uint8_t> sharp{0,   0,   34,  93,  156, 218, 255, 70,  151, 230, 255, 0,
                                        47,  131, 218, 255, 0,   96,  203, 255, 0,   0,   67,  191,
                                        255, 11,  141, 255, 97,  246, 0,   103, 255, 0,   124};
  const std::vector<std::uint8_t> threshold{0,   0,   0,   72,  148, 255, 255, 45,  141, 255, 255, 0,
                                            4,   135, 255, 255, 0,   74,  232, 255, 0,   0,   37,  216,
                                            255, 0,   141, 255, 108, 255, 0,   86,  255, 0,   130};
  const Image image = test::pattern_image();
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(UnsharpMask{.sigma = 1.3f, .amount = 0.7f}, image)), sharp);
  EXPECT_EQ(
      test::samples_of<std::uint8_t>(everywhere(UnsharpMask{.sigma = 1.3f, .amount = 1.5f, .threshold = 20}, image)),
      threshold);
}

TEST(UnsharpMask, EveryFormatAndBorder) {
  for (const Border border : test::kBorders) {
    const UnsharpMask op{.sigma = 1.2f, .amount = 0.5f, .threshold = 0.25f, .border = border, .value = 1};
    const Gaussian smooth{.sigma = 1.2f, .border = border, .value = 1};
    const Image image = test::noise({13, 8, 4, Format::f32}, 3);
    const Image out = everywhere(op, image), g = apply(smooth, image);
    test::for_each_sample(image, [&](int x, int y, int c) {
      const double v = double(image.as<float>().at(x, y, c)), d = v - double(g.as<float>().at(x, y, c));
      ASSERT_NEAR(out.as<float>().at(x, y, c), std::fabs(d) <= 0.25 ? v : v + 0.5 * d, 3e-7);
    });
    const Image words = test::noise({13, 8, 3, Format::u16}, 3);
    const Image sharp = everywhere(op, words), blurred = apply(smooth, words);
    test::for_each_sample(words, [&](int x, int y, int c) {
      const double v = words.as<std::uint16_t>().at(x, y, c);
      const double wanted = v + 0.5 * (v - double(blurred.as<std::uint16_t>().at(x, y, c)));
      // The Gaussian here is not rounded: half a level of it, times 0.5, and the own rounding.
      ASSERT_NEAR(double(sharp.as<std::uint16_t>().at(x, y, c)), std::min(std::max(wanted, 0.0), 65535.0), 0.76);
    });
  }
}

TEST(UnsharpMask, KeepsConstantsAndTinyImages) {
  const std::vector<std::uint8_t> flat(35, 200);
  EXPECT_EQ(test::samples_of<std::uint8_t>(
                everywhere(UnsharpMask{.sigma = 4, .amount = 5}, test::image_of<std::uint8_t>(7, 5, 1, flat))),
            flat);
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(UnsharpMask{.sigma = 8}, test::row_of<std::uint16_t>({7}))),
            (std::vector<std::uint16_t>{7}));
  const Image image = test::noise({9, 4, 1, Format::f32});
  EXPECT_EQ(hash(everywhere(UnsharpMask{.sigma = 0}, image).view()), hash(image.view()));
  EXPECT_EQ(hash(everywhere(UnsharpMask{.amount = 0}, image).view()), hash(image.view()));
  EXPECT_EQ(hash(everywhere(UnsharpMask{.threshold = 100}, image).view()), hash(image.view()));
}

TEST(UnsharpMask, NanReachesItsWindowOnly) {
  std::vector<float> row(21, 1.0f);
  row[10] = std::nanf("");
  const auto found = test::samples_of<float>(everywhere(UnsharpMask{.threshold = 0.5f}, test::row_of(row)));
  for (int i = 0; i < 21; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i >= 6 && i <= 14) << i;
}

TEST(UnsharpMask, RectanglesAndRefusals) {
  test::expect_rectangles_as_images<std::uint8_t, std::uint8_t>(UnsharpMask{.border = Border::wrap});
  const Image image = test::pattern_image();
  EXPECT_EQ(test::refusal(UnsharpMask{.sigma = 257}, image), "unsharp_mask: sigma = 257, allowed 0 to 256 pixels");
  EXPECT_EQ(test::refusal(UnsharpMask{.threshold = -1}, image),
            "unsharp_mask: threshold = -1, allowed 0 to inf pixel value");
}

}  // namespace
}  // namespace zp
