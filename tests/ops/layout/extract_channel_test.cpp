// extract_channel: each channel of each count, NaN, refusals.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/extract_channel.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::samples_of;

TEST(ExtractChannel, takes_every_nth_sample) {
  for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32})
    for (int channels = 1; channels <= 4; ++channels)
      for (int index = 0; index < channels; ++index) {
        const Image in = test::noise({23, 7, channels, format});
        const Image out = everywhere(ExtractChannel{index}, in);
        ASSERT_EQ(out.shape(), (PlaneShape{23, 7, 1, format}));
        const std::size_t size = bytes_of(format);
        for (std::size_t i = 0; i < out.shape().samples(); ++i)
          ASSERT_EQ(
              std::memcmp(static_cast<const char*>(out.data()) + i * size,
                          static_cast<const char*>(in.data()) + (i * std::size_t(channels) + std::size_t(index)) * size,
                          size),
              0);
      }
}

TEST(ExtractChannel, keeps_nan) {
  const auto out = samples_of<float>(everywhere(ExtractChannel{1}, test::image_of<float>(1, 1, 2, {1, std::nanf("")})));
  EXPECT_TRUE(std::isnan(out[0]));
}

TEST(ExtractChannel, refuses_a_channel_that_is_not_there) {
  try {
    apply(ExtractChannel{3}, Image(Format::u8, 4, 4, 3));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "extract_channel: index = 3, allowed 0 to 2 for u8 4x4x3");
  }
  EXPECT_THROW(apply(ExtractChannel{-1}, Image(Format::u8, 4, 4, 3)), Error);
}

}  // namespace
}  // namespace zp
