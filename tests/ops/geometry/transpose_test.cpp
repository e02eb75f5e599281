// Transpose on pictures that can be turned by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/transpose.h"

#include "ops/geometry/flip.h"
#include "ops/geometry/pictures.h"
#include "ops/geometry/rotate90.h"

namespace zp::test {
namespace {

using Samples = std::vector<std::uint8_t>;

TEST(Transpose, SwapsRowsAndColumns) {
  const Image image = image_of<std::uint8_t>(3, 2, 1, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Transpose{}, image)), (Samples{1, 4, 2, 5, 3, 6}));
  const Image colors = image_of<std::uint8_t>(2, 2, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Transpose{}, colors)),
            (Samples{1, 2, 3, 7, 8, 9, 4, 5, 6, 10, 11, 12}));
}

TEST(Transpose, ThenFlipIsAQuarterTurn) {
  for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32})
    for (const int channels : {1, 2, 3, 4}) {
      const Image image = noise({150, 71, channels, format});
      const Image out = everywhere(Transpose{}, image);
      EXPECT_EQ(hash(apply(Transpose{}, out).view()), hash(image.view()));
      if (format == Format::u32) continue;  // flip takes pictures, not labels
      EXPECT_EQ(hash(apply(Flip{Flip::Axis::vertical}, out).view()), hash(apply(Rotate90{}, image).view()));
    }
}

TEST(Transpose, RectanglesOfLargerPlanesStayInside) {
  std::vector<std::uint8_t> in(50 * 60), out(70 * 45, 200);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::uint8_t(i % 199);
  const View<std::uint8_t> source = View<std::uint8_t>(in.data(), 50, 60).sub(3, 5, 37, 41), whole(out.data(), 70, 45);
  apply(Transpose{}, source, whole.sub(7, 2, 41, 37));
  for (int y = 0; y < 45; ++y)
    for (int x = 0; x < 70; ++x) {
      const bool inside = x >= 7 && x < 48 && y >= 2 && y < 39;
      ASSERT_EQ(whole.at(x, y), inside ? source.at(y - 2, x - 7) : 200) << x << ", " << y;
    }
  // In place: the output overlaps the input and a copy is made.
  const Image square = noise({40, 40, 1, Format::u8});
  Image same = square.clone();
  apply(Transpose{}, {same.view()}, same.view());
  EXPECT_EQ(hash(same.view()), hash(apply(Transpose{}, square).view()));
}

}  // namespace
}  // namespace zp::test
