// Rotate90 on pictures that can be turned by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/rotate90.h"

#include "ops/geometry/pictures.h"

namespace zp::test {
namespace {

using Samples = std::vector<std::uint8_t>;

TEST(Rotate90, TurnsCounterClockwise) {
  const Image image = image_of<std::uint8_t>(3, 2, 1, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Rotate90{}, image)), (Samples{3, 6, 2, 5, 1, 4}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Rotate90{2}, image)), (Samples{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Rotate90{-1}, image)), (Samples{4, 1, 5, 2, 6, 3}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Rotate90{3}, image)), (Samples{4, 1, 5, 2, 6, 3}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Rotate90{0}, image)), (Samples{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(refusal(Rotate90{4}, {&image}), "rotate90: turns = 4, allowed -3 to 3 quarter turns");
}

TEST(Rotate90, FourTurnsAreNone) {
  for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32})
    for (const int channels : {1, 2, 3, 4})
      for (const auto& [width, height] : {std::pair{131, 67}, {1, 70}, {1, 1}, {64, 33}}) {
        const Image image = noise({width, height, channels, format});
        const Image once = everywhere(Rotate90{}, image);
        EXPECT_EQ(hash(apply(Rotate90{3}, once).view()), hash(image.view()));
        EXPECT_EQ(hash(apply(Rotate90{}, apply(Rotate90{}, apply(Rotate90{}, once))).view()), hash(image.view()));
      }
}

}  // namespace
}  // namespace zp::test
