// Float to sample: the one helper that every operation rounds with.
// SPDX-License-Identifier: Apache-2.0
#include "core/pixel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace zp {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// NaN -> 0, clamp, half to even, by the floating-point environment's rounding in long double.
template <class T>
T reference(float v) {
  if (std::isnan(v)) return 0;
  const long double top = std::numeric_limits<T>::max(), x = v;
  return static_cast<T>(std::nearbyint(x < 0 ? 0.0L : x > top ? top : x));
}

template <class T>
void expect_reference() {
  std::mt19937 random(5);
  for (int i = 0; i < 1000000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float v;
    std::memcpy(&v, &bits, sizeof(v));
    ASSERT_EQ(to_sample<T>(v), reference<T>(v)) << v;
  }
  // Halves, their neighbours, and the surroundings of the powers of two where f32 loses fractions and integers.
  for (const double base : {0.0, 254.0, 255.0, 256.0, 4095.0, 65534.0, 65535.0, 65536.0, 8388606.0, 8388607.0,
                            8388608.0, 16777215.0, 16777216.0, 2147483648.0, 4294967040.0, 4294967296.0})
    for (const double step : {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5}) {
      const auto v = static_cast<float>(base + step);
      for (const float w : {std::nextafter(v, -kInf), v, std::nextafter(v, kInf)})
        ASSERT_EQ(to_sample<T>(w), reference<T>(w)) << w;
    }
  EXPECT_EQ(to_sample<T>(std::nanf("")), 0u);
  EXPECT_EQ(to_sample<T>(-std::nanf("")), 0u);
  EXPECT_EQ(to_sample<T>(kInf), std::numeric_limits<T>::max());
  EXPECT_EQ(to_sample<T>(-kInf), 0u);
  EXPECT_EQ(to_sample<T>(-0.0f), 0u);
  EXPECT_EQ(to_sample<T>(0.5f), 0u);
  EXPECT_EQ(to_sample<T>(1.5f), 2u);
  EXPECT_EQ(to_sample<T>(2.5f), 2u);
}

TEST(Pixel, to_sample_of_u8) { expect_reference<std::uint8_t>(); }
TEST(Pixel, to_sample_of_u16) { expect_reference<std::uint16_t>(); }
TEST(Pixel, to_sample_of_u32) { expect_reference<std::uint32_t>(); }

TEST(Pixel, to_sample_of_f32_is_the_value_itself) {
  EXPECT_EQ(to_sample<float>(1e30f), 1e30f);
  EXPECT_TRUE(std::signbit(to_sample<float>(-0.0f)));
  EXPECT_TRUE(std::isnan(to_sample<float>(std::nanf(""))));
}

TEST(Pixel, selection_keeps_the_first_of_what_is_not_ordered) {
  const float nan = std::nanf("");
  EXPECT_EQ(smaller(1.0f, 2.0f), 1.0f);
  EXPECT_EQ(larger(1.0f, 2.0f), 2.0f);
  EXPECT_TRUE(std::isnan(smaller(nan, 1.0f)));
  EXPECT_EQ(smaller(1.0f, nan), 1.0f);
  EXPECT_TRUE(std::isnan(larger(nan, 1.0f)));
  EXPECT_EQ(larger(1.0f, nan), 1.0f);
  EXPECT_FALSE(std::signbit(smaller(0.0f, -0.0f)));
  EXPECT_TRUE(std::isnan(clamped(nan, 0.0f, 1.0f)));
  EXPECT_EQ(clamped(5, 0, 3), 3);
  EXPECT_EQ(clamped(-5, 0, 3), 0);
  EXPECT_EQ(clamped(2, 0, 3), 2);
}

TEST(Pixel, automatic_is_told_from_every_number) {
  EXPECT_TRUE(is_automatic(kAutomatic));
  for (const float v : {0.0f, -1.0f, kInf, -kInf}) EXPECT_FALSE(is_automatic(v));
}

}  // namespace
}  // namespace zp
