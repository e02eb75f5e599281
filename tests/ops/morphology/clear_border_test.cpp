// Tests of clear_border.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/clear_border.h"

#include <algorithm>

#include "ops/morphology/reconstruction_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(ClearBorder, ObjectsAtTheBorderVanish) {
  const Bytes mask{0, 0, 0, 0, 0, 9,  //
                   7, 7, 0, 5, 0, 0,  //
                   0, 0, 8, 0, 0, 0,  //
                   0, 0, 0, 0, 3, 0,  //
                   0, 0, 0, 0, 0, 0};
  const Image image = test::image_of(6, 5, 1, mask);
  // skimage.segmentation.clear_border of mask != 0 keeps the pixel of 3 alone.
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(ClearBorder{}, image)),
            (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(ClearBorder{.connectivity = 4}, image)),
            (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}));
}

template <class T>
void expect_reference(int width, int height, unsigned percent) {
  const std::vector<T> samples = test::speckles<T>(width, height, percent, 21);
  const Image image = test::image_of(width, height, 1, samples);
  for (const int connectivity : {4, 8}) {
    const auto touches = [&](const std::vector<int>& object) {
      return std::any_of(object.begin(), object.end(), [&](int p) {
        const int x = p % width, y = p / width;
        return x == 0 || y == 0 || x == width - 1 || y == height - 1;
      });
    };
    EXPECT_EQ(test::samples_of<T>(everywhere(ClearBorder{.connectivity = connectivity}, image)),
              test::without(width, height, samples, connectivity, touches))
        << width << 'x' << height << ' ' << percent << ' ' << connectivity;
  }
}
TEST(ClearBorder, EqualsAStack) {
  expect_reference<std::uint8_t>(1, 1, 100);
  expect_reference<std::uint8_t>(1, 70, 50);
  expect_reference<std::uint8_t>(150, 100, 30);
  expect_reference<std::uint16_t>(131, 67, 45);
  expect_reference<float>(67, 131, 60);
  expect_reference<float>(300, 3, 20);
}

TEST(ClearBorder, NanIsNotZero) {
  std::vector<float> square(25, 0.0f);
  square[12] = std::nanf("");
  square[4] = std::nanf("");
  const auto found = test::samples_of<float>(everywhere(ClearBorder{}, test::image_of(5, 5, 1, square)));
  for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(std::isnan(found[i]), i == 12) << i;
}

TEST(ClearBorder, WorksInPlace) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    Image mask = test::image_of<std::uint8_t>(3, 3, 1, {0, 0, 0, 0, 4, 0, 0, 0, 0});
    apply(ClearBorder{}, mask.view(), mask.view());
    EXPECT_EQ(test::samples_of<std::uint8_t>(mask), (Bytes{0, 0, 0, 0, 4, 0, 0, 0, 0})) << place.text();
  }
}

TEST(ClearBorder, RefusesWhatItCannotDo) {
  EXPECT_THROW(apply(ClearBorder{.connectivity = 7}, test::noise({3, 3, 1, Format::u8})), Error);
  EXPECT_THROW(apply(ClearBorder{}, test::noise({3, 3, 3, Format::u8})), Error);
}

}  // namespace
}  // namespace zp
