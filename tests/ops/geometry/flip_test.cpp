// Flip on pictures that can be mirrored by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/flip.h"

#include "ops/geometry/pictures.h"

namespace zp::test {
namespace {

using Samples = std::vector<std::uint8_t>;

TEST(Flip, MirrorsEachAxis) {
  const Image image = image_of<std::uint8_t>(3, 2, 1, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Flip{}, image)), (Samples{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Flip{Flip::Axis::vertical}, image)), (Samples{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Flip{Flip::Axis::both}, image)), (Samples{6, 5, 4, 3, 2, 1}));
  const Image pair = image_of<std::uint8_t>(2, 1, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Flip{}, pair)), (Samples{4, 5, 6, 1, 2, 3}));
}

TEST(Flip, TwiceIsNothing) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 3, 4})
      for (const Flip::Axis axis : {Flip::Axis::horizontal, Flip::Axis::vertical, Flip::Axis::both}) {
        const Image image = noise({35, 17, channels, format});
        EXPECT_EQ(hash(apply(Flip{axis}, everywhere(Flip{axis}, image)).view()), hash(image.view()));
      }
}

}  // namespace
}  // namespace zp::test
