// Pictures by formula, short enough to be repeated in numpy, and a sum that stands for a whole result.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_CONTRAST_PICTURES_H
#define ZP_TESTS_OPS_CONTRAST_PICTURES_H

#include <cstdint>
#include <vector>

#include "support/everywhere.h"

namespace zp::test {

/// 32 scattered bits for pixel number i.
inline std::uint32_t scatter(std::uint32_t i, std::uint32_t seed) {
  std::uint32_t r = i * 2654435761u + seed * 40503u;
  r = (r ^ (r >> 15)) * 2246822519u;
  return r ^ (r >> 13);
}

/// A slope with noise.
template <class T>
std::vector<T> slope(int width, int height) {
  std::vector<T> samples;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::uint32_t r = scatter(std::uint32_t(y * width + x), std::uint32_t(width + height));
      if constexpr (sizeof(T) == 1)
        samples.push_back(T((x * 3 + y * 2) / 4 % 200 + int(r >> 27)));
      else
        samples.push_back(T((x * 301 + y * 203) % 50000 + int(r >> 19)));
    }
  return samples;
}

/// Bright blocks on a dark ground, with noise.
template <class T>
std::vector<T> blocks(int width, int height) {
  std::vector<T> samples;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::uint32_t r = scatter(std::uint32_t(y * width + x), 3);
      const int n = int(r >> 27) + int(r >> 10 & 31), v = (x / 20 + y / 15) % 3 == 0 ? 150 + n : 20 + n / 2;
      samples.push_back(sizeof(T) == 1 ? T(v) : T(v * 211 + int(r >> 3 & 127)));
    }
  return samples;
}

/// Sum of sample * (index % 65521 + 1).
template <class T>
std::uint64_t weighted_sum(const std::vector<T>& samples) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) sum += samples[i] * (i % 65521 + 1);
  return sum;
}

}  // namespace zp::test

#endif
