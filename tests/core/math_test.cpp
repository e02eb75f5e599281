// Transcendental functions against long double references, and their special values.
// SPDX-License-Identifier: Apache-2.0
#include "core/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

namespace zp {
namespace {

constexpr float kInf = math::kInfinity, kNaN = math::kNan;

float float_of(std::uint32_t bits) {
  float v;
  std::memcpy(&v, &bits, sizeof(v));
  return v;
}
std::uint32_t bits_of(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  return bits;
}

/// Distance from the exact value in units of the last place of f32; huge where the kind of value is wrong.
double ulps(float got, long double exact) {
  constexpr double kWrong = 1e9;
  if (std::isnan(exact)) return std::isnan(got) ? 0 : kWrong;
  const bool overflows = std::fabs(exact) > 3.4028235677973366e38L;
  if (overflows || std::isinf(got)) return std::isinf(got) && overflows && (got > 0) == (exact > 0) ? 0 : kWrong;
  int exponent;
  std::frexp(exact, &exponent);
  return double(std::fabs(static_cast<long double>(got) - exact) / std::ldexp(1.0L, std::max(exponent - 24, -149)));
}

struct Worst {
  double error = 0;
  float x = 0, y = 0;
  void see(double e, float a, float b = 0) {
    if (e > error) *this = {e, a, b};
  }
};

// The contract allows 2 ulp; computed in double and rounded once, the error stays within a hair of half an ulp.
constexpr double kAllowed = 0.501;

TEST(Math, exp_and_log_are_rounded_values_over_all_of_f32) {
  Worst exp_worst, log_worst;
  for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32); bits += 1499) {
    const float x = float_of(std::uint32_t(bits));
    exp_worst.see(ulps(math::exp(x), std::exp(static_cast<long double>(x))), x);
    log_worst.see(ulps(math::log(x), std::log(static_cast<long double>(x))), x);
  }
  // Dense where results are ordinary: around 1 for the logarithm, -110 to 90 for the exponential.
  for (int i = 0; i < 400000; ++i) {
    const float x = float(-110 + 200.0 * i / 400000), z = float_of(0x3f700000u + std::uint32_t(i) * 5);
    exp_worst.see(ulps(math::exp(x), std::exp(static_cast<long double>(x))), x);
    log_worst.see(ulps(math::log(z), std::log(static_cast<long double>(z))), z);
  }
  std::printf("worst exp %.4f ulp at %a, log %.4f ulp at %a\n", exp_worst.error, exp_worst.x, log_worst.error,
              log_worst.x);
  EXPECT_LE(exp_worst.error, kAllowed) << exp_worst.x;
  EXPECT_LE(log_worst.error, kAllowed) << log_worst.x;
}

TEST(Math, pow_is_a_rounded_value_over_all_of_f32) {
  Worst worst;
  std::mt19937 random(7);
  const auto see = [&](float x, float y) {
    worst.see(ulps(math::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))), x, y);
  };
  for (int i = 0; i < 700000; ++i) {
    see(float_of(random()), float_of(random()));
    const float unit = float(random()) / 4294967296.0f, exponent = (float(random()) / 4294967296.0f - 0.5f) * 16;
    see(unit, exponent);
    see(float_of(random()), exponent);
    see(float_of(random()), std::rint(exponent));
    see(float_of(random() & 0x807fffffu), exponent);  // denormals
  }
  for (const float y : {2.0f, 0.5f, 1 / 2.2f, 2.4f, 1 / 2.4f, 1 / 3.0f, -1.0f, 3.0f})
    for (int i = 0; i <= 65535; ++i) see(float(i) / 65535, y);
  std::printf("worst pow %.4f ulp at %a ^ %a\n", worst.error, worst.x, worst.y);
  EXPECT_LE(worst.error, kAllowed) << worst.x << " ^ " << worst.y;
}

/// Every 1499th pattern: each exponent of either sign 5596 times.
template <class F>
void over_all_of_f32(const F& f) {
  for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32); bits += 1499) f(float_of(std::uint32_t(bits)));
}

TEST(Math, cbrt_sin_and_cos_are_rounded_values_over_all_of_f32) {
  Worst cbrt_worst, sin_worst, cos_worst;
  const auto see = [&](float x) {
    const auto v = static_cast<long double>(x);
    cbrt_worst.see(ulps(math::cbrt(x), std::cbrt(v)), x);
    // std::sin refuses infinities with a NaN, as ours.
    sin_worst.see(ulps(math::sin(x), std::sin(v)), x);
    cos_worst.see(ulps(math::cos(x), std::cos(v)), x);
  };
  over_all_of_f32(see);
  for (int i = 0; i < 200000; ++i) see(float(-110 + 220.0 * i / 200000));
  // Next to multiples of pi / 2 one of sin and cos is as small as f32 lets it be.
  for (int i = 1; i < 200000; ++i) {
    const auto x = float(1.57079632679489661923 * i);
    for (const float near : {std::nextafter(x, 0.0f), x, std::nextafter(x, kInf)}) see(near);
  }
  // The nearest of all, from the continued fractions of 2^k / pi.
  for (int exponent = -23; exponent < 105; ++exponent)
    for (const float m : {16367173.0f, 10741887.0f, 16573937.0f, 10057457.0f, 11617958.0f, 9012376.0f, 14173733.0f})
      see(std::ldexp(m, exponent));
  std::printf("worst cbrt %.4f ulp at %a, sin %.4f ulp at %a, cos %.4f ulp at %a\n", cbrt_worst.error, cbrt_worst.x,
              sin_worst.error, sin_worst.x, cos_worst.error, cos_worst.x);
  EXPECT_LE(cbrt_worst.error, kAllowed) << cbrt_worst.x;
  EXPECT_LE(sin_worst.error, kAllowed) << sin_worst.x;
  EXPECT_LE(cos_worst.error, kAllowed) << cos_worst.x;
}

