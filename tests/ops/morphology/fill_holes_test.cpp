// Tests of fill_holes.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/fill_holes.h"

#include "ops/morphology/reconstruction_reference.h"
#include "zeroplane/memory.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;

TEST(FillHoles, FillsWhatIsEnclosed) {
  const Bytes mask{0,   255, 255, 255, 0, 255, 255,  //
                   255, 0,   0,   255, 0, 255, 0,    //
                   255, 0,   255, 255, 0, 255, 255,  //
                   0,   255, 255, 0,   0, 0,   0};
  const Bytes four{0,   255, 255, 255, 0, 255, 255,  //
                   255, 255, 255, 255, 0, 255, 0,    //
                   255, 255, 255, 255, 0, 255, 255,  //
                   0,   255, 255, 0,   0, 0,   0};
  const Image image = test::image_of(7, 4, 1, mask);
  // scipy.ndimage.binary_fill_holes gives the same; with a structure of 3x3 ones water leaks through the corners.
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(FillHoles{}, image)), four);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(FillHoles{.connectivity = 8}, image)), mask);
}

TEST(FillHoles, FillsGreyHollowsToTheirRim) {
  const std::vector<float> hollow{9, 9, 9, 9, 9,  //
                                  9, 2, 7, 6, 9,  //
                                  9, 4, 1, 8, 5,  //
                                  9, 9, 9, 9, 9};
  const std::vector<float> filled{9, 9, 9, 9, 9,  //
                                  9, 8, 8, 8, 9,  //
                                  9, 8, 8, 8, 5,  //
                                  9, 9, 9, 9, 9};
  EXPECT_EQ(test::samples_of<float>(everywhere(FillHoles{}, test::image_of(5, 4, 1, hollow))), filled);
}

template <class T>
void expect_reference(int width, int height, int channels) {
  const Image image = test::noise({width, height, channels, format_of<T>}, 11);
  for (const int connectivity : {4, 8}) {
    const Image out = everywhere(FillHoles{.connectivity = connectivity}, image);
    for (int c = 0; c < channels; ++c) {
      const std::vector<double> mask = test::numbers<T>(image, c, -1);
      std::vector<double> marker(mask.size(), -std::numeric_limits<double>::infinity());
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
            marker[std::size_t(y * width + x)] = mask[std::size_t(y * width + x)];
      test::expect_channel<T>(out, c, -1, test::reconstructed(width, height, marker, mask, connectivity), "fill_holes");
    }
  }
}
TEST(FillHoles, EqualsAPriorityQueue) {
  expect_reference<std::uint8_t>(1, 1, 1);
  expect_reference<std::uint8_t>(140, 131, 1);
  expect_reference<std::uint16_t>(67, 33, 3);
  expect_reference<float>(90, 129, 1);
}

TEST(FillHoles, MasksWithManyHolesAndWindingBackground) {
  for (const unsigned percent : {45u, 60u}) {
    const Bytes mask = test::speckles<std::uint8_t>(200, 150, percent, percent);
    Bytes binary;
    for (const std::uint8_t v : mask) binary.push_back(v ? 255 : 0);
    // What is background and not connected with the border.
    Bytes inverse;
    for (const std::uint8_t v : binary) inverse.push_back(v ? 0 : 1);
    for (const int connectivity : {4, 8}) {
      Bytes expected = binary;
      for (const std::vector<int>& object : test::objects_of(200, 150, inverse, connectivity)) {
        const bool outside = std::any_of(object.begin(), object.end(), [](int p) {
          return p % 200 == 0 || p % 200 == 199 || p / 200 == 0 || p / 200 == 149;
        });
        if (!outside)
          for (const int p : object) expected[std::size_t(p)] = 255;
      }
      EXPECT_EQ(test::samples_of<std::uint8_t>(
                    everywhere(FillHoles{.connectivity = connectivity}, test::image_of(200, 150, 1, binary))),
                expected)
          << percent << ' ' << connectivity;
    }
  }
}

TEST(FillHoles, NanIsAWall) {
  const float nan = std::nanf("");
  const std::vector<float> ring{0, 0, 0, 0, 0, 0, nan, 0, 0, nan, 3, nan, 0, 0, nan, 0};
  const auto found = test::samples_of<float>(everywhere(FillHoles{}, test::image_of(4, 4, 1, ring)));
  for (std::size_t i = 0; i < ring.size(); ++i) EXPECT_EQ(std::isnan(found[i]), std::isnan(ring[i]) || i == 10) << i;
}

TEST(FillHoles, RoundsDoNotGrowWithTheImage) {
  // Grains of one size on a plain ground, some with holes: four times as wide and high, and no more launches.
  const auto launches = [](int size) {
    const test::At at({"simulated:discrete", "", Executor::simulated});
    Image image(Format::u8, size, size);
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        const int dx = x % 37 - 18, dy = y % 41 - 20, d = dx * dx + dy * dy;
        image.as<std::uint8_t>().at(x, y) = d < 150 && d > ((x / 37 + y / 41) % 3 ? 20 : 0) ? 200 : 10;
      }
    const CounterScope scope;
    const Image out = apply(FillHoles{}, image);
    return int(scope.counted().launches);
  };
  EXPECT_LE(launches(1024), launches(256) + 2);
}

TEST(FillHoles, RefusesWhatItCannotDo) {
  try {
    apply(FillHoles{.connectivity = 5}, test::noise({3, 3, 1, Format::u8}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "fill_holes: connectivity = 5, allowed 4 or 8");
  }
}

}  // namespace
}  // namespace zp
