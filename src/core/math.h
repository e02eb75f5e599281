// Transcendental functions that give the same bits on every machine: only + - * /, selects and the layout of IEEE 754.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_MATH_H
#define ZP_CORE_MATH_H

#include <cstdint>

#include "zeroplane/config.h"

/// For f32: at most 1 ulp from the exact value everywhere, denormals included (computed in double, rounded once).
/// Special values as C's exp, log and pow. A NaN result is always the same quiet NaN. Free of branches, so that loops
/// vectorise.
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

/// e^t of which f32 is the range: infinity above, 0 far below its denormals.
ZP_HD double exp_of_f32(double t) {
  const double v = exp_core(t < -200.0 ? -200.0 : (t > 200.0 ? 200.0 : t));
  const double bounded = v > 3.4028235677973366e38 ? double(kInfinity) : v;  // half an ulp above the largest f32
  return t != t ? double(kNan) : bounded;
}

}  // namespace detail

// Selects stand on double throughout: one width of mask, or loops do not vectorise.

/// e^x.
ZP_HD float exp(float x) { return static_cast<float>(detail::exp_of_f32(static_cast<double>(x))); }

/// Natural logarithm: -infinity for 0, NaN below.
ZP_HD float log(float x) {
  const double v = x, infinity = static_cast<double>(kInfinity);
  const bool is_ordinary = (v > 0.0) & (v < infinity);
  const double ordinary = detail::log_core(is_ordinary ? v : 1.0);
  const double other = v == 0.0 ? -infinity : (v > 0.0 ? infinity : double(kNan));
  return static_cast<float>(is_ordinary ? ordinary : other);
}

/// x^y with C's rules: pow(x, 0) = pow(1, y) = 1 even for NaN; a negative x takes integers y only.
ZP_HD float pow(float x, float y) {
  const double v = x, w = y, infinity = static_cast<double>(kInfinity);
  const double a = v < 0.0 ? -v : v, b = w < 0.0 ? -w : w;
  const bool is_ordinary = (a > 0.0) & (a < infinity);
  const double log_ordinary = detail::log_core(is_ordinary ? a : 1.0);
  const double log_other = a == 0.0 ? -infinity : a;  // infinity or NaN
  const double product = w * (is_ordinary ? log_ordinary : log_other);
  const bool is_one = (a == 1.0) & (b == infinity);  // the product is NaN, (-1)^infinity is 1
  const double magnitude = detail::exp_of_f32(is_one ? 0.0 : product);
  // Adding 2^52 rounds to an integer; an f32 that large is an even integer.
  constexpr double kLarge = 4503599627370496.0;
  const double bounded = b < kLarge ? b : kLarge, half = bounded * 0.5;
  const bool is_integer = ((b + kLarge) - kLarge == b) | (b >= kLarge);
  const bool is_odd = is_integer & ((half + kLarge) - kLarge != half);
  const bool is_negative = (detail::bits_of(v) >> 63) != 0;
  const bool is_minus = is_negative & is_odd, is_nan = (v < 0.0) & (a < infinity) & !is_integer;
  const double signed_value = is_minus ? -magnitude : magnitude;
  const double value = is_nan ? double(kNan) : signed_value;
  const bool is_exactly_one = (w == 0.0) | (v == 1.0);
  return static_cast<float>(is_exactly_one ? 1.0 : value);
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
