// Every pair of bytes, for tests of operations on two images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_OPS_ARITHMETIC_PAIRS_H
#define ZP_TESTS_OPS_ARITHMETIC_PAIRS_H

#include <utility>

#include "support/everywhere.h"

namespace zp::test {

/// Every pair of bytes: a is the column, b the row.
inline std::pair<Image, Image> every_pair() {
  std::pair<Image, Image> pair{Image(Format::u8, 256, 256), Image(Format::u8, 256, 256)};
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      pair.first.as<std::uint8_t>().at(x, y) = std::uint8_t(x);
      pair.second.as<std::uint8_t>().at(x, y) = std::uint8_t(y);
    }
  return pair;
}

template <class Op, class F>
void expect_every_pair(const Op& op, const F& expected) {
  const auto [a, b] = every_pair();
  const Image out = everywhere(op, {&a, &b});
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) ASSERT_EQ(int(out.as<std::uint8_t>().at(x, y)), expected(x, y)) << x << ", " << y;
}

/// One channel of either image serves three channels of the other: as if it were three times the same.
template <class T, class Op>
void expect_one_channel_serves_all(const Op& op) {
  const Image color = noise({19, 7, 3, format_of<T>}), grey = noise({19, 7, 1, format_of<T>}, 2);
  Image tripled({19, 7, 3, format_of<T>});
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 19; ++x)
      for (int c = 0; c < 3; ++c) tripled.as<T>().at(x, y, c) = grey.as<T>().at(x, y);
  const Image second = everywhere(op, {&color, &grey}), first = everywhere(op, {&grey, &color});
  EXPECT_EQ(second.shape(), color.shape());
  EXPECT_EQ(first.shape(), color.shape());
  EXPECT_EQ(hash(second.view()), hash(apply(op, color, tripled).view()));
  EXPECT_EQ(hash(first.view()), hash(apply(op, tripled, color).view()));
}

}  // namespace zp::test

#endif
