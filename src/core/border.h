// What lies outside an image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_BORDER_H
#define ZP_CORE_BORDER_H

#include <string_view>

#include "zeroplane/config.h"

namespace zp {

/// replicate: aaa|abc|ccc; reflect: cba|abc|cba; reflect101: cb|abc|ba; wrap: bc|abc|ab; constant: a given value.
/// Any reach: reflections fold until they are inside, however small the image.
enum class Border : int { replicate, reflect, reflect101, wrap, constant };
inline constexpr std::string_view kBorderNames[] = {"replicate", "reflect", "reflect101", "wrap", "constant"};

/// The index inside [0, n) that stands for i, or -1 where the border is constant and i is outside. n > 0.
ZP_HD int border_index(int i, int n, Border border) {
  if (i >= 0 && i < n) return i;
  switch (border) {
    case Border::replicate:
      return i < 0 ? 0 : n - 1;
    case Border::reflect: {
      const long long period = 2LL * n;
      long long k = i % period;
      if (k < 0) k += period;
      return static_cast<int>(k < n ? k : period - 1 - k);
    }
    case Border::reflect101: {
      if (n == 1) return 0;
      const long long period = 2LL * n - 2;
      long long k = i % period;
      if (k < 0) k += period;
      return static_cast<int>(k < n ? k : period - k);
    }
    case Border::wrap: {
      const int k = i % n;
      return k < 0 ? k + n : k;
    }
    case Border::constant:
      return -1;
  }
  return -1;
}

}  // namespace zp

#endif
