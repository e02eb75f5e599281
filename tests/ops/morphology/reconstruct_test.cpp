// Tests of reconstruct.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/reconstruct.h"

#include "core/threads.h"
#include "ops/morphology/reconstruction_reference.h"

namespace zp {
namespace {

using test::everywhere;
using Bytes = std::vector<std::uint8_t>;
using Kind = Reconstruct::Kind;

Bytes row(const Reconstruct& op, const Bytes& marker, const Bytes& mask) {
  const Image a = test::row_of(marker), b = test::row_of(mask);
  return test::samples_of<std::uint8_t>(everywhere(op, {&a, &b}));
}

TEST(Reconstruct, ByHand) {
  EXPECT_EQ(row({}, {0, 0, 5, 0, 0}, {3, 4, 5, 2, 6}), (Bytes{3, 4, 5, 2, 2}));
  // A marker above the mask is cut first.
  EXPECT_EQ(row({}, {0, 0, 255, 0, 0}, {3, 4, 5, 2, 6}), (Bytes{3, 4, 5, 2, 2}));
  EXPECT_EQ(row({.kind = Kind::erosion}, {255, 255, 2, 255, 255}, {3, 1, 2, 7, 4}), (Bytes{3, 2, 2, 7, 7}));
}

TEST(Reconstruct, IsScikitImages) {
  // skimage.morphology.reconstruction of a 6x4 picture, (37 x + 91 y + 13 x y) mod 101, from 40 below it.
  Bytes mask, marker;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) {
      mask.push_back(std::uint8_t((37 * x + 91 * y + 13 * x * y) % 101));
      marker.push_back(std::uint8_t(mask.back() > 40 ? mask.back() - 40 : 0));
    }
  const Image a = test::image_of(6, 4, 1, marker), b = test::image_of(6, 4, 1, mask);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Reconstruct{.connectivity = 4}, {&a, &b})),
            (Bytes{0, 37, 50, 10, 47, 47, 51, 40, 50, 39, 49, 38, 51, 43, 5, 57, 30, 53, 51, 46, 21, 57, 57, 47}));
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Reconstruct{.connectivity = 8}, {&a, &b})),
            (Bytes{0, 37, 57, 10, 47, 57, 51, 40, 57, 39, 57, 38, 51, 43, 5, 57, 30, 57, 51, 46, 21, 57, 57, 47}));
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Reconstruct{.kind = Kind::erosion}, {&b, &a})),
            (Bytes{0, 0, 34, 0, 7, 44, 51, 0, 50, 0, 49, 0, 41, 3, 0, 28, 0, 53, 31, 6, 0, 57, 32, 7}));
}

template <class T>
void expect_reference(int width, int height, int channels) {
  const PlaneShape shape{width, height, channels, format_of<T>};
  const Image mask = test::noise(shape, 5);
  // Sparse markers: a few per cent of the pixels, so that values travel far.
  Image marker = test::noise(shape, 6);
  std::mt19937 random(8);
  const T lowest = std::is_same_v<T, float> ? T(-1) : T(0);
  for (std::size_t i = 0; i < shape.samples(); ++i)
    if (random() % 40 != 0) static_cast<T*>(marker.data())[i] = lowest;
  for (const int connectivity : {4, 8}) {
    const Image out = everywhere(Reconstruct{.connectivity = connectivity}, {&marker, &mask});
    const Image under = everywhere(Reconstruct{.kind = Kind::erosion, .connectivity = connectivity}, {&mask, &marker});
    for (int c = 0; c < channels; ++c) {
      const std::string what =
          std::to_string(width) + "x" + std::to_string(height) + ", " + std::to_string(connectivity) + " neighbours";
      test::expect_channel<T>(out, c, 1,
                              test::reconstructed(width, height, test::numbers<T>(marker, c, 1),
                                                  test::numbers<T>(mask, c, 1), connectivity),
                              what + ", dilation");
      test::expect_channel<T>(under, c, -1,
                              test::reconstructed(width, height, test::numbers<T>(mask, c, -1),
                                                  test::numbers<T>(marker, c, -1), connectivity),
                              what + ", erosion");
    }
  }
}
TEST(Reconstruct, EqualsAPriorityQueue) {
  expect_reference<std::uint8_t>(1, 1, 1);
  expect_reference<std::uint8_t>(131, 67, 3);
  expect_reference<std::uint8_t>(300, 1, 1);
  expect_reference<std::uint16_t>(1, 200, 2);
  expect_reference<std::uint16_t>(65, 129, 1);
  expect_reference<float>(64, 64, 1);
  expect_reference<float>(129, 70, 4);
}

