// Tests of find_boundaries.
// SPDX-License-Identifier: Apache-2.0
#include "ops/segmentation/find_boundaries.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/segmentation/reference.h"
#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Mode = FindBoundaries::Mode;

/// 255 where the drawing has a #.
Bytes drawing(const std::string& rows) {
  Bytes mask;
  for (const char c : rows) mask.push_back(c == '#' ? 255 : 0);
  return mask;
}

// Two objects that touch, one alone: drawings by skimage.segmentation.find_boundaries (scikit-image 0.26.0).
TEST(FindBoundaries, AsScikitImage) {
  const std::vector<std::uint16_t> labels{0, 0, 0, 0, 0, 0, 0, 0,   0,  //
                                          0, 1, 1, 1, 5, 5, 0, 0,   0,  //
                                          0, 1, 1, 1, 5, 5, 0, 0,   0,  //
                                          0, 1, 1, 1, 5, 5, 0, 0,   0,  //
                                          0, 0, 0, 0, 0, 0, 0, 0,   0,  //
                                          0, 0, 0, 0, 0, 0, 0, 900, 0};
  const Image image = test::image_of(9, 6, 1, labels);
  const auto found = [&](int connectivity, Mode mode) {
    return samples_of<std::uint8_t>(everywhere(FindBoundaries{.connectivity = connectivity, .mode = mode}, image));
  };
  EXPECT_EQ(found(4, Mode::inner), drawing("........."
                                           ".#####..."
                                           ".#.###..."
                                           ".#####..."
                                           "........."
                                           ".......#."));
  EXPECT_EQ(found(8, Mode::inner), found(4, Mode::inner));
  EXPECT_EQ(found(4, Mode::outer), drawing(".#####..."
                                           "#..##.#.."
                                           "#..##.#.."
                                           "#..##.#.."
                                           ".#####.#."
                                           "......#.#"));
  EXPECT_EQ(found(8, Mode::outer), drawing("#######.."
                                           "#..##.#.."
                                           "#..##.#.."
                                           "#..##.#.."
                                           "#########"
                                           "......#.#"));
}

/// From the words of the documentation, neighbour by neighbour.
template <class T>
Bytes by_neighbours(int width, int height, const std::vector<T>& labels, int connectivity, Mode mode) {
  Bytes mask;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const T own = labels[std::size_t(y * width + x)];
      bool boundary = false, another = false;
      for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
        for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
          const T other = labels[std::size_t(v * width + u)];
          if (other == own) continue;
          if (connectivity == 8 || u == x || v == y) boundary = true;
          if (other != 0) another = true;
        }
      const bool wanted = mode == Mode::inner ? own != 0 : own == 0 || another;
      mask.push_back(boundary && wanted ? 255 : 0);
    }
  return mask;
}

template <class T>
void compare(int width, int height, std::uint32_t kinds, T scale) {
  // Blocks of 3 x 2 pixels, so that there are insides too.
  const int across = (width + 2) / 3;
  std::vector<T> labels;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      labels.push_back(T(test::scatter(std::uint32_t(y / 2 * across + x / 3), 5) % kinds * scale));
  const Image image = test::image_of(width, height, 1, labels);
  for (const int connectivity : {4, 8})
    for (const Mode mode : {Mode::inner, Mode::outer})
      EXPECT_EQ(samples_of<std::uint8_t>(everywhere(FindBoundaries{.connectivity = connectivity, .mode = mode}, image)),
                by_neighbours(width, height, labels, connectivity, mode))
          << width << "x" << height << " " << connectivity << " " << int(mode);
}

TEST(FindBoundaries, EqualsItsDefinition) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 40}, {70, 1}, {66, 35}, {300, 50}}) {
    compare<std::uint8_t>(width, height, 2, 255);
    compare<std::uint8_t>(width, height, 5, 51);
    compare<std::uint16_t>(width, height, 4, 21845);
    compare<std::uint32_t>(width, height, 3, 0x7fffffffu);
  }
}

// Labels whose difference a float would lose.
TEST(FindBoundaries, LargeNeighbouringLabels) {
  const Image row = test::row_of<std::uint32_t>({4294967295u, 4294967295u, 4294967294u, 4294967294u});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(FindBoundaries{}, row)), (Bytes{0, 255, 255, 0}));
}

TEST(FindBoundaries, PartsOfLargerPlanesInPlace) {
  Bytes parent(20u * 9u, 3);  // what lies around the view is no neighbour
  const View<std::uint8_t> view(parent.data() + 2 * 20 + 7, 9, 5, 1, 20);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 9; ++x) view.at(x, y) = 1;
  apply(FindBoundaries{}, View<const std::uint8_t>(view), view);
  EXPECT_EQ(std::count(parent.begin(), parent.end(), std::uint8_t(0)), 45);
  EXPECT_EQ(std::count(parent.begin(), parent.end(), std::uint8_t(3)), 180 - 45);
}

TEST(FindBoundaries, Refusals) {
  const auto message = [](const FindBoundaries& op, const Image& image) -> std::string {
    try {
      apply(op, image);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({.connectivity = 5}, Image(Format::u8, 3, 3)), "find_boundaries: connectivity = 5, allowed 4 or 8");
  EXPECT_NE(message({}, Image(Format::f32, 3, 3)).find("find_boundaries: does not take f32"), std::string::npos);
  EXPECT_NE(message({}, Image(Format::u8, 3, 3, 3)).find("find_boundaries: does not take 3 channels"),
            std::string::npos);
}

}  // namespace
}  // namespace zp
