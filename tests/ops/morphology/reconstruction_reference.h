// Reconstruction and filling by a priority queue over single pixels, and labels by a stack: what the tests compare
// with.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_MORPHOLOGY_RECONSTRUCTION_REFERENCE_H
#define ZP_TESTS_OPS_MORPHOLOGY_RECONSTRUCTION_REFERENCE_H

#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "support/everywhere.h"

namespace zp::test {

/// Calls call(u, v) for the neighbours of (x, y) inside.
template <class Call>
void neighbours(int width, int height, int connectivity, int x, int y, const Call& call) {
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || (connectivity == 4 && dx != 0 && dy != 0)) continue;
      const int u = x + dx, v = y + dy;
      if (u >= 0 && v >= 0 && u < width && v < height) call(u, v);
    }
}

/// Reconstruction by dilation of numbers: pixels are settled from the highest value down, as in Dijkstra's method.
inline std::vector<double> reconstructed(int width, int height, const std::vector<double>& marker,
                                         const std::vector<double>& mask, int connectivity) {
  std::vector<double> value(mask.size());
  std::priority_queue<std::pair<double, int>> queue;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    value[i] = std::min(marker[i], mask[i]);
    queue.emplace(value[i], int(i));
  }
  while (!queue.empty()) {
    const auto [v, p] = queue.top();
    queue.pop();
    if (v < value[std::size_t(p)]) continue;
    neighbours(width, height, connectivity, p % width, p / width, [&, v = v](int x, int y) {
      const std::size_t q = std::size_t(y) * std::size_t(width) + std::size_t(x);
      const double reached = std::min(v, mask[q]);
      if (reached <= value[q]) return;
      value[q] = reached;
      queue.emplace(reached, int(q));
    });
  }
  return value;
}

/// One channel of an image, as numbers; `sign` -1 turns erosion into dilation.
template <class T>
std::vector<double> numbers(const Image& image, int channel, double sign) {
  std::vector<double> all;
  const std::vector<T> samples = samples_of<T>(image);
  for (std::size_t i = std::size_t(channel); i < samples.size(); i += std::size_t(image.channels()))
    all.push_back(sign * double(samples[i]));
  return all;
}

template <class T>
void expect_channel(const Image& image, int channel, double sign, const std::vector<double>& expected,
                    const std::string& what) {
  const std::vector<double> found = numbers<T>(image, channel, sign);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], expected[i]) << what << ", channel " << channel << ", pixel " << int(i) % image.width() << ' '
                                     << int(i) / image.width();
}

/// A wall of 0 with one corridor of `value`, a pixel wide, that winds through the whole image.
template <class T>
std::vector<T> serpentine(int width, int height, T value) {
  std::vector<T> samples;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      samples.push_back(y % 2 == 0 || x == (y / 2 % 2 == 0 ? width - 1 : 0) ? value : T(0));
  return samples;
}

/// Objects of non-zero samples: pixels of each, in raster order of the first.
template <class T>
std::vector<std::vector<int>> objects_of(int width, int height, const std::vector<T>& samples, int connectivity) {
  std::vector<std::vector<int>> all;
  std::vector<char> seen(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (seen[i] || samples[i] == T(0)) continue;
    std::vector<int> object{int(i)};
    seen[i] = 1;
    for (std::size_t k = 0; k < object.size(); ++k)
      neighbours(width, height, connectivity, object[k] % width, object[k] / width, [&](int x, int y) {
        const std::size_t q = std::size_t(y) * std::size_t(width) + std::size_t(x);
        if (seen[q] || samples[q] == T(0)) return;
        seen[q] = 1;
        object.push_back(int(q));
      });
    all.push_back(std::move(object));
  }
  return all;
}
/// The samples without the objects that `vanishes(pixels)` names.
template <class T, class Vanishes>
std::vector<T> without(int width, int height, std::vector<T> samples, int connectivity, const Vanishes& vanishes) {
  for (const std::vector<int>& object : objects_of(width, height, samples, connectivity))
    if (vanishes(object))
      for (const int p : object) samples[std::size_t(p)] = T(0);
  return samples;
}

/// Noise of which a share of `percent` is not 0.
template <class T>
std::vector<T> speckles(int width, int height, unsigned percent, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> samples;
  for (int i = 0; i < width * height; ++i) {
    const unsigned r = random();
    samples.push_back(r % 100 < percent ? T(1 + (r >> 8) % 200) : T(0));
  }
  return samples;
}

}  // namespace zp::test

#endif
