// Transcendental functions that give the same bits on every machine: only + - * /, selects and the layout of IEEE 754.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_MATH_H
#define ZP_CORE_MATH_H

#include <cstdint>

#include "zeroplane/config.h"

/// For f32: at most 1 ulp from the exact value everywhere, denormals included (computed in double, rounded once).
/// Special values and signs of zeros as C's functions of the same names; angles in radians, of any size. A NaN result
/// is always the same quiet NaN. Free of branches, so that loops vectorise (with GCC 12 all but those of sin and cos).
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

// The bits of 2 / pi behind the binary point, after a word of zeros for the angles that need all of them.
inline constexpr std::uint64_t kTwoOverPi0 = 0, kTwoOverPi1 = 0xa2f9836e4e441529u, kTwoOverPi2 = 0xfc2757d1f534ddc0u,
                               kTwoOverPi3 = 0xdb6295993c439041u, kTwoOverPi4 = 0xfe5163abdebbc561u;
inline constexpr double kHalfPi = 0x1.921fb54442d18p+0, kPi = 2 * kHalfPi;

/// a = quarter * pi / 2 + rest, |rest| <= pi / 4, of which only the last two bits of `quarter` count.
struct Angle {
  std::uint64_t quarter;
  double rest;
};

/// For an f32 a >= 0.5 (Payne and Hanek 1983): a * 2 / pi modulo 4 from the 96 bits of 2 / pi that matter. The error is
/// below 2^-60, and no f32 lies within 2^-30 quarters of a multiple of pi / 2.
ZP_HD Angle reduced(double a) {
  const std::uint64_t b = bits_of(a), m = ((b >> 29) & 0x7fffff) | 0x800000;
  // a = m * 2^(e - 1046), and the bits before bit e - 1047 of 2 / pi make multiples of 4; 63 is the first one's place.
  const std::uint64_t first = (b >> 52) - 984, word = first >> 6, shift = first & 63;
  const std::uint64_t w0 = word == 0 ? kTwoOverPi0 : (word == 1 ? kTwoOverPi1 : kTwoOverPi2);
  const std::uint64_t w1 = word == 0 ? kTwoOverPi1 : (word == 1 ? kTwoOverPi2 : kTwoOverPi3);
  const std::uint64_t w2 = word == 0 ? kTwoOverPi2 : (word == 1 ? kTwoOverPi3 : kTwoOverPi4);
  const std::uint64_t high = (w0 << shift) | ((w1 >> 1) >> (63 - shift));
  const std::uint64_t low = (w1 << shift) | ((w2 >> 1) >> (63 - shift));
  // Quarters of a turn times 2^62, modulo 4 of them.
  const std::uint64_t turn = ((m * (high >> 32)) << 32) + m * (high & 0xffffffff) + ((m * (low >> 32)) >> 32);
  const std::uint64_t quarter = (turn + (std::uint64_t(1) << 61)) >> 62;
  // The rest, a signed integer, to double: its halves in the low bits of 2^84 and 2^52.
  const std::uint64_t rest = turn - (quarter << 62) + (std::uint64_t(1) << 63);
  const double upper = double_of((rest >> 32) | 0x4530000000000000u);
  const double lower = double_of((rest & 0xffffffff) | 0x4330000000000000u);
  constexpr double kOffset = 0x1p84 + 0x1p63 + 0x1p52;
  return {quarter, ((upper - kOffset) + lower) * (kHalfPi * 0x1p-62)};
}

/// sin r for |r| <= pi / 4 by its series; the first term left out is below 1e-16 of the result.
ZP_HD double sin_series(double r) {
  const double q = r * r;
  double p = -1.0 / 1307674368000.0;
  p = p * q + 1.0 / 6227020800.0;
  p = p * q - 1.0 / 39916800.0;
  p = p * q + 1.0 / 362880.0;
  p = p * q - 1.0 / 5040.0;
  p = p * q + 1.0 / 120.0;
  p = p * q - 1.0 / 6.0;
  return p * q * r + r;
}

/// cos r likewise.
ZP_HD double cos_series(double r) {
  const double q = r * r;
  double p = 1.0 / 20922789888000.0;
  p = p * q - 1.0 / 87178291200.0;
  p = p * q + 1.0 / 479001600.0;
  p = p * q - 1.0 / 3628800.0;
  p = p * q + 1.0 / 40320.0;
  p = p * q - 1.0 / 720.0;
  p = p * q + 1.0 / 24.0;
  p = p * q - 0.5;
  return p * q + 1.0;
}

/// sin(|v| + quarter * pi / 2), NaN for infinities.
ZP_HD double sin_of_f32(double v, std::uint64_t quarter) {
  const double a = v < 0.0 ? -v : v;
  const bool is_large = (a >= 0.5) & (a < static_cast<double>(kInfinity));
  const Angle angle = reduced(is_large ? a : 0.5);
  const double rest = is_large ? angle.rest : (a < 0.5 ? a : 0.0);
  const std::uint64_t turn = (is_large ? angle.quarter : 0) + quarter;
  const double s = sin_series(rest), c = cos_series(rest);
  const double value = (turn & 1) != 0 ? c : s;
  const double signed_value = double_of(bits_of(value) ^ ((turn & 2) << 62));
  return a < static_cast<double>(kInfinity) ? signed_value : double(kNan);
}

