// Tests of subtract_background.
// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/subtract_background.h"

#include <cmath>
#include <cstdlib>
#include <utility>

#include "ops/morphology/element_reference.h"

namespace zp {
namespace {

using test::everywhere;

/// The documented element.
struct Offsets {
  int reach;
  std::vector<char> inside;
  explicit Offsets(int reach_) : reach(reach_), inside(static_cast<std::size_t>((2 * reach + 1) * (2 * reach + 1))) {}
  char& at(int dx, int dy) { return inside[std::size_t((dy + reach) * (2 * reach + 1) + dx + reach)]; }
  bool has(int dx, int dy) const {
    return std::abs(dx) <= reach && std::abs(dy) <= reach && const_cast<Offsets*>(this)->at(dx, dy);
  }
  template <class Call>
  void each(const Call& call) const {
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx)
        if (has(dx, dy)) call(dx, dy);
  }
};
Offsets element_of(int radius) {
  Offsets all(radius);
  if (radius <= 3) {
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx) all.at(dx, dy) = dx * dx + dy * dy <= radius * radius;
    return all;
  }
  all.at(0, 0) = 1;
  const Polygon p = polygon_of(radius);
  const auto add = [&](int steps, int dx, int dy) {
    Offsets sum(radius);
    all.each([&](int x, int y) {
      for (int k = -steps; k <= steps; ++k) sum.at(x + k * dx, y + k * dy) = 1;
    });
    all = std::move(sum);
  };
  for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}}) add(p.straight, dx, dy);
  for (const auto& [dx, dy] : {std::pair{1, 1}, {1, -1}}) add(p.diagonal, dx, dy);
  for (const auto& [dx, dy] : {std::pair{2, 1}, {2, -1}, {1, 2}, {1, -2}}) add(p.oblique, dx, dy);
  return all;
}

TEST(SubtractBackground, PolygonLiesBetweenTwoDiscs) {
  for (const int radius : {4, 5, 6, 7, 8, 9, 10, 12, 15, 22, 29, 39, 49, 50, 61}) {
    const Offsets element = element_of(radius);
    const double inner = 0.98 * radius, outer = 1.02 * radius + 0.5;
    int furthest_x = 0;
    element.each([&](int x, int y) {
      EXPECT_LE(std::hypot(x, y), outer) << radius;
      furthest_x = std::max(furthest_x, x);
      EXPECT_TRUE(element.has(y, x) && element.has(-x, y) && element.has(x, -y)) << radius;
    });
    EXPECT_EQ(furthest_x, radius);
    for (int y = -radius; y <= radius; ++y)
      for (int x = -radius; x <= radius; ++x) {
        if (std::hypot(x, y) > inner) continue;
        EXPECT_TRUE(element.has(x, y)) << radius << ' ' << x << ' ' << y;
      }
  }
  // Larger ones by their corners and edges alone.
  for (int radius = 4; radius <= 1024; ++radius) {
    const Polygon p = polygon_of(radius);
    const double a = p.straight, b = a + 4 * p.oblique, c = b + 2 * p.diagonal;
    EXPECT_EQ(p.straight + 2 * p.diagonal + 6 * p.oblique, radius);
    EXPECT_GE(p.straight, 1);
    EXPECT_LE(std::hypot(a, radius), 1.02 * radius + 0.5);
    EXPECT_LE(std::hypot(b, c), 1.02 * radius + 0.5);
    EXPECT_GE((a + 2 * radius) / std::sqrt(5.0), 0.98 * radius - 0.7);
    EXPECT_GE((b + c) / std::sqrt(2.0), 0.98 * radius - 0.7);
  }
}

template <class T>
Image top_hat(const Image& image, const Offsets& element) {
  const auto extreme = [&](const Image& from, bool highest) {
    Image to(from.shape());
    const View<const T> in = from.as<T>();
    for (int y = 0; y < in.height; ++y)
      for (int x = 0; x < in.width; ++x)
        for (int c = 0; c < in.channels; ++c) {
          T best = in.at(x, y, c);
          for (int v = 0; v < in.height; ++v)
            for (int u = 0; u < in.width; ++u) {
              if (!element.has(u - x, v - y)) continue;
              const T sample = in.at(u, v, c);
              if (highest ? sample > best : sample < best) best = sample;
            }
          to.as<T>().at(x, y, c) = best;
        }
    return to;
  };
  return test::difference<T>(image, extreme(extreme(image, false), true));
}

template <class T>
void expect_reference(int width, int height, int channels, int radius) {
  // A gradient with noise, so that the opening is not flat.
  Image image = test::noise({width, height, channels, format_of<T>}, unsigned(radius));
  const T slope = std::is_same_v<T, float> ? T(0.01) : T(1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        T& v = image.as<T>().at(x, y, c);
        v = T(v / 4 + slope * T(x + y));
      }
  EXPECT_EQ(test::samples_of<T>(everywhere(SubtractBackground{.radius = radius}, image)),
            test::samples_of<T>(top_hat<T>(image, element_of(radius))))
      << width << 'x' << height << 'x' << channels << " radius " << radius;
}
TEST(SubtractBackground, IsTheTopHatWithThatElementUpToTheEdges) {
  for (const int radius : {1, 2, 3, 4, 5, 7, 9, 10, 12}) expect_reference<std::uint8_t>(37, 29, 1, radius);
  // 15 has no diagonal lines.
  for (const int radius : {6, 15, 20}) expect_reference<std::uint8_t>(61, 23, 2, radius);
  for (const int radius : {4, 13, 50}) {
    expect_reference<std::uint16_t>(1, 40, 1, radius);
    expect_reference<std::uint16_t>(45, 1, 1, radius);
    expect_reference<std::uint16_t>(2, 33, 3, radius);
  }
  expect_reference<float>(1, 1, 4, 30);
  expect_reference<float>(19, 40, 1, 11);
  expect_reference<float>(33, 21, 3, 200);
  expect_reference<std::uint8_t>(300, 5, 1, 25);
}

TEST(SubtractBackground, DiscsLargerThanTheElementAreBackground) {
  for (const int radius : {4, 9, 25, 50}) {
    const int size = 3 * radius + 9, centre = size / 2;
    const auto disc = [&](double reach) {
      Image image(Format::u8, size, size);
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
          image.as<std::uint8_t>().at(x, y) = std::hypot(x - centre, y - centre) <= reach ? 150 : 20;
      return image;
    };
    const auto peak = [&](double reach) {
      const Image out = everywhere(SubtractBackground{.radius = radius}, disc(reach));
      return int(out.as<std::uint8_t>().at(centre, centre));
    };
    EXPECT_EQ(peak(0.98 * radius), 130) << radius;
    EXPECT_EQ(peak(1.02 * radius + 0.5), 0) << radius;
  }
}

TEST(SubtractBackground, ConstantsAndWhiteGiveZero) {
  EXPECT_EQ(
      test::samples_of<float>(everywhere(SubtractBackground{}, test::image_of(5, 3, 1, std::vector<float>(15, 0.3f)))),
      std::vector<float>(15, 0.0f));
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(SubtractBackground{.radius = 1024},
                                                       test::image_of(4, 2, 1, std::vector<std::uint16_t>(8, 65535)))),
            std::vector<std::uint16_t>(8, 0));
}

TEST(SubtractBackground, RefusesWhatItCannotDo) {
  try {
    apply(SubtractBackground{.radius = 0}, test::noise({3, 3, 1, Format::u8}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "subtract_background: radius = 0, allowed 1 to 1024 pixels");
  }
}

}  // namespace
}  // namespace zp
