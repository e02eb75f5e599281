// Tests of remove_small.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/remove_small.h"

#include "ops/morphology/reconstruction_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(RemoveSmall, ObjectsBelowTheAreaVanish) {
  const Bytes mask{0, 0, 0, 9, 0,  //
                   2, 2, 2, 0, 0,  //
                   2, 2, 2, 0, 4};
  const Image image = test::image_of(5, 3, 1, mask);
  const auto found = [&](int area, int connectivity) {
    return test::samples_of<std::uint8_t>(everywhere(RemoveSmall{.area = area, .connectivity = connectivity}, image));
  };
  // skimage.morphology.remove_small_objects with max_size one less.
  EXPECT_EQ(found(6, 4), (Bytes{0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 2, 2, 2, 0, 0}));
  EXPECT_EQ(found(7, 4), Bytes(15, 0));
  EXPECT_EQ(found(7, 8), (Bytes{0, 0, 0, 9, 0, 2, 2, 2, 0, 0, 2, 2, 2, 0, 0}));
  EXPECT_EQ(found(8, 8), Bytes(15, 0));
  EXPECT_EQ(found(1, 4), mask);
  EXPECT_EQ(found(0, 8), mask);
}

template <class T>
void expect_reference(int width, int height, unsigned percent) {
  const std::vector<T> samples = test::speckles<T>(width, height, percent, 31);
  const Image image = test::image_of(width, height, 1, samples);
  for (const int connectivity : {4, 8})
    for (const int area : {2, 5, 64}) {
      const auto small = [&](const std::vector<int>& object) { return int(object.size()) < area; };
      EXPECT_EQ(test::samples_of<T>(everywhere(RemoveSmall{.area = area, .connectivity = connectivity}, image)),
                test::without(width, height, samples, connectivity, small))
          << width << 'x' << height << ' ' << percent << ' ' << connectivity << ' ' << area;
    }
}
TEST(RemoveSmall, EqualsAStack) {
  expect_reference<std::uint8_t>(1, 1, 100);
  expect_reference<std::uint8_t>(1, 70, 80);
  expect_reference<std::uint8_t>(150, 100, 30);
  expect_reference<std::uint16_t>(131, 67, 45);
  expect_reference<float>(67, 131, 58);
  expect_reference<float>(300, 3, 50);
}

TEST(RemoveSmall, AreasCountAcrossTilesExactly) {
  constexpr int kWidth = 200, kHeight = 130;
  const Image image = test::image_of(kWidth, kHeight, 1, std::vector<std::uint16_t>(kWidth * kHeight, 3));
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(RemoveSmall{.area = kWidth * kHeight}, image)),
            std::vector<std::uint16_t>(kWidth * kHeight, 3));
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(RemoveSmall{.area = kWidth * kHeight + 1}, image)),
            std::vector<std::uint16_t>(kWidth * kHeight, 0));
  const std::vector<std::uint8_t> path = test::serpentine<std::uint8_t>(kWidth, kHeight, 1);
  const int length = int(std::count(path.begin(), path.end(), 1));
  const Image winding = test::image_of(kWidth, kHeight, 1, path);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(RemoveSmall{.area = length, .connectivity = 4}, winding)), path);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(RemoveSmall{.area = length + 1, .connectivity = 4}, winding)),
            Bytes(path.size(), 0));
}

TEST(RemoveSmall, RefusesWhatItCannotDo) {
  try {
    apply(RemoveSmall{.area = -1}, test::noise({3, 3, 1, Format::u8}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "remove_small: area = -1, allowed 0 to 2.14748e+09 pixels");
  }
  EXPECT_THROW(apply(RemoveSmall{.connectivity = 5}, test::noise({3, 3, 1, Format::u8})), Error);
}

}  // namespace
}  // namespace zp
