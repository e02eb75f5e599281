// logarithm: integers against long double, domain errors, f32.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/logarithm.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::every_level, test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
void expect_logarithms(const Image& in) {
  const auto out = samples_of<T>(everywhere(Logarithm{}, in));
  const auto v = samples_of<T>(in);
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], v[i] == 0 ? 0 : std::lrint(std::log(static_cast<long double>(v[i])))) << v[i];
}

TEST(Logarithm, rounds_integers_and_0_is_0) {
  expect_logarithms<std::uint8_t>(every_level<std::uint8_t>());
  expect_logarithms<std::uint16_t>(every_level<std::uint16_t>());
  // Enough samples for a table.
  expect_logarithms<std::uint8_t>(test::noise({67, 43, 3, Format::u8}));
  expect_logarithms<std::uint16_t>(test::noise({301, 299, 1, Format::u16}));
}

TEST(Logarithm, follows_ieee_in_f32) {
  const auto out =
      samples_of<float>(everywhere(Logarithm{}, row_of<float>({1, 0, -0.0f, kInf, 2, 0.1f, 100, -1, -kInf, kNaN})));
  // numpy, double: ln 2, ln 0.1f and ln 100 rounded to f32.
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 7),
            (std::vector<float>{0, -kInf, -kInf, kInf, 0x1.62e430p-1f, -0x1.26bb1cp+1f, 0x1.26bb1cp+2f}));
  for (std::size_t i = 7; i < 10; ++i) EXPECT_TRUE(std::isnan(out[i])) << i;
}

TEST(Logarithm, of_noise_is_near_the_exact_value) {
  const Image in = test::noise({33, 9, 2, Format::f32});
  const auto out = samples_of<float>(everywhere(Logarithm{}, in)), v = samples_of<float>(in);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (v[i] > 0) {
      EXPECT_NEAR(out[i], std::log(double(v[i])), 6.1e-8 * std::fabs(std::log(double(v[i])))) << v[i];
    } else {
      EXPECT_TRUE(v[i] == 0 ? out[i] == -kInf : std::isnan(out[i])) << v[i];
    }
  }
}

}  // namespace
}  // namespace zp
