// premultiply and unpremultiply: every pair of bytes against rational arithmetic, words, floats, alpha 0.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/premultiply.h"
#include "ops/layout/unpremultiply.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::samples_of;

/// n / d to the nearest integer, half to even.
std::uint64_t nearest(std::uint64_t n, std::uint64_t d) {
  const std::uint64_t q = n / d, twice = 2 * (n % d);
  return q + (twice > d || (twice == d && q % 2 == 1));
}

/// Colours (v, v', v") with every alpha.
template <class T>
Image colors_with_alpha(const std::vector<T>& values, const std::vector<T>& alphas) {
  std::vector<T> samples;
  for (const T v : values)
    for (const T alpha : alphas) samples.insert(samples.end(), {v, T(v / 2), T(v ^ 1), alpha});
  return image_of<T>(int(alphas.size()), int(values.size()), 4, samples);
}

template <class T>
void expect_rational(const Image& in) {
  const auto white = std::uint64_t(white_of(format_of<T>));
  const auto before = samples_of<T>(in), times = samples_of<T>(everywhere(Premultiply{}, in)),
             over = samples_of<T>(everywhere(Unpremultiply{}, in));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::uint64_t v = before[i], alpha = before[i / 4 * 4 + 3];
    ASSERT_EQ(times[i], i % 4 == 3 ? v : nearest(v * alpha, white)) << v << " with " << alpha;
    const std::uint64_t quotient = alpha == 0 ? 0 : std::min(white, nearest(v * white, alpha));
    ASSERT_EQ(over[i], i % 4 == 3 ? v : quotient) << v << " with " << alpha;
  }
}

TEST(Premultiply, every_pair_of_bytes_is_exact) {
  std::vector<std::uint8_t> all(256);
  for (std::size_t v = 0; v < 256; ++v) all[v] = std::uint8_t(v);
  expect_rational<std::uint8_t>(colors_with_alpha(all, all));
}

TEST(Premultiply, words_are_exact) {
  std::vector<std::uint16_t> values, alphas;
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) values.push_back(std::uint16_t(random())), alphas.push_back(std::uint16_t(random()));
  for (const int v : {0, 1, 2, 3, 32767, 32768, 65533, 65534, 65535})
    values.push_back(std::uint16_t(v)), alphas.push_back(std::uint16_t(v));
  for (int v = 0; v < 100; ++v) alphas.push_back(std::uint16_t(v));
  expect_rational<std::uint16_t>(colors_with_alpha(values, alphas));
}

TEST(Unpremultiply, words_above_their_alpha_and_ties) {
  // 1 * 65535 / 2 = 32767.5 and 3 * 65535 / 2, above white; 1 * 65535 / 6 = 10922.5.
  EXPECT_EQ(samples_of<std::uint16_t>(
                everywhere(Unpremultiply{}, image_of<std::uint16_t>(2, 1, 4, {1, 3, 2, 2, 1, 5, 0, 6}))),
            (std::vector<std::uint16_t>{32768, 65535, 65535, 2, 10922, 54612, 0, 6}));
}

TEST(Premultiply, floats) {
  const float nan = std::nanf("");
  const auto out = samples_of<float>(
      everywhere(Premultiply{}, image_of<float>(3, 1, 4, {0.5f, 1, -2, 0.25f, 1, 2, 3, 0, nan, 1, 2, 1.5f})));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 8),
            (std::vector<float>{0.125f, 0.25f, -0.5f, 0.25f, 0, 0, 0, 0}));
  EXPECT_TRUE(std::isnan(out[8]));
  EXPECT_EQ(out[9], 1.5f);
}

TEST(Unpremultiply, floats) {
  const float nan = std::nanf("");
  const auto out = samples_of<float>(
      everywhere(Unpremultiply{},
                 image_of<float>(4, 1, 4, {0.125f, 0.25f, -0.5f, 0.25f, 1, 2, nan, 0, 1, 2, 3, -0.0f, 1, nan, 0, 2})));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 11),
            (std::vector<float>{0.5f, 1, -2, 0.25f, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(out[12], 0.5f);
  EXPECT_TRUE(std::isnan(out[13]));
  EXPECT_EQ(out[15], 2.0f);
}

TEST(Premultiply, undone_where_alpha_is_white_or_in_floats) {
  const Image in = test::noise({40, 9, 4, Format::f32});
  const auto before = samples_of<float>(in),
             after = samples_of<float>(apply(Unpremultiply{}, apply(Premultiply{}, in)));
  for (std::size_t i = 0; i < before.size(); ++i)
    ASSERT_NEAR(after[i], before[i], 3e-7f * std::abs(before[i]) + 1e-30f);
}

TEST(Premultiply, takes_four_channels_only) {
  for (const int channels : {1, 2, 3}) {
    EXPECT_THROW(apply(Premultiply{}, Image(Format::u8, 2, 2, channels)), Error);
    EXPECT_THROW(apply(Unpremultiply{}, Image(Format::u8, 2, 2, channels)), Error);
  }
}

}  // namespace
}  // namespace zp