TEST(Reconstruct, FollowsAPathThroughAllTiles) {
  constexpr int kWidth = 150, kHeight = 139;
  const std::vector<std::uint16_t> mask = test::serpentine<std::uint16_t>(kWidth, kHeight, 900);
  std::vector<std::uint16_t> marker(mask.size());
  marker[0] = 700;
  std::vector<std::uint16_t> expected = mask;
  for (std::uint16_t& v : expected) v = v ? 700 : 0;
  const Image b = test::image_of(kWidth, kHeight, 1, mask);
  for (const std::size_t start : {std::size_t(0), marker.size() - 1}) {
    std::fill(marker.begin(), marker.end(), std::uint16_t(0));
    marker[start] = 700;
    const Image a = test::image_of(kWidth, kHeight, 1, marker);
    EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(Reconstruct{.connectivity = 4}, {&a, &b})), expected);
  }
  // On its side, so that the long ways are columns.
  std::vector<std::uint16_t> turned(mask.size());
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      turned[std::size_t(x) * kHeight + std::size_t(y)] = mask[std::size_t(y) * kWidth + std::size_t(x)];
  const Image c = test::image_of(kHeight, kWidth, 1, turned);
  std::fill(marker.begin(), marker.end(), std::uint16_t(0));
  marker[0] = 900;
  const Image a = test::image_of(kHeight, kWidth, 1, marker);
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(Reconstruct{.connectivity = 4}, {&a, &c})), turned);
}

TEST(Reconstruct, CornersAreConnectedByEightOnly) {
  constexpr int kSize = 140;
  for (const bool rising : {false, true}) {
    Bytes mask(kSize * kSize);
    for (int k = 0; k < kSize; ++k) mask[std::size_t(k * kSize + (rising ? kSize - 1 - k : k))] = 200;
    Bytes marker(mask.size());
    marker[std::size_t(rising ? kSize - 1 : 0)] = 200;
    const Image a = test::image_of(kSize, kSize, 1, marker), b = test::image_of(kSize, kSize, 1, mask);
    EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Reconstruct{.connectivity = 8}, {&a, &b})), mask) << rising;
    EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Reconstruct{.connectivity = 4}, {&a, &b})), marker) << rising;
  }
}

TEST(Reconstruct, ThreadsDoNotShow) {
  const Image mask = test::noise({400, 300, 1, Format::u8}, 2), marker = test::noise({400, 300, 1, Format::u8}, 3);
  const test::At at({"none", "", Executor::cpu});
  set_threads(1);
  const Image expected = apply(Reconstruct{}, marker, mask);
  for (const int threads : {2, 8}) {
    set_threads(threads);
    EXPECT_EQ(hash_text(hash(apply(Reconstruct{}, marker, mask).view())), hash_text(hash(expected.view())));
  }
  set_threads(0);
}

TEST(Reconstruct, NanIsAWallInTheMaskAndNothingInTheMarker) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  const Image marker = test::row_of<float>({nan, 5, nan, -inf, 3, nan, nan, inf, -inf});
  const Image mask = test::row_of<float>({4, 6, nan, 7, -2, inf, nan, inf, 8});
  const auto found = test::samples_of<float>(everywhere(Reconstruct{}, {&marker, &mask}));
  const std::vector<float> expected{4, 5, nan, -2, -2, -2, nan, inf, 8};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]))) << i << ' ' << found[i];
  // What no marker reaches.
  const Image nothing = test::row_of<float>({nan, nan}), something = test::row_of<float>({1, 2});
  for (const Kind kind : {Kind::dilation, Kind::erosion})
    for (const float v : test::samples_of<float>(everywhere(Reconstruct{.kind = kind}, {&nothing, &something})))
      EXPECT_TRUE(std::isnan(v));
}

TEST(Reconstruct, WorksInPlaceOfEitherInput) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    for (const int into : {0, 1}) {
      Image marker = test::row_of<std::uint8_t>({0, 0, 5, 0, 0}), mask = test::row_of<std::uint8_t>({3, 4, 5, 2, 6});
      apply(Reconstruct{}, {marker.view(), mask.view()}, (into ? mask : marker).view());
      EXPECT_EQ(test::samples_of<std::uint8_t>(into ? mask : marker), (Bytes{3, 4, 5, 2, 2})) << place.text();
    }
  }
}

TEST(Reconstruct, RefusesWhatItCannotDo) {
  const Image grey = test::noise({5, 4, 1, Format::u8}), colour = test::noise({5, 4, 3, Format::u8});
  const auto refused = [](const Reconstruct& op, const Image& a, const Image& b) -> std::string {
    try {
      apply(op, a, b);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refused({.connectivity = 6}, grey, grey), "reconstruct: connectivity = 6, allowed 4 or 8");
  EXPECT_EQ(refused({}, colour, grey), "reconstruct: the marker is u8 5x4x3, the mask u8 5x4");
}

}  // namespace
}  // namespace zp