TEST(Math, atan2_is_a_rounded_value_over_all_of_f32) {
  Worst worst;
  std::mt19937 random(11);
  const auto see = [&](float y, float x) {
    worst.see(ulps(math::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))), y, x);
  };
  over_all_of_f32([&](float v) {
    see(v, 1);
    see(-1, v);
    see(v, float_of(random()));
  });
  for (int i = 0; i < 700000; ++i) {
    const float unit = float(random()) / 4294967296.0f;
    see(unit, float(random()) / 4294967296.0f - 0.5f);
    see(float_of(random() & 0x807fffffu), float_of(random() & 0x807fffffu));  // denormals
  }
  for (int y = -300; y <= 300; ++y)
    for (int x = -300; x <= 300; ++x) see(float(y), float(x));
  std::printf("worst atan2 %.4f ulp at %a, %a\n", worst.error, worst.x, worst.y);
  EXPECT_LE(worst.error, kAllowed) << worst.x << ", " << worst.y;
}

TEST(Math, special_values_of_cbrt_sin_and_cos) {
  const auto same = [](float got, float want) { EXPECT_EQ(bits_of(got), bits_of(want)) << got << " " << want; };
  for (const float zero : {0.0f, -0.0f}) {
    same(math::cbrt(zero), zero);
    same(math::sin(zero), zero);
    same(math::cos(zero), 1);
  }
  for (const float x : {kInf, -kInf}) {
    same(math::cbrt(x), x);
    same(math::sin(x), kNaN);
    same(math::cos(x), kNaN);
  }
  for (const float x : {kNaN, -kNaN}) {
    same(math::cbrt(x), kNaN);
    same(math::sin(x), kNaN);
    same(math::cos(x), kNaN);
  }
  for (int i = -200; i <= 200; ++i) same(math::cbrt(float(i * i * i)), float(i));
  same(math::sin(float_of(1)), float_of(1));
  same(math::sin(-float_of(1)), -float_of(1));
  same(math::cbrt(std::ldexp(1.0f, -147)), std::ldexp(1.0f, -49));
  // mpmath with 600 bits: -1.6147697982476e-9, the f32 that comes nearest to a multiple of pi / 2.
  same(math::cos(std::ldexp(16367173.0f, 72)), -0x1.bbdd52p-30f);
}

// The table of C23, F.10.1.4.
TEST(Math, special_values_of_atan2) {
  const auto same = [](float y, float x, double want) {
    EXPECT_EQ(bits_of(math::atan2(y, x)), bits_of(float(want))) << y << ", " << x;
  };
  constexpr double kPi = 3.14159265358979323846;
  for (const int sign : {1, -1}) {
    const float zero = sign > 0 ? 0.0f : -0.0f, infinity = float(sign) * kInf, one = float(sign);
    same(zero, -0.0f, sign * kPi);
    same(zero, 0.0f, static_cast<double>(zero));
    for (const float x : {-1e-45f, -1.0f, -kInf}) same(zero, x, sign * kPi);
    for (const float x : {1e-45f, 1.0f, kInf}) same(zero, x, static_cast<double>(zero));
    for (const float x : {0.0f, -0.0f}) same(one, x, sign * kPi / 2);
    same(one, -kInf, sign * kPi);
    same(one, kInf, static_cast<double>(zero));
    for (const float x : {-3.0f, 0.0f, 3.4e38f}) same(infinity, x, sign * kPi / 2);
    same(infinity, -kInf, sign * 3 * kPi / 4);
    same(infinity, kInf, sign * kPi / 4);
    same(one, 1, sign * kPi / 4);
    same(one, -1, sign * 3 * kPi / 4);
  }
  for (const float v : {0.0f, 1.0f, -kInf, kNaN}) {
    same(kNaN, v, std::nan(""));
    same(v, -kNaN, std::nan(""));
  }
  same(float_of(1), 3.4e38f, 0);
  same(-float_of(1), 2, -0.0);
}

