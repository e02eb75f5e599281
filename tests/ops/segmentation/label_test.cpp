// Tests of label.
// SPDX-License-Identifier: Apache-2.0
#include "ops/segmentation/label.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/segmentation/reference.h"
#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;
using Labels = std::vector<std::uint32_t>;

Labels labels(const Image& image, int connectivity) {
  return test::samples_of<std::uint32_t>(everywhere(Label{.connectivity = connectivity}, image));
}
void expect_count(const Image& image, int connectivity, std::int64_t count) {
  test::values_everywhere(Label{.connectivity = connectivity}, image, [&](const Label::Result& r) {
    EXPECT_EQ(r.count, count) << "connectivity " << connectivity;
  });
}

const Bytes kThree{1, 0, 1, 0, 1,  //
                   1, 0, 1, 0, 1,  //
                   1, 1, 1, 0, 1,  //
                   0, 0, 0, 0, 1,  //
                   1, 0, 0, 1, 1};

TEST(Label, CaseA8TheUIsOneObjectAndNumbersFollowFirstPixels) {
  const Image image = test::image_of<std::uint8_t>(5, 5, 1, kThree);
  const Labels expected{1, 0, 1, 0, 2, 1, 0, 1, 0, 2, 1, 1, 1, 0, 2, 0, 0, 0, 0, 2, 3, 0, 0, 2, 2};
  for (const int threads : {1, 2, 8, 0}) {
    set_threads(threads);
    EXPECT_EQ(labels(image, 4), expected);
    EXPECT_EQ(labels(image, 8), expected);
    expect_count(image, 8, 3);
  }
}

TEST(Label, CaseA8CheckerboardIsOneObjectOnlyAcrossCorners) {
  Bytes board;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) board.push_back((x + y) % 2 == 0 ? 255 : 0);
  const Image image = test::image_of(5, 5, 1, board);
  expect_count(image, 4, 13);
  expect_count(image, 8, 1);
}

TEST(Label, CaseA8DotsStaySeparateAcrossTiles) {
  std::vector<std::uint16_t> dots;
  for (int y = 0; y < 65; ++y)
    for (int x = 0; x < 65; ++x) dots.push_back(x % 2 == 0 && y % 2 == 0 ? 1 : 0);
  const Image image = test::image_of(65, 65, 1, dots);
  for (const int threads : {1, 2, 8, 0}) {
    set_threads(threads);
    expect_count(image, 4, 1089);
    expect_count(image, 8, 1089);
  }
}

TEST(Label, MoreThan65535Objects) {
  Bytes dots(700u * 700u);
  for (int y = 0; y < 700; y += 2)
    for (int x = 0; x < 700; x += 2) dots[std::size_t(y * 700 + x)] = 9;
  const Image image = test::image_of(700, 700, 1, dots);
  expect_count(image, 8, 350 * 350);
  EXPECT_EQ(labels(image, 8)[699u * 700u - 2u], 350u * 350u);  // the last dot, at (698, 698)
}

// Counts by scipy.ndimage.label (SciPy 1.17.1) on the same formula.
TEST(Label, CountsOfScatteredPixelsAsScipy) {
  struct {
    int width, height;
    std::uint32_t seed, cut;
    std::int64_t four, eight;
  } const rows[] = {{300, 211, 1, 150, 6586, 924}, {300, 211, 2, 104, 1977, 59}, {130, 97, 3, 60, 46, 1}};
  for (const auto& r : rows) {
    const Bytes samples =
        test::scattered<std::uint8_t>(r.width, r.height, r.seed, [&](std::uint32_t v) { return v >> 24 > r.cut; });
    const Image image = test::image_of(r.width, r.height, 1, samples);
    expect_count(image, 4, r.four);
    expect_count(image, 8, r.eight);
  }
}

