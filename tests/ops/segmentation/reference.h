// Pictures by formula, and regions by a queue, one pixel at a time: what the tests of this family compare with.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_SEGMENTATION_REFERENCE_H
#define ZP_TESTS_OPS_SEGMENTATION_REFERENCE_H

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace zp::test {

/// 32 scattered bits for pixel number i; short enough to be repeated in numpy.
inline std::uint32_t scatter(std::uint32_t i, std::uint32_t seed) {
  std::uint32_t r = i * 2654435761u + seed * 40503u;
  r = (r ^ (r >> 15)) * 2246822519u;
  return r ^ (r >> 13);
}

template <class T>
std::vector<T> scattered(int width, int height, std::uint32_t seed, const std::function<T(std::uint32_t)>& sample) {
  std::vector<T> samples;
  for (int i = 0; i < width * height; ++i) samples.push_back(sample(scatter(std::uint32_t(i), seed)));
  return samples;
}

/// Pixels that allowed steps reach from (x, y), which is among them.
inline std::vector<char> reach(int width, int height, int x, int y, int connectivity,
                               const std::function<bool(int from, int to)>& step) {
  std::vector<char> reached(static_cast<std::size_t>(width * height));
  std::deque<int> queue{y * width + x};
  reached[std::size_t(queue.front())] = 1;
  while (!queue.empty()) {
    const int p = queue.front();
    queue.pop_front();
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int u = p % width + dx, v = p / width + dy, q = v * width + u;
        if (u < 0 || v < 0 || u >= width || v >= height || (connectivity == 4 && dx != 0 && dy != 0)) continue;
        if (reached[std::size_t(q)] || !step(p, q)) continue;
        reached[std::size_t(q)] = 1;
        queue.push_back(q);
      }
  }
  return reached;
}

/// Labels 1..N in raster order, and N.
template <class T>
std::pair<std::vector<std::uint32_t>, std::int64_t> labels_of(int width, int height, const std::vector<T>& samples,
                                                              int connectivity) {
  std::vector<std::uint32_t> labels(samples.size());
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (labels[i] || !(samples[i] != T(0))) continue;
    ++count;
    std::vector<int> stack{int(i)};
    labels[i] = count;
    while (!stack.empty()) {
      const int p = stack.back();
      stack.pop_back();
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int u = p % width + dx, v = p / width + dy;
          if (u < 0 || v < 0 || u >= width || v >= height || (connectivity == 4 && dx != 0 && dy != 0)) continue;
          const std::size_t q = std::size_t(v) * std::size_t(width) + std::size_t(u);
          if (labels[q] || !(samples[q] != T(0))) continue;
          labels[q] = count;
          stack.push_back(int(q));
        }
    }
  }
  return {labels, count};
}

}  // namespace zp::test

#endif
