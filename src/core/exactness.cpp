// Checks that a compiler flag or a changed control register would fail.
// SPDX-License-Identifier: Apache-2.0
#include "core/exactness.h"

#include <cmath>

#include "zeroplane/error.h"

namespace zp {

std::string arithmetic_fault() {
  volatile float a = 1.0f + 0x1p-12f, c = -1.0f;
  if (a * a + c != 0x1p-11f) return "a * b + c is fused, or not rounded to nearest";
  volatile double d = 1.0 + 0x1p-27, e = -1.0;
  if (d * d + e != 0x1p-26) return "a * b + c in double is fused, or not rounded to nearest";
  volatile float tiny = 0x1p-149f, two = 2.0f, one = 1.0f, three = 3.0f;
  if (tiny * two != 0x1p-148f || tiny * two == 0.0f) return "subnormal numbers are taken for zero";
  if (0x1p-126f / two != 0x1p-127f) return "subnormal results are flushed to zero";
  if (one / three != 0x1.555556p-2f) return "division is not correctly rounded";
  volatile float root = 2.0f;
  if (std::sqrt(root) != 0x1.6a09e6p+0f) return "the square root is not correctly rounded";
  volatile float half = 8388608.0f;
  volatile float tie = 2.5f;
  const float sum = tie + half;
  if (sum - half != 2.0f) return "ties do not round to even";
  return {};
}

void require_exact_arithmetic() {
  static const bool is_exact = [] {
    const std::string fault = arithmetic_fault();
    if (!fault.empty())
      throw Error(ErrorKind::unsupported, "arithmetic of this process is not IEEE 754: " + fault +
                                              "; was it linked with -ffast-math, or built without -ffp-contract=off?");
    return true;
  }();
  (void)is_exact;
}

}  // namespace zp