TEST(Math, log_in_double) {
  double worst = 0, at = 0;
  std::mt19937_64 random(5);
  for (int i = 0; i < 1000000; ++i) {
    const std::uint64_t bits = random() % 0x7ff0000000000000u;
    double x;
    std::memcpy(&x, &bits, sizeof(x));
    if (i % 3 == 0) x = 0.5 + double(random() >> 11) / 9007199254740992.0;
    if (i % 3 == 1) x = x * 0x1p-1060;  // many denormals
    if (x == 0.0 || x == 1.0) continue;
    const long double exact = std::log(static_cast<long double>(x));
    const double error = double(std::fabs((math::log(x) - exact) / exact));
    if (error > worst) worst = error, at = x;
  }
  std::printf("worst log in double %.3g of the result at %g\n", worst, at);
  EXPECT_LE(worst, 1e-15) << at;
  EXPECT_EQ(math::log(1.0), 0.0);
  EXPECT_EQ(math::log(0.0), -static_cast<double>(kInf));
  EXPECT_EQ(math::log(static_cast<double>(kInf)), static_cast<double>(kInf));
  EXPECT_TRUE(std::isnan(math::log(-1.0)));
  EXPECT_TRUE(std::isnan(math::log(std::nan(""))));
}

TEST(Math, special_values_of_exp_and_log) {
  EXPECT_EQ(math::exp(0.0f), 1.0f);
  EXPECT_EQ(math::exp(kInf), kInf);
  EXPECT_EQ(math::exp(-kInf), 0.0f);
  EXPECT_EQ(math::exp(88.73f), kInf);
  EXPECT_LT(math::exp(88.72f), kInf);
  EXPECT_EQ(math::exp(-103.0f), float_of(1));  // e^-103 = 1.85e-45, the smallest denormal is 1.40e-45
  EXPECT_EQ(math::exp(-104.0f), 0.0f);
  EXPECT_EQ(bits_of(math::exp(kNaN)), 0x7fc00000u);
  EXPECT_EQ(bits_of(math::exp(-kNaN)), 0x7fc00000u);
  EXPECT_EQ(bits_of(math::log(1.0f)), 0u);
  EXPECT_EQ(math::log(0.0f), -kInf);
  EXPECT_EQ(math::log(-0.0f), -kInf);
  EXPECT_EQ(math::log(kInf), kInf);
  for (const float x : {-1.0f, -1e-45f, -kInf, kNaN}) EXPECT_EQ(bits_of(math::log(x)), 0x7fc00000u) << x;
}

// The table of C23, F.10.4.4.
TEST(Math, special_values_of_pow) {
  const auto same = [](float x, float y, float want) {
    EXPECT_EQ(bits_of(math::pow(x, y)), bits_of(want)) << x << " ^ " << y;
  };
  for (const float x : {0.0f, -0.0f}) {
    const float negative_zero_kept = x;
    same(x, 3, negative_zero_kept);
    same(x, 2, 0);
    same(x, 2.5f, 0);
    same(x, kInf, 0);
    same(x, -3, std::copysign(kInf, x));
    same(x, -2, kInf);
    same(x, -0.5f, kInf);
    same(x, -kInf, kInf);
  }
  same(-1, kInf, 1);
  same(-1, -kInf, 1);
  for (const float y : {0.0f, 5.0f, -kInf, kInf, kNaN}) same(1, y, 1);
  for (const float x : {0.0f, 1.0f, -2.0f, kInf, -kInf, kNaN}) {
    same(x, 0.0f, 1);
    same(x, -0.0f, 1);
  }
  same(-2, 0.5f, kNaN);
  same(-2, 3, -8);
  same(-2, 4, 16);
  same(-2, -1, -0.5f);
  same(-3, 16777217.0f, kInf);  // 16777217 is no f32: the exponent is 16777216, which is even
  same(-3, 16777215.0f, -kInf);
  same(0.5f, -kInf, kInf);
  same(2, -kInf, 0);
  same(0.5f, kInf, 0);
  same(2, kInf, kInf);
  same(-kInf, -3, -0.0f);
  same(-kInf, -2, 0);
  same(-kInf, -2.5f, 0);
  same(-kInf, 3, -kInf);
  same(-kInf, 2.5f, kInf);
  same(kInf, -1, 0);
  same(kInf, 0.1f, kInf);
  same(kNaN, 1, kNaN);
  same(2, kNaN, kNaN);
}

TEST(Math, exp_in_double_serves_filter_weights) {
  double worst = 0, at = 0;
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000000; ++i) {
    const double x = (double(random() >> 11) / 9007199254740992.0 - 0.5) * (i % 2 ? 1416 : 60);
    const long double exact = std::exp(static_cast<long double>(x));
    if (exact < 2.3e-308L) continue;
    const double error = double(std::fabs(math::exp(x) - exact) / exact);
    if (error > worst) worst = error, at = x;
  }
  std::printf("worst exp in double %.3g of the result at %g\n", worst, at);
  EXPECT_LE(worst, 1e-15) << at;
  EXPECT_EQ(math::exp(0.0), 1.0);
  EXPECT_EQ(math::exp(-0.5), 0x1.368b2fc6f960ap-1);  // 0.606530659712633423603799...
  EXPECT_EQ(math::exp(-745.0), 4.9406564584124654e-324);
  EXPECT_EQ(math::exp(-1e300), 0.0);
  EXPECT_EQ(math::exp(710.0), static_cast<double>(kInf));
  EXPECT_TRUE(std::isnan(math::exp(std::nan(""))));
}

}  // namespace
}  // namespace zp
