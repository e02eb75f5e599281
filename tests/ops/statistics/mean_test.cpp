// Mean of each channel.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/mean.h"

#include "support/everywhere.h"

namespace zp {
namespace {

TEST(CaseA12, MeanOfAnImageThatAFloatSumWouldLose) {
  // 30 million ones: a running sum in f32 sticks at 2^24.
  Image image(Format::f32, 6000, 5000);
  for (std::size_t i = 0; i < image.shape().samples(); ++i) image.as<float>().data[i] = 1.0f;
  EXPECT_EQ(apply(Mean{}, image).mean[0], 1.0);
}

TEST(Mean, OfEachChannel) {
  test::values_everywhere(Mean{}, test::image_of<std::uint16_t>(2, 1, 3, {1, 65535, 10, 2, 65534, 30}),
                          [](const Mean::Result& r) {
                            EXPECT_EQ(r.mean, (std::vector<double>{1.5, 65534.5, 20}));
                            EXPECT_EQ(r.nan_count, (std::vector<std::int64_t>{0, 0, 0}));
                          });
}

TEST(Mean, LeavesNanOut) {
  const float nan = std::nanf("");
  test::values_everywhere(Mean{}, test::image_of<float>(3, 1, 2, {1, nan, nan, nan, 4, nan}),
                          [](const Mean::Result& r) {
                            EXPECT_EQ(r.mean, (std::vector<double>{2.5, 0}));
                            EXPECT_EQ(r.nan_count, (std::vector<std::int64_t>{1, 3}));
                          });
}

TEST(Mean, OfNothingIsAnError) {
  try {
    apply(Mean{}, Image(Format::u8, 0, 4));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "mean: the image is empty (u8 0x4)");
  }
}

}  // namespace
}  // namespace zp
