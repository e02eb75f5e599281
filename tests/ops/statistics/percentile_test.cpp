// Tests of percentile.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/percentile.h"

#include <algorithm>

#include "support/everywhere.h"

namespace zp {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

/// By sorting, in double.
double by_sorting(std::vector<double> samples, double p) {
  std::sort(samples.begin(), samples.end());
  const double place = p / 100.0 * double(samples.size() - 1);
  const auto k = std::size_t(place);
  if (k + 1 >= samples.size()) return samples.back();
  return samples[k] + (samples[k + 1] - samples[k]) * (place - double(k));
}

TEST(Percentile, IsNumpys) {
  // numpy.percentile([5, 1, 9, 3, 200, 17, 4], [0, 10, 25, 50, 90, 99.9, 100])
  test::values_everywhere(Percentile{.percentiles = {0, 10, 25, 50, 90, 99.9f, 100}},
                          test::row_of<std::uint8_t>({5, 1, 9, 3, 200, 17, 4}), [](const Percentile::Result& r) {
                            const Reals expected{1.0, 2.2, 3.5, 5.0, 90.2, 198.902, 200.0};
                            ASSERT_EQ(r.values.size(), expected.size());
                            for (std::size_t k = 0; k < expected.size(); ++k)
                              EXPECT_NEAR(r.values[k], expected[k], 1e-12) << k;
                            EXPECT_EQ(r.nan_count, Integers{0});
                          });
}

TEST(Percentile, TakesTheNumberThatWasWritten) {
  // Place 99.9 / 100 * 100000 = 99900; the f32 next to 99.9 lies 0.0015 places further, which are 100 levels here.
  std::vector<std::uint16_t> samples(100001);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = i > 99900 ? 65535 : i == 99900 ? 7 : 1;
  EXPECT_NEAR(apply(Percentile{.percentiles = {99.9f}}, test::row_of(samples)).values[0], 7.0, 1e-5);
}

TEST(Percentile, OfEveryFormatByEachChannel) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image image = test::noise({131, 97, 3, format}, 11);
    std::vector<Reals> channels(3);
    for (std::size_t i = 0; i < image.shape().samples(); ++i)
      channels[i % 3].push_back(format == Format::u8    ? image.as<std::uint8_t>().data[i]
                                : format == Format::u16 ? image.as<std::uint16_t>().data[i]
                                                        : double(image.as<float>().data[i]));
    const Percentile op{.percentiles = {97.5f, 0, 12.25f, 50, 100, 99.5f, 1, 3, 30, 60, 80}};
    test::values_everywhere(op, image, [&](const Percentile::Result& r) {
      ASSERT_EQ(r.values.size(), 33u);
      for (std::size_t k = 0; k < 33; ++k)
        EXPECT_NEAR(r.values[k], by_sorting(channels[k / 11], double(op.percentiles[k % 11])), 1e-9)
            << name_of(format) << ' ' << k;
    });
  }
}

TEST(Percentile, SignsZerosAndSmallestFloats) {
  const float tiny = 1e-45f;
  test::values_everywhere(Percentile{.percentiles = {0, 25, 50, 75, 100}},
                          test::row_of<float>({tiny, -0.0f, -3.0f, 0.0f, -tiny}), [&](const Percentile::Result& r) {
                            EXPECT_EQ(r.values, (Reals{-3.0, double(-tiny), 0.0, 0.0, double(tiny)}));
                            EXPECT_FALSE(std::signbit(r.values[2]));
                          });
}

TEST(Percentile, NanIsLeftOutAndInfinitiesDraw) {
  const float nan = std::nanf("");
  test::values_everywhere(Percentile{.percentiles = {0, 50, 10, 75}},
                          test::image_of<float>(5, 1, 2, {nan, nan, 2, nan, 1, nan, nan, nan, INFINITY, nan}),
                          [](const Percentile::Result& r) {
                            EXPECT_EQ(r.values, (Reals{1, 2, 1.2, INFINITY, 0, 0, 0, 0}));
                            EXPECT_EQ(r.nan_count, (Integers{2, 5}));
                          });
}

TEST(Percentile, OfOnePixelAndOfRectangles) {
  EXPECT_EQ(apply(Percentile{.percentiles = {0, 37, 100}}, test::row_of<float>({-2.5f})).values,
            (Reals{-2.5, -2.5, -2.5}));
  std::vector<std::uint16_t> parent(24 * 12, 9000);
  const View<std::uint16_t> view(parent.data() + 2 * 24 + 5, 7, 8, 1, 48);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 7; ++x) view.at(x, y) = std::uint16_t(y * 7 + x);
  EXPECT_EQ(apply(Percentile{.percentiles = {50, 100}}, view).values, (Reals{27.5, 55}));
}

TEST(Percentile, Refusals) {
  const auto refusal = [](const Percentile& op) {
    try {
      apply(op, Image(Format::u8, 2, 2));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(refusal({.percentiles = {50, 101}}), "percentile: percentiles = 101, allowed 0 to 100 percent");
  EXPECT_EQ(refusal({.percentiles = {}}), "percentile: percentiles has 0 numbers, allowed 1 to 1024");
  EXPECT_THROW(apply(Percentile{}, Image(Format::f32, 0, 3)), Error);
}

}  // namespace
}  // namespace zp
