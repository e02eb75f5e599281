// Indices outside an image: each border against a walk that turns around, any reach.
// SPDX-License-Identifier: Apache-2.0
#include "core/border.h"

#include <gtest/gtest.h>

#include <climits>

namespace zp {
namespace {

/// Walks from 0 to i one step at a time, turning or jumping where the image ends.
int walked(int i, int n, Border border) {
  int at = 0, direction = i < 0 ? -1 : 1;
  for (int k = 0; k != i; k += i < 0 ? -1 : 1) {
    const int next = at + direction;
    if (next >= 0 && next < n) {
      at = next;
      continue;
    }
    switch (border) {
      case Border::replicate:
        break;
      case Border::constant:
        return -1;
      case Border::wrap:
        at = next < 0 ? n - 1 : 0;
        break;
      case Border::reflect:
        direction = -direction;
        break;
      case Border::reflect101:
        direction = -direction;
        if (n > 1) at += direction;
        break;
    }
  }
  return at;
}

TEST(Border, agrees_with_a_walk) {
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap, Border::constant})
    for (int n = 1; n <= 7; ++n)
      for (int i = -40; i <= 40; ++i)
        EXPECT_EQ(border_index(i, n, border), walked(i, n, border))
            << kBorderNames[int(border)] << " " << i << " of " << n;
}

TEST(Border, inside_is_inside) {
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap, Border::constant})
    for (int i = 0; i < 5; ++i) EXPECT_EQ(border_index(i, 5, border), i);
}

TEST(Border, the_farthest_indices_stay_inside) {
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
    for (const int n : {1, 2, 3, 1000, INT_MAX - 1, INT_MAX})
      for (const int i : {INT_MIN, INT_MIN + 1, INT_MAX - 1, INT_MAX}) {
        const int k = border_index(i, n, border);
        EXPECT_TRUE(k >= 0 && k < n) << kBorderNames[int(border)] << " " << i << " of " << n;
      }
  // Two periods of 2n - 2 = 1998 and of 2n = 2000 by hand: 4000 = 2 * 1998 + 4, and 2 * 2000 + 0.
  EXPECT_EQ(border_index(4000, 1000, Border::reflect101), 4);
  EXPECT_EQ(border_index(4000, 1000, Border::reflect), 0);
  EXPECT_EQ(border_index(-4001, 1000, Border::reflect), 0);
}

}  // namespace
}  // namespace zp
