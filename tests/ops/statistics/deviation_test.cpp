// Mean and standard deviation of each channel.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/deviation.h"

#include <limits>

#include "support/everywhere.h"

namespace zp {
namespace {

TEST(Deviation, IsNumpys) {
  // numpy.mean and numpy.std of (37 x + 91 y + 13 x y) mod 256 over 7x5.
  std::vector<std::uint8_t> samples;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) samples.push_back(std::uint8_t((37 * x + 91 * y + 13 * x * y) % 256));
  test::values_everywhere(Deviation{}, test::image_of<std::uint8_t>(7, 5, 1, samples), [](const Deviation::Result& r) {
    EXPECT_DOUBLE_EQ(r.mean[0], 129.62857142857143);
    EXPECT_DOUBLE_EQ(r.deviation[0], 72.32825399890842);
  });
}

TEST(Deviation, OfSmallDifferencesOnALargeOffset) {
  // 1e7 and 1e7 + 1 in equal numbers: 0.5; squares in f32, or a difference of large sums, would lose it.
  std::vector<float> samples;
  for (int i = 0; i < 10000; ++i) samples.push_back(i % 2 ? 10000001.0f : 10000000.0f);
  test::values_everywhere(Deviation{}, test::image_of<float>(100, 100, 1, samples),
                          [](const Deviation::Result& r) { EXPECT_EQ(r.deviation[0], 0.5); });
}

TEST(Deviation, IsFiniteForFiniteSamples) {
  const float most = std::numeric_limits<float>::max(), nan = std::nanf("");
  test::values_everywhere(Deviation{},
                          test::image_of<float>(2, 2, 2, {most, 0.1f, -most, 0.1f, most, nan, -most, 0.1f}),
                          [&](const Deviation::Result& r) {
                            EXPECT_EQ(r.deviation[0], double(most));
                            EXPECT_NEAR(r.deviation[1], 0.0, 1e-15);
                            EXPECT_EQ(r.nan_count, (std::vector<std::int64_t>{0, 1}));
                          });
  test::values_everywhere(Deviation{}, test::row_of<float>({nan}), [](const Deviation::Result& r) {
    EXPECT_EQ(r.mean[0], 0.0);
    EXPECT_EQ(r.deviation[0], 0.0);
  });
}

}  // namespace
}  // namespace zp