TEST(Label, EqualsAQueueOnEverySizeAndDensity) {
  const std::pair<int, int> sizes[] = {{1, 1}, {1, 200}, {300, 1}, {63, 31}, {64, 32}, {65, 33}, {129, 66}, {200, 150}};
  for (const auto& [width, height] : sizes)
    for (const std::uint32_t cut : {0u, 40u, 100u, 128u, 150u, 220u, 255u})
      for (const int connectivity : {4, 8}) {
        const auto samples = test::scattered<float>(width, height, cut + 7,
                                                    [&](std::uint32_t v) { return v >> 24 > cut ? -0.5f : 0.0f; });
        const Image image = test::image_of(width, height, 1, samples);
        const auto [expected, count] = test::labels_of(width, height, samples, connectivity);
        for (const int threads : {1, 2, 8}) {
          set_threads(threads);
          EXPECT_EQ(test::samples_of<std::uint32_t>(apply(Label{.connectivity = connectivity}, image)), expected);
        }
        set_threads(0);
        EXPECT_EQ(labels(image, connectivity), expected) << width << "x" << height << " cut " << cut;
        expect_count(image, connectivity, count);
      }
}

TEST(Label, LongPathsThatCrossManyTiles) {
  // Walls with a gap at alternating ends make one snake; the walls hang together by nothing.
  const int width = 333, height = 222;
  Bytes snake, stripes;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool wall = y % 2 == 1 && x != (y / 2 % 2 ? 0 : width - 1);
      snake.push_back(!wall);
      stripes.push_back((x + y) % 3 == 0);
    }
  const Image image = test::image_of(width, height, 1, snake);
  expect_count(image, 4, 1);
  expect_count(image, 8, 1);
  for (const int connectivity : {4, 8})
    EXPECT_EQ(labels(test::image_of(width, height, 1, stripes), connectivity),
              test::labels_of(width, height, stripes, connectivity).first);
}

TEST(Label, NotANumberIsForegroundAndMinusZeroIsNot) {
  const Image image = test::row_of<float>({0.0f, NAN, -0.0f, -1.0f, INFINITY, 0.0f, 1e-45f});
  EXPECT_EQ(labels(image, 8), (Labels{0, 1, 0, 2, 2, 0, 3}));
}

TEST(Label, PartsOfLargerPlanes) {
  Bytes parent(40u * 20u, 1);  // around the view everything is foreground
  Labels out(30u * 9u, 77u);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) parent[std::size_t((y + 3) * 40 + x + 11)] = kThree[std::size_t(y * 5 + x)];
  const View<const std::uint8_t> in(parent.data() + 3 * 40 + 11, 5, 5, 1, 40);
  const View<std::uint32_t> to(out.data() + 30 + 2, 5, 5, 1, 30 * 4);
  const Label::Result result = apply(Label{}, in, to);
  EXPECT_EQ(result.count, 3);
  EXPECT_EQ(to.at(0, 0), 1u);
  EXPECT_EQ(to.at(4, 0), 2u);
  EXPECT_EQ(to.at(0, 4), 3u);
  EXPECT_EQ(to.at(1, 4), 0u);
  EXPECT_EQ(std::count(out.begin(), out.end(), 77u), 30 * 9 - 25);
}

TEST(Label, Refusals) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Image grey(Format::u8, 3, 3), color(Format::u8, 3, 3, 3);
  EXPECT_EQ(message([&] { apply(Label{.connectivity = 6}, grey); }), "label: connectivity = 6, allowed 4 or 8");
  EXPECT_NE(message([&] { apply(Label{}, color); }).find("label: does not take 3 channels"), std::string::npos);
  Image out(Format::u32, 0, 4);
  EXPECT_EQ(apply(Label{}, {Image(Format::u8, 0, 4).view()}, out.view()).count, 0);
  // A plane of more than 2^32 - 1 pixels is refused before a byte of it is touched.
  const PlaneShape huge{65536, 65536, 1, Format::u8};
  EXPECT_NE(message([&] { Label{}.output(std::span(&huge, 1)); }).find("more than 4294967295 pixels"),
            std::string::npos);
}

}  // namespace
}  // namespace zp
