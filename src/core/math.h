// Transcendental functions that give the same bits on every machine: only + - * /, selects and the layout of IEEE 754.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_MATH_H
#define ZP_CORE_MATH_H

#include <cstdint>

#include "zeroplane/config.h"

/// For f32: at most 1 ulp from the exact value everywhere, denormals included (computed in double, rounded once). Special
/// values as C's exp, log and pow. A NaN result is always the same quiet NaN. Free of branches, so that loops vectorise.
namespace zp::math {

inline constexpr float kInfinity = __builtin_inff();
inline constexpr float kNan = __builtin_nanf("");

namespace detail {

// Adding 1.5 * 2^52 rounds a double to an integer, half to even, and leaves that integer in the low bits.
inline constexpr double kRounding = 6755399441055744.0;
inline constexpr std::uint64_t kRoundingBits = 0x4338000000000000u;
inline constexpr std::uint64_t kOneBits = 0x3ff0000000000000u;
// ln 2 in two parts: the product of the first, which ends in 21 zero bits, with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
inline constexpr double kLog2E = 0x1.71547652b82fep+0;

ZP_HD std::uint64_t bits_of(double v) {
  std::uint64_t b;
  __builtin_memcpy(&b, &v, sizeof(b));
  return b;
}
ZP_HD double double_of(std::uint64_t b) {
  double v;
  __builtin_memcpy(&v, &b, sizeof(v));
  return v;
}

/// e^r for |r| <= ln(2) / 2 by its series; the first term left out is below 1e-16 of the result.
ZP_HD double exp_series(double r) {
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  return p * r * r + r + 1.0;
}

/// e^t for |t| < 700; other values of t give values of no meaning.
ZP_HD double exp_core(double t) {
  const double z = t * kLog2E + kRounding;
  const double k = z - kRounding;
  const double r = (t - k * kLn2High) - k * kLn2Low;
  return exp_series(r) * double_of((bits_of(z) << 52) + kOneBits);
}

/// ln v for a positive normal double; other values of v give values of no meaning.
ZP_HD double log_core(double v) {
  // v = 2^k * m with m in [sqrt(1/2), sqrt(2)); the shifts are unsigned because not every CPU has others in vectors.
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcdu, kBias = std::uint64_t(1024) << 52;
  const std::uint64_t b = bits_of(v);
  const std::uint64_t k = ((b - kSqrtHalf + kBias) >> 52) - 1024;
  const double m = double_of(b - (k << 52));
  const double e = double_of(kRoundingBits + k) - kRounding;
  // ln m = 2 atanh(s): s + s^3/3 + s^5/5 + ..., |s| < 0.172; the first term left out is below 1e-16 of the result.
  const double s = (m - 1.0) / (m + 1.0), q = s * s;
  double p = 1.0 / 19.0;
  p = p * q + 1.0 / 17.0;
  p = p * q + 1.0 / 15.0;
  p = p * q + 1.0 / 13.0;
  p = p * q + 1.0 / 11.0;
  p = p * q + 1.0 / 9.0;
  p = p * q + 1.0 / 7.0;
  p = p * q + 1.0 / 5.0;
  p = p * q + 1.0 / 3.0;
  const double log_m = 2.0 * s * (p * q + 1.0);
  return e * kLn2High + (log_m + e * kLn2Low);
}

/// e^t as f32: overflow gives infinity, underflow 0 through the denormals.
ZP_HD float exp_rounded(double t) {
  const double v = exp_core(t < -200.0 ? -200.0 : (t > 200.0 ? 200.0 : t));
  const float r = v > 3.4028235677973366e38 ? kInfinity : static_cast<float>(v);  // half an ulp above the largest f32
  return t != t ? kNan : r;
}

}  // namespace detail

/// e^x.
ZP_HD float exp(float x) { return detail::exp_rounded(static_cast<double>(x)); }

/// Natural logarithm: -infinity for 0, NaN below.
ZP_HD float log(float x) {
  const float inside = x > 0.0f && x < kInfinity ? x : 1.0f;
  const float r = static_cast<float>(detail::log_core(static_cast<double>(inside)));
  return x > 0.0f ? (x < kInfinity ? r : kInfinity) : (x == 0.0f ? -kInfinity : kNan);
}

/// x^y with C's rules: pow(x, 0) = pow(1, y) = 1 even for NaN; a negative x takes integers y only.
ZP_HD float pow(float x, float y) {
  const double xd = x, yd = y;
  const double a = xd < 0.0 ? -xd : xd, b = yd < 0.0 ? -yd : yd;
  const double inside = a > 0.0 && a < static_cast<double>(kInfinity) ? a : 1.0;
  const double infinity = static_cast<double>(kInfinity);
  const double log_a = a != a ? a : (a == 0.0 ? -infinity : (a < infinity ? detail::log_core(inside) : infinity));
  // 0 * infinity is 1^infinity or infinity^0: both are 1.
  const double t = a == 1.0 && y == y ? 0.0 : yd * log_a;
  const float magnitude = detail::exp_rounded(t);
  // Every f32 of 2^53 and more is an even integer, so rounding a smaller one to an integer tells them apart.
  const double whole = b < 4503599627370496.0 ? (b + 4503599627370496.0) - 4503599627370496.0 : b;
  const double half = b * 0.5;
  const double whole_half = half < 4503599627370496.0 ? (half + 4503599627370496.0) - 4503599627370496.0 : half;
  const bool is_integer = whole == b, is_odd = is_integer && whole_half != half;
  const bool is_negative = (detail::bits_of(xd) >> 63) != 0;
  const float signed_value = is_negative && is_odd ? -magnitude : magnitude;
  const float value = x < 0.0f && x > -kInfinity && !is_integer ? kNan : signed_value;
  return y == 0.0f || x == 1.0f ? 1.0f : value;
}

/// e^x in double within 1e-15 of the result, for filter weights.
ZP_HD double exp(double x) {
  const double t = x < -750.0 ? -750.0 : (x > 710.0 ? 710.0 : x);
  const double z = t * detail::kLog2E + detail::kRounding;
  const double k = z - detail::kRounding;
  const double r = (t - k * detail::kLn2High) - k * detail::kLn2Low;
  // Two steps: 2^k itself may be no double.
  const double z1 = k * 0.5 + detail::kRounding, k1 = z1 - detail::kRounding;
  const double z2 = (k - k1) + detail::kRounding;
  const double low = detail::double_of((detail::bits_of(z1) << 52) + detail::kOneBits);
  const double high = detail::double_of((detail::bits_of(z2) << 52) + detail::kOneBits);
  return x != x ? static_cast<double>(kNan) : detail::exp_series(r) * low * high;
}

}  // namespace zp::math

#endif
