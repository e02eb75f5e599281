// AddHsv against scikit-image 0.26 and by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/color/add_hsv.h"

#include "ops/color/hsv_samples.h"

namespace zp::test {
namespace {

TEST(AddHsv, EqualsThreeStepsOfScikitImage) {
  expect_close(samples_of<float>(everywhere(AddHsv{50, 0.2f, -0.1f}, six_colors())),
               {0.0514285714f, 0.472f, 0.6f, 0.8f, 0.466666667f, 0.0f, 0.596458333f, 0.07875f, 0.7f, 0.6f, 0.9f, 0.0f,
                0.2f, 0.193333333f, 0.16f, 0.0f, 0.0416666667f, 0.55f});
}

TEST(AddHsv, TurnsAndClamps) {
  const Image red = colors_of<std::uint8_t>({255, 0, 0, 9}, 4);
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddHsv{.hue = 120}, red)), (std::vector<std::uint8_t>{0, 255, 0, 9}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddHsv{.hue = -120}, red)), (std::vector<std::uint8_t>{0, 0, 255, 9}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddHsv{.hue = 3720}, red)), (std::vector<std::uint8_t>{0, 255, 0, 9}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddHsv{.saturation = -1}, red)),
            (std::vector<std::uint8_t>{255, 255, 255, 9}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddHsv{.value = -0.2f}, red)),
            (std::vector<std::uint8_t>{204, 0, 0, 9}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AddHsv{.value = 1}, red)), (std::vector<std::uint8_t>{255, 0, 0, 9}));
}

TEST(AddHsv, NothingAddedChangesNoInteger) {
  for (const Format format : {Format::u8, Format::u16}) {
    const Image image = noise({67, 45, 3, format});
    EXPECT_EQ(hash(everywhere(AddHsv{}, image).view()), hash(image.view()));
  }
  everywhere(AddHsv{10, 0.1f, 0.1f}, noise({67, 45, 4, Format::f32}));
}

TEST(AddHsv, RefusesMoreThanWhite) {
  const Image red = colors_of<std::uint8_t>({255, 0, 0});
  try {
    apply(AddHsv{.value = 1.5f}, red);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "add_hsv: value = 1.5, allowed -1 to 1 of white");
  }
}

}  // namespace
}  // namespace zp::test
