// Erosion and dilation pixel by pixel over the whole element, iteration by iteration.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_MORPHOLOGY_ELEMENT_REFERENCE_H
#define ZP_TESTS_OPS_MORPHOLOGY_ELEMENT_REFERENCE_H

#include <cstdlib>
#include <vector>

#include "ops/morphology/element.h"
#include "support/everywhere.h"

namespace zp::test {

/// 7x5 u8, (37 x + 91 y + 13 x y) mod 256: what OpenCV was given for the numbers in these tests.
inline Image pattern_image() {
  std::vector<std::uint8_t> samples;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) samples.push_back(std::uint8_t((37 * x + 91 * y + 13 * x * y) % 256));
  return image_of<std::uint8_t>(7, 5, 1, samples);
}

inline bool belongs(Element element, int radius, int dx, int dy) {
  switch (element) {
    case Element::box:
      return true;
    case Element::cross:
      return dx == 0 || dy == 0;
    default:
      return dx * dx + dy * dy <= radius * radius;
  }
}

template <class T, class Better>
Image extremum(const Image& image, Element element, int radius, int iterations, Better better) {
  Image now = image.clone();
  for (int k = 0; k < iterations; ++k) {
    Image next(image.shape());
    const View<const T> in = std::as_const(now).as<T>();
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        for (int c = 0; c < image.channels(); ++c) {
          T best = in.at(x, y, c);
          for (int dy = -radius; dy <= radius; ++dy)
            for (int dx = -radius; dx <= radius; ++dx)
              if (belongs(element, radius, dx, dy) && x + dx >= 0 && x + dx < in.width && y + dy >= 0 &&
                  y + dy < in.height) {
                const T v = in.at(x + dx, y + dy, c);
                if (better(double(v), double(best))) best = v;
              }
          next.as<T>().at(x, y, c) = best;
        }
    now = std::move(next);
  }
  return now;
}

/// Elements, radii, iterations and sizes, those of one pixel and those beyond a tile's and a pass's reach included.
template <class Op, class T, class Better>
void expect_extremum(Better better) {
  struct Sample {
    int width, height, channels, radius, iterations;
  };
  static constexpr Sample samples[] = {{17, 13, 1, 1, 1}, {17, 13, 3, 2, 3},  {1, 1, 4, 5, 2},  {1, 90, 1, 4, 1},
                                       {90, 1, 2, 6, 1},  {21, 80, 2, 3, 1},  {9, 7, 1, 0, 1},  {1030, 3, 1, 1, 1},
                                       {345, 2, 3, 2, 2}, {300, 40, 1, 9, 1}, {11, 6, 1, 40, 2}};
  for (const Sample& s : samples)
    for (const Element element : {Element::box, Element::cross, Element::disc}) {
      const Image image = noise({s.width, s.height, s.channels, format_of<T>}, 9);
      const Image out = everywhere(Op{.element = element, .radius = s.radius, .iterations = s.iterations}, image);
      const Image expected = extremum<T>(image, element, s.radius, s.iterations, better);
      EXPECT_EQ(samples_of<T>(out), samples_of<T>(expected))
          << s.width << 'x' << s.height << 'x' << s.channels << " radius " << s.radius << " element " << int(element);
    }
  // One line longer than a pass can slide: 300 to each side.
  const Image image = noise({700, 2, 1, format_of<T>}, 3);
  EXPECT_EQ(samples_of<T>(everywhere(Op{.radius = 100, .iterations = 3}, image)),
            samples_of<T>(extremum<T>(image, Element::box, 300, 1, better)));
}

template <class T>
Image eroded(const Image& image, Element element, int radius, int iterations) {
  return extremum<T>(image, element, radius, iterations, [](double a, double b) { return a < b; });
}
template <class T>
Image dilated(const Image& image, Element element, int radius, int iterations) {
  return extremum<T>(image, element, radius, iterations, [](double a, double b) { return a > b; });
}
template <class T>
Image opened(const Image& image, Element element, int radius, int iterations) {
  return dilated<T>(eroded<T>(image, element, radius, iterations), element, radius, iterations);
}
template <class T>
Image closed(const Image& image, Element element, int radius, int iterations) {
  return eroded<T>(dilated<T>(image, element, radius, iterations), element, radius, iterations);
}
template <class T>
Image difference(const Image& a, const Image& b) {
  Image out = a.clone();
  const std::vector<T> p = samples_of<T>(a), q = samples_of<T>(b);
  for (std::size_t i = 0; i < p.size(); ++i) static_cast<T*>(out.data())[i] = T(p[i] - q[i]);
  return out;
}

template <class Op, class T, class Reference>
void expect_compound_of(const Reference& reference) {
  struct Sample {
    int width, height, channels, radius, iterations;
  };
  static constexpr Sample samples[] = {{17, 13, 1, 1, 1}, {19, 14, 3, 2, 2}, {1, 1, 4, 5, 2},  {1, 40, 1, 4, 1},
                                       {40, 1, 2, 3, 2},  {9, 7, 1, 0, 1},   {11, 6, 1, 20, 1}};
  for (const Sample& s : samples)
    for (const Element element : {Element::box, Element::cross, Element::disc}) {
      const Image image = noise({s.width, s.height, s.channels, format_of<T>}, 9);
      const Image out = everywhere(Op{.element = element, .radius = s.radius, .iterations = s.iterations}, image);
      EXPECT_EQ(samples_of<T>(out), samples_of<T>(reference(T(), image, element, s.radius, s.iterations)))
          << s.width << 'x' << s.height << 'x' << s.channels << " radius " << s.radius << " element " << int(element);
    }
}
/// An operation made of erosions and dilations against `reference(T(), image, element, radius, iterations)`.
template <class Op, class Reference>
void expect_compound(const Reference& reference) {
  expect_compound_of<Op, std::uint8_t>(reference);
  expect_compound_of<Op, std::uint16_t>(reference);
  expect_compound_of<Op, float>(reference);
}
template <class Op>
void expect_in_place() {
  for (const Place& place : places()) {
    const At at(place);
    const Image image = noise({21, 13, 1, Format::u8}, 4);
    const Image expected = apply(Op{.radius = 2}, image);
    Image same = image.clone();
    apply(Op{.radius = 2}, same.view(), same.view());
    EXPECT_EQ(samples_of<std::uint8_t>(same), samples_of<std::uint8_t>(expected)) << place.text();
  }
}

}  // namespace zp::test

#endif
