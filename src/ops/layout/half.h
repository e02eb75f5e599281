// IEEE 754 binary16 from f32.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_HALF_H
#define ZP_OPS_LAYOUT_HALF_H

#include <cstdint>

#include "zeroplane/config.h"

namespace zp {

/// The bits of the nearest binary16, half to even; from 65520 up infinity, below 2^-14 a subnormal; every NaN is
/// 0x7e00. Free of branches, so that loops vectorise.
ZP_HD std::uint16_t half_of(float v) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &v, sizeof(bits));
  const std::uint32_t sign = bits >> 16 & 0x8000u, a = bits & 0x7fffffffu;
  constexpr std::uint32_t kInfinity = 0x7f800000u, kOverflow = 0x477ff000u;  // 65520, half an ulp above the largest
  constexpr std::uint32_t kSmallestNormal = 0x38800000u, kHalfBits = 0x3f000000u;
  // Thirteen bits fall off the fraction; the exponent's bias falls from 127 to 15. A carry runs into the exponent.
  const std::uint32_t normal = (a + 0xfffu + (a >> 13 & 1u) - (112u << 23)) >> 13;
  // The ulp of 1/2 is 2^-24, the unit of the subnormals: the sum rounds to it, and its low bits are their number.
  float magnitude;
  __builtin_memcpy(&magnitude, &a, sizeof(magnitude));
  const float sum = (a < kSmallestNormal ? magnitude : 0.0f) + 0.5f;
  std::uint32_t sum_bits;
  __builtin_memcpy(&sum_bits, &sum, sizeof(sum_bits));
  const std::uint32_t finite = a < kSmallestNormal ? sum_bits - kHalfBits : normal;
  const std::uint32_t ordered = a >= kOverflow ? 0x7c00u : finite;
  return static_cast<std::uint16_t>(a > kInfinity ? 0x7e00u : sign | ordered);
}

}  // namespace zp

#endif
