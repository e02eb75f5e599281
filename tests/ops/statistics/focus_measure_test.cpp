// Tests of focus_measure.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/focus_measure.h"

#include <cstdlib>

#include "support/everywhere.h"

namespace zp {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

TEST(FocusMeasure, ByHand) {
  // Rows 0 0 0 9: Laplacians at x = 0..3 are 0, 0, 9, -18 (reflect101), mean -2.25, squares about it 388.6875.
  const Image image = test::image_of<std::uint8_t>(4, 2, 1, {0, 0, 0, 9, 0, 0, 0, 9});
  test::values_everywhere(FocusMeasure{}, image, [](const FocusMeasure::Result& r) {
    EXPECT_EQ(r.laplacian_variance, Reals{(5.0625 + 5.0625 + 126.5625 + 248.0625) / 4});
    EXPECT_EQ(r.tenengrad, Reals{36.0 * 36 / 4});  // only x = 2 has a gradient: 4 * 9
    EXPECT_EQ(r.brenner, Reals{81.0 / 2});
    EXPECT_EQ(r.nan_count, Integers{0});
  });
}

TEST(FocusMeasure, IsOpenCvs) {
  // Variance of cv2.Laplacian, mean of squares of cv2.Sobel, in CV_64F by OpenCV 5.0; brenner by numpy.
  std::vector<std::uint8_t> bytes;
  std::vector<float> reals;
  for (int y = 0; y < 29; ++y)
    for (int x = 0; x < 37; ++x) {
      std::uint32_t r = std::uint32_t(y * 37 + x) * 2654435761u + 40503u;
      r = (r ^ (r >> 15)) * 2246822519u;
      bytes.push_back(std::uint8_t((x * 5 + y * 3) % 200 + int((r ^ (r >> 13)) >> 28)));
      reals.push_back(float(bytes.back()) * 0.5f);
    }
  const auto check = [](double scale) {
    return [scale](const FocusMeasure::Result& r) {
      EXPECT_NEAR(r.laplacian_variance[0] / scale, 5302.527069152258, 1e-8);
      EXPECT_NEAR(r.tenengrad[0] / scale, 26043.416589002794, 1e-8);
      EXPECT_NEAR(r.brenner[0] / scale, 1654.8443349753695, 1e-9);
    };
  };
  test::values_everywhere(FocusMeasure{}, test::image_of(37, 29, 1, bytes), check(1.0));
  test::values_everywhere(FocusMeasure{}, test::image_of(37, 29, 1, reals), check(0.25));
}

TEST(FocusMeasure, LargestDifferencesDoNotWrap) {
  // A checkerboard of white: every Laplacian is 4 white, with the sign of its colour.
  std::vector<std::uint16_t> samples(300 * 40);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 300; ++x) samples[std::size_t(y * 300 + x)] = (x + y) % 2 ? 65535 : 0;
  test::values_everywhere(FocusMeasure{}, test::image_of(300, 40, 1, samples), [](const FocusMeasure::Result& r) {
    EXPECT_EQ(r.laplacian_variance[0], 262140.0 * 262140.0);
    EXPECT_EQ(r.brenner[0], 0.0);
  });
}

TEST(FocusMeasure, ConstantsAndSmallImagesGiveZero) {
  for (const Extent e : {Extent{1, 1}, Extent{1, 5}, Extent{2, 1}, Extent{260, 17}}) {
    const std::vector<float> samples(std::size_t(e.width * e.height), 0.3f);
    test::values_everywhere(FocusMeasure{}, test::image_of(e.width, e.height, 1, samples),
                            [](const FocusMeasure::Result& r) {
                              EXPECT_EQ(r.laplacian_variance, Reals{0});
                              EXPECT_EQ(r.tenengrad, Reals{0});
                              EXPECT_EQ(r.brenner, Reals{0});
                            });
  }
}

TEST(FocusMeasure, NanSpoilsItsNeighboursOnly) {
  std::vector<float> samples(30 * 20, 0.25f);
  samples[10 * 30 + 7] = std::nanf("");
  samples[15 * 30 + 20] = INFINITY;
  test::values_everywhere(FocusMeasure{}, test::image_of(30, 20, 1, samples), [](const FocusMeasure::Result& r) {
    EXPECT_EQ(r.laplacian_variance, Reals{0});
    EXPECT_EQ(r.tenengrad, Reals{0});
    EXPECT_EQ(r.brenner, Reals{0});
    EXPECT_EQ(r.nan_count, Integers{1});
  });
  test::values_everywhere(FocusMeasure{}, test::row_of<float>({std::nanf("")}), [](const FocusMeasure::Result& r) {
    EXPECT_EQ(r.laplacian_variance, Reals{0});
    EXPECT_EQ(r.nan_count, Integers{1});
  });
}

TEST(FocusMeasure, EachChannelOfARectangle) {
  std::vector<std::uint8_t> parent(40 * 3 * 30, 200);
  const View<std::uint8_t> view(parent.data() + 4 * 120 + 9, 23, 17, 3, 120);
  std::vector<std::uint8_t> plane;
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 23; ++x) {
      const auto v = std::uint8_t(x * x + 3 * y);
      plane.push_back(v);
      view.at(x, y, 0) = 5;
      view.at(x, y, 1) = v;
      view.at(x, y, 2) = std::uint8_t(255 - v);
    }
  const FocusMeasure::Result r = apply(FocusMeasure{}, view);
  const FocusMeasure::Result one = apply(FocusMeasure{}, test::image_of(23, 17, 1, plane));
  EXPECT_EQ(r.laplacian_variance, (Reals{0, one.laplacian_variance[0], one.laplacian_variance[0]}));
  EXPECT_EQ(r.tenengrad, (Reals{0, one.tenengrad[0], one.tenengrad[0]}));
  EXPECT_EQ(r.brenner, (Reals{0, one.brenner[0], one.brenner[0]}));
}

TEST(FocusMeasure, BlurringLowersAllThree) {
  const Image sharp = test::noise({64, 64, 1, Format::u8}, 9);
  Image soft(Format::u8, 64, 64);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const View<const std::uint8_t> v = sharp.as<std::uint8_t>();
      soft.as<std::uint8_t>().at(x, y) = std::uint8_t(
          (v.at(x, y) + v.at((x + 1) % 64, y) + v.at(x, (y + 1) % 64) + v.at((x + 1) % 64, (y + 1) % 64)) / 4);
    }
  const FocusMeasure::Result a = apply(FocusMeasure{}, sharp), b = apply(FocusMeasure{}, soft);
  EXPECT_GT(a.laplacian_variance[0], b.laplacian_variance[0]);
  EXPECT_GT(a.tenengrad[0], b.tenengrad[0]);
  EXPECT_GT(a.brenner[0], b.brenner[0]);
}

TEST(FocusMeasure, OfNothingIsAnError) { EXPECT_THROW(apply(FocusMeasure{}, Image(Format::u8, 0, 4)), Error); }

}  // namespace
}  // namespace zp
