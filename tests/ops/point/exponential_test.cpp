// exponential: integers against long double, f32.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/exponential.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::every_level, test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
void expect_powers_of_e(const Image& in) {
  const auto out = samples_of<T>(everywhere(Exponential{}, in));
  const auto v = samples_of<T>(in);
  constexpr long double kWhite = std::numeric_limits<T>::max();
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], std::lrint(std::min(kWhite, std::exp(static_cast<long double>(v[i]))))) << v[i];
}

TEST(Exponential, rounds_and_saturates_integers) {
  expect_powers_of_e<std::uint8_t>(every_level<std::uint8_t>());
  expect_powers_of_e<std::uint16_t>(every_level<std::uint16_t>());
  expect_powers_of_e<std::uint8_t>(test::noise({67, 43, 3, Format::u8}));
  // e^5 = 148.41, e^6 = 403; e^11 = 59874.14, e^12 = 162755.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Exponential{}, row_of<std::uint8_t>({0, 1, 5, 6}))),
            (std::vector<std::uint8_t>{1, 3, 148, 255}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Exponential{}, row_of<std::uint16_t>({0, 11, 12, 65535}))),
            (std::vector<std::uint16_t>{1, 59874, 65535, 65535}));
}

TEST(Exponential, in_f32) {
  const auto out = samples_of<float>(everywhere(Exponential{}, row_of<float>({0, -0.0f, 1, -kInf, kInf, 89, kNaN})));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 6),
            (std::vector<float>{1, 1, 0x1.5bf0a8p+1f, 0, kInf, kInf}));
  EXPECT_TRUE(std::isnan(out[6]));
}

TEST(Exponential, undoes_the_logarithm_of_noise) {
  const Image in = test::noise({33, 9, 4, Format::f32});
  const auto out = samples_of<float>(everywhere(Exponential{}, in)), v = samples_of<float>(in);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(std::log(double(out[i])), v[i], 6.1e-8) << v[i];
}

}  // namespace
}  // namespace zp
