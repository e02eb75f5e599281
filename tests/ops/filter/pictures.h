// Small pictures and a reader of borders that walks, for the tests of filters.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_FILTER_PICTURES_H
#define ZP_TESTS_OPS_FILTER_PICTURES_H

#include <vector>

#include "core/border.h"
#include "support/everywhere.h"

namespace zp::test {

inline constexpr Border kBorders[] = {Border::replicate, Border::reflect, Border::reflect101, Border::wrap,
                                      Border::constant};

/// 7x5 u8, (37 x + 91 y + 13 x y) mod 256: what numpy, SciPy and OpenCV were given for the numbers in these tests.
inline std::vector<std::uint8_t> pattern() {
  std::vector<std::uint8_t> samples;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) samples.push_back(std::uint8_t((37 * x + 91 * y + 13 * x * y) % 256));
  return samples;
}
inline Image pattern_image() { return image_of<std::uint8_t>(7, 5, 1, pattern()); }

/// Walks from 0 to i one step at a time, turning at the ends; -1 outside of a constant border.
inline int walk(int i, int n, Border border) {
  if (border == Border::constant) return i >= 0 && i < n ? i : -1;
  int at = 0, direction = i < 0 ? -1 : 1;
  for (int steps = i < 0 ? -i : i; steps > 0; --steps) {
    const int next = at + direction;
    if (next >= 0 && next < n) {
      at = next;
      continue;
    }
    switch (border) {
      case Border::replicate:
        break;
      case Border::wrap:
        at = next < 0 ? n - 1 : 0;
        break;
      case Border::reflect:
        direction = -direction;
        break;  // the edge counts twice
      default:  // reflect101
        direction = -direction;
        if (n > 1) at += direction;
    }
  }
  return at;
}

/// Reads the samples of an image, borders included.
template <class T>
struct Reader {
  View<const T> view;
  Border border;
  T outside;
  Reader(const Image& image, Border border_, T outside_) : view(image.as<T>()), border(border_), outside(outside_) {}
  T at(int x, int y, int c) const {
    const int i = walk(x, view.width, border), j = walk(y, view.height, border);
    return i < 0 || j < 0 ? outside : view.at(i, j, c);
  }
};

}  // namespace zp::test

#endif
