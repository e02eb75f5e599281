// Smallest and largest value of each channel, and where they are.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/min_max.h"

#include <limits>

#include "support/everywhere.h"

namespace zp {
namespace {

using Integers = std::vector<std::int64_t>;

TEST(MinMax, FirstPositionsInRasterOrder) {
  const Image image = test::image_of<std::uint8_t>(3, 3, 1, {5, 9, 2, 9, 2, 9, 2, 5, 9});
  test::values_everywhere(MinMax{}, image, [](const MinMax::Result& r) {
    EXPECT_EQ(r.minimum, (std::vector<double>{2}));
    EXPECT_EQ(r.maximum, (std::vector<double>{9}));
    EXPECT_EQ(r.minimum_x, (Integers{2}));
    EXPECT_EQ(r.minimum_y, (Integers{0}));
    EXPECT_EQ(r.maximum_x, (Integers{1}));
    EXPECT_EQ(r.maximum_y, (Integers{0}));
  });
}

TEST(MinMax, FirstOfEqualsAcrossChunksAndLanes) {
  // Ties in several chunks of the reduction: each of the two values occurs in every chunk.
  std::vector<std::uint16_t> samples(150 * 110, 500);
  for (std::size_t p = 777; p < samples.size(); p += 1009) samples[p] = 3;
  for (std::size_t p = 4321; p < samples.size(); p += 997) samples[p] = 60000;
  test::values_everywhere(MinMax{}, test::image_of<std::uint16_t>(150, 110, 1, samples), [&](const MinMax::Result& r) {
    EXPECT_EQ(r.minimum_y[0] * 150 + r.minimum_x[0], std::find(samples.begin(), samples.end(), 3) - samples.begin());
    EXPECT_EQ(r.maximum_y[0] * 150 + r.maximum_x[0],
              std::find(samples.begin(), samples.end(), 60000) - samples.begin());
  });
}

TEST(CaseA13, MinMaxOfConstantImages) {
  test::values_everywhere(MinMax{}, test::image_of<std::uint8_t>(4, 4, 1, std::vector<std::uint8_t>(16, 100)),
                          [](const MinMax::Result& r) {
                            EXPECT_EQ(r.minimum[0], 100.0);
                            EXPECT_EQ(r.maximum[0], 100.0);
                            EXPECT_EQ(r.maximum_x[0] + r.maximum_y[0] + r.minimum_x[0] + r.minimum_y[0], 0);
                          });
  test::values_everywhere(MinMax{}, test::image_of<float>(2, 2, 1, {0, 0, 0, 0}),
                          [](const MinMax::Result& r) { EXPECT_EQ(r.minimum[0], r.maximum[0]); });
}

TEST(MinMax, LeavesNanOut) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const Image image = test::image_of<float>(4, 1, 2, {nan, nan, -3, nan, infinity, nan, -3, nan});
  test::values_everywhere(MinMax{}, image, [&](const MinMax::Result& r) {
    EXPECT_EQ(r.minimum, (std::vector<double>{-3, 0}));
    EXPECT_EQ(r.maximum, (std::vector<double>{double(infinity), 0}));
    EXPECT_EQ(r.minimum_x, (Integers{1, -1}));
    EXPECT_EQ(r.maximum_x, (Integers{2, -1}));
    EXPECT_EQ(r.nan_count, (Integers{1, 4}));
  });
}

}  // namespace
}  // namespace zp