/// atan(low / high) for 0 <= low <= high, high > 0 and finite, both f32.
ZP_HD double atan_core(double low, double high) {
  // atan t = atan c + atan((t - c) / (1 + c t)) with the multiple c of 1/4 next to t, and then t <= 1/8.
  const double eighths = 8.0 * low;
  double c = eighths > high ? 0.25 : 0.0, atan_c = eighths > high ? 0x1.f5b75f92c80ddp-3 : 0.0;
  c = eighths > 3.0 * high ? 0.5 : c, atan_c = eighths > 3.0 * high ? 0x1.dac670561bb4fp-2 : atan_c;
  c = eighths > 5.0 * high ? 0.75 : c, atan_c = eighths > 5.0 * high ? 0x1.4978fa3269ee1p-1 : atan_c;
  c = eighths > 7.0 * high ? 1.0 : c, atan_c = eighths > 7.0 * high ? kHalfPi / 2 : atan_c;
  const double t = (low - c * high) / (high + c * low), q = t * t;
  // t - t^3/3 + t^5/5 - ...; the first term left out is below 1e-16 of the result.
  double p = 1.0 / 17.0;
  p = p * q - 1.0 / 15.0;
  p = p * q + 1.0 / 13.0;
  p = p * q - 1.0 / 11.0;
  p = p * q + 1.0 / 9.0;
  p = p * q - 1.0 / 7.0;
  p = p * q + 1.0 / 5.0;
  p = p * q - 1.0 / 3.0;
  return atan_c + (p * q * t + t);
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

/// Cube root, of negative x too.
ZP_HD float cbrt(float x) {
  const double v = x, infinity = static_cast<double>(kInfinity), a = v < 0.0 ? -v : v;
  const bool is_ordinary = (a > 0.0) & (a < infinity);
  const double w = is_ordinary ? a : 1.0;
  // A third of the exponent: within 3.3 percent of the root. Each of Halley's steps cubes the error: 3e-5, then 1e-14.
  constexpr std::uint64_t kThird = 0x55555556, kOffset = 0x2a9f7893;
  double t = detail::double_of(((((detail::bits_of(w) >> 32) * kThird) >> 32) + kOffset) << 32);
  const double t0 = t * t * t;
  t = t * ((t0 + 2.0 * w) / (2.0 * t0 + w));
  const double t1 = t * t * t;
  t = t * ((t1 + 2.0 * w) / (2.0 * t1 + w));
  const double signed_root = v < 0.0 ? -t : t;
  const double other = v == v ? v : double(kNan);
  return static_cast<float>(is_ordinary ? signed_root : other);
}

/// sin x, x in radians.
ZP_HD float sin(float x) {
  const double v = x;
  const double value = detail::sin_of_f32(v, 0);
  const std::uint64_t sign = detail::bits_of(v) & (std::uint64_t(1) << 63);
  const double signed_value = detail::double_of(detail::bits_of(value) ^ sign);
  return static_cast<float>(value == value ? signed_value : double(kNan));
}

/// cos x, x in radians.
ZP_HD float cos(float x) { return static_cast<float>(detail::sin_of_f32(static_cast<double>(x), 1)); }

/// Angle of the point (x, y), in radians from -pi to pi.
ZP_HD float atan2(float y, float x) {
  const double v = x, w = y, infinity = static_cast<double>(kInfinity);
  const double a = v < 0.0 ? -v : v, b = w < 0.0 ? -w : w;
  const bool is_steep = b > a;
  const double low = is_steep ? a : b, high = is_steep ? b : a;
  const bool is_ordinary = (high > 0.0) & (high < infinity);
  // No length: as along x. An infinite one: along its axis, or the diagonal.
  const double other = low == infinity ? 1.0 : 0.0;
  const double angle = detail::atan_core(is_ordinary ? low : other, is_ordinary ? high : 1.0);
  const double from_x = is_steep ? detail::kHalfPi - angle : angle;
  const std::uint64_t sign = std::uint64_t(1) << 63;
  const double half_plane = (detail::bits_of(v) & sign) != 0 ? detail::kPi - from_x : from_x;
  const double value = detail::double_of(detail::bits_of(half_plane) | (detail::bits_of(w) & sign));
  return static_cast<float>((v == v) & (w == w) ? value : double(kNan));
}

/// Natural logarithm in double within 1e-15 of the result: -infinity for 0, NaN below.
ZP_HD double log(double x) {
  const double infinity = static_cast<double>(kInfinity);
  const bool is_ordinary = (x > 0.0) & (x < infinity), is_denormal = x < 0x1p-1022;
  // Denormals through a factor of 2^54, taken off again.
  const double scaled = is_denormal ? x * 0x1p54 : x, shift = is_denormal ? 54.0 : 0.0;
  const double core = detail::log_core(is_ordinary ? scaled : 1.0);
  const double ordinary = (core - shift * detail::kLn2High) - shift * detail::kLn2Low;
  const double other = x == 0.0 ? -infinity : (x > 0.0 ? infinity : double(kNan));
  return is_ordinary ? ordinary : other;
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
