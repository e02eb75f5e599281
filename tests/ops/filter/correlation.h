// Correlation in double over a walking reader of borders, and what several filters are tested for alike.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_FILTER_CORRELATION_H
#define ZP_TESTS_OPS_FILTER_CORRELATION_H

#include <functional>
#include <thread>

#include "ops/filter/pictures.h"

namespace zp::test {

/// The sum of kernel (width x height) * samples, its (ax, ay) on the pixel itself.
template <class T>
double correlation(const Reader<T>& in, int x, int y, int c, const std::vector<double>& kernel, int width, int ax,
                   int ay) {
  double sum = 0;
  for (std::size_t k = 0; k < kernel.size(); ++k)
    sum += kernel[k] * double(in.at(x + int(k) % width - ax, y + int(k) / width - ay, c));
  return sum;
}

/// Calls check(x, y, c) for every sample of an image.
inline void for_each_sample(const Image& image, const std::function<void(int, int, int)>& check) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      for (int c = 0; c < image.channels(); ++c) check(x, y, c);
}

/// A rectangle of a larger image gives what it gives alone, and nothing beside the target is written.
template <class T, class U, class Op>
void expect_rectangles_as_images(const Op& op) {
  for (const Place& place : places()) {
    const At at(place);
    const Image parent = noise({40, 30, 3, format_of<T>}, 3);
    const View<const T> from = parent.as<T>().sub(5, 7, 21, 17);
    Image cut(format_of<T>, 21, 17, 3), target(format_of<U>, 50, 40, 3);
    for (int y = 0; y < 17; ++y) std::memcpy(cut.as<T>().row(y), from.row(y), 63 * sizeof(T));
    std::memset(target.data(), 0x2B, target.bytes());
    const Image expected = apply(op, cut), untouched = target.clone();
    apply(op, from, target.as<U>().sub(9, 11, 21, 17));
    for_each_sample(target, [&](int x, int y, int c) {
      const bool inside = x >= 9 && x < 30 && y >= 11 && y < 28;
      ASSERT_EQ(target.as<U>().at(x, y, c),
                inside ? expected.as<U>().at(x - 9, y - 11, c) : untouched.as<U>().at(x, y, c))
          << place.text() << ' ' << x << ' ' << y;
    });
  }
}

/// Two operations in two threads, many times: neither sees the other's weights.
template <class Op>
void expect_independent(const Op& first, const Op& second, const Image& image) {
  for (const Place& place : places()) {
    const At at(place);
    const Op* ops[] = {&first, &second};
    const std::uint64_t expected[] = {hash(apply(first, image).view()), hash(apply(second, image).view())};
    EXPECT_NE(expected[0], expected[1]);
    std::vector<int> wrong(2, 0);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < 2; ++k)
      threads.emplace_back([&, k] {
        const ExecutorScope scope(place.executor);
        for (int round = 0; round < 200; ++round) wrong[k] += hash(apply(*ops[k], image).view()) != expected[k];
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, (std::vector<int>{0, 0})) << place.text();
  }
}

}  // namespace zp::test

#endif
