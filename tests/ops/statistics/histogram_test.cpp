// Histogram of each channel.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/histogram.h"

#include <numeric>

#include "support/everywhere.h"

namespace zp {
namespace {

using Integers = std::vector<std::int64_t>;

Image pattern_image() {
  std::vector<std::uint8_t> samples;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) samples.push_back(std::uint8_t((37 * x + 91 * y + 13 * x * y) % 256));
  return test::image_of<std::uint8_t>(7, 5, 1, samples);
}

TEST(CaseA10, HistogramHasItsUpperEndInTheLastBin) {
  test::values_everywhere(Histogram{}, test::row_of<std::uint8_t>({0, 1, 254, 255}), [](const Histogram::Result& r) {
    EXPECT_EQ(r.counts.size(), 256u);
    EXPECT_EQ(std::accumulate(r.counts.begin(), r.counts.end(), std::int64_t(0)), 4);
    EXPECT_EQ(r.counts[0] * r.counts[1] * r.counts[254] * r.counts[255], 1);
  });
  test::values_everywhere(Histogram{.bins = 4, .low = 0, .high = 1}, test::row_of<float>({0, 0.25f, 0.5f, 1}),
                          [](const Histogram::Result& r) {
                            EXPECT_EQ(r.counts, (Integers{1, 1, 1, 1}));
                          });
  const auto three = [](const Histogram::Result& r) {
    EXPECT_EQ(r.counts, (Integers{1, 1, 2}));
    EXPECT_EQ(r.low, 2.0);
    EXPECT_EQ(r.high, 8.0);
  };
  test::values_everywhere(Histogram{.bins = 3}, test::row_of<std::uint8_t>({2, 4, 6, 8}), three);
  test::values_everywhere(Histogram{.bins = 3}, test::row_of<std::uint16_t>({2, 4, 6, 8}), three);
  test::values_everywhere(Histogram{.bins = 3}, test::row_of<float>({2, 4, 6, 8}), three);
}

TEST(Histogram, IsNumpys) {
  // numpy.histogram with 10 bins, and with 7 bins over (20, 200).
  test::values_everywhere(Histogram{.bins = 10}, pattern_image(), [](const Histogram::Result& r) {
    EXPECT_EQ(r.counts, (Integers{2, 5, 2, 4, 4, 4, 2, 4, 3, 5}));
  });
  test::values_everywhere(Histogram{.bins = 7, .low = 20, .high = 200}, pattern_image(),
                          [](const Histogram::Result& r) {
                            EXPECT_EQ(r.counts, (Integers{4, 3, 4, 4, 5, 1, 5}));
                            EXPECT_EQ(r.below, (Integers{2}));
                            EXPECT_EQ(r.above, (Integers{7}));
                            EXPECT_EQ(r.bins, 7);
                          });
}

TEST(CaseA4, HistogramOfRectanglesAtEveryOffset) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    for (int x = 0; x < 10; ++x)
      for (int width = 1; width <= 9; ++width) {
        Image parent(Format::u8, 24, 12);
        std::memset(parent.data(), 77, parent.bytes());
        const View<std::uint8_t> view = parent.as<std::uint8_t>().sub(x, 2, width, 8);
        for (int y = 0; y < 8; ++y) std::memset(view.row(y), 1, std::size_t(width));
        const auto result = apply(Histogram{}, view);
        ASSERT_EQ(result.counts[1], 8 * width) << place.text() << ' ' << x;
        ASSERT_EQ(result.counts[77], 0) << place.text() << ' ' << x;
      }
  }
}

TEST(Histogram, EveryLevelOfEveryChannel) {
  const Image image = test::noise({301, 97, 3, Format::u16}, 5);
  Integers expected(3 * 65536, 0);
  const auto samples = test::samples_of<std::uint16_t>(image);
  for (std::size_t i = 0; i < samples.size(); ++i) ++expected[i % 3 * 65536 + samples[i]];
  test::values_everywhere(Histogram{}, image, [&](const Histogram::Result& r) { EXPECT_EQ(r.counts, expected); });

  // Rows longer than a tile, one row, and one column.
  for (const Extent e : {Extent{40000, 2}, Extent{70000, 1}, Extent{1, 33000}}) {
    const Image flat = test::noise({e.width, e.height, 1, Format::u8}, 6);
    Integers levels(256, 0);
    for (const std::uint8_t v : test::samples_of<std::uint8_t>(flat)) ++levels[v];
    test::values_everywhere(Histogram{}, flat, [&](const Histogram::Result& r) { EXPECT_EQ(r.counts, levels); });
  }
}

TEST(Histogram, NanAndSamplesOutOfRangeAreCountedApart) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const Image image = test::row_of<float>({nan, -infinity, -0.5f, 0.0f, 0.999f, 1.0f, 1.5f, infinity, infinity});
  test::values_everywhere(Histogram{.bins = 2, .low = 0, .high = 1}, image, [](const Histogram::Result& r) {
    EXPECT_EQ(r.counts, (Integers{1, 2}));
    EXPECT_EQ(r.nan_count, (Integers{1}));
    EXPECT_EQ(r.below, (Integers{2}));
    EXPECT_EQ(r.above, (Integers{3}));
  });
  // Many bins do not fit a tile's memory; without a range the finite samples decide.
  test::values_everywhere(Histogram{.bins = 20000}, image, [](const Histogram::Result& r) {
    EXPECT_EQ(r.low, -0.5);
    EXPECT_EQ(r.high, 1.5);
    EXPECT_EQ(r.counts[0] + r.counts[5000] + r.counts[14990] + r.counts[15000] + r.counts[19999], 5);
    EXPECT_EQ(r.nan_count[0] + r.below[0] + r.above[0], 4);
  });
}

TEST(Histogram, ConstantImages) {
  test::values_everywhere(Histogram{.bins = 3}, test::row_of<float>({7, 7}), [](const Histogram::Result& r) {
    EXPECT_EQ(r.counts, (Integers{0, 2, 0}));  // as numpy: 6.5 to 7.5
  });
  const auto total = [](const Histogram::Result& r) {
    EXPECT_EQ(std::accumulate(r.counts.begin(), r.counts.end(), std::int64_t(0)), 2);
  };
  test::values_everywhere(Histogram{}, test::row_of<float>({1e30f, 1e30f}), total);
  test::values_everywhere(Histogram{}, test::row_of<float>({0, 0}), total);
}

TEST(Histogram, RefusesAnEmptyRange) {
  try {
    apply(Histogram{.bins = 4, .low = 3, .high = 3}, pattern_image());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "histogram: low = 3.000000 is not below high = 3.000000");
  }
  EXPECT_THROW(apply(Histogram{.bins = 65537}, pattern_image()), Error);
  EXPECT_THROW(apply(Histogram{.low = -std::numeric_limits<float>::infinity()}, pattern_image()), Error);
  EXPECT_THROW(apply(Histogram{}, Image(Format::f32, 0, 0)), Error);
}

}  // namespace
}  // namespace zp
