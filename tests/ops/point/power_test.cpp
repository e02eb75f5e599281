// power: integers against long double, poles, C's rules in f32.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/power.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::every_level, test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
void expect_powers(float exponent, const Image& in) {
  const auto out = samples_of<T>(everywhere(Power{exponent}, in));
  const auto v = samples_of<T>(in);
  constexpr long double kWhite = std::numeric_limits<T>::max();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const long double exact =
        v[i] == 0 && exponent < 0 ? 0.0L : std::pow(static_cast<long double>(v[i]), static_cast<long double>(exponent));
    // Half a level for the rounding; f32 near 65535 has steps of 1/256.
    ASSERT_NEAR(double(out[i]), double(std::min(exact, kWhite)), 0.502) << v[i] << " ^ " << exponent;
  }
}

TEST(Power, rounds_and_saturates_integers) {
  for (const float exponent : {-2.0f, -1.0f, -0.3f, 0.0f, 0.5f, 1.0f, 1.3f, 2.0f, 40.0f}) {
    expect_powers<std::uint8_t>(exponent, every_level<std::uint8_t>());
    expect_powers<std::uint16_t>(exponent, every_level<std::uint16_t>());
  }
  expect_powers<std::uint8_t>(0.7f, test::noise({67, 43, 3, Format::u8}));
}

TEST(Power, of_0_to_a_negative_power_is_0_in_integers) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Power{-1}, row_of<std::uint8_t>({0, 1, 2, 3, 255}))),
            (std::vector<std::uint8_t>{0, 1, 0, 0, 0}));  // 1/2 goes to 0, even
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Power{-kInf}, row_of<std::uint16_t>({0, 1, 2}))),
            (std::vector<std::uint16_t>{0, 1, 0}));
}

TEST(Power, follows_c_in_f32) {
  const Image in = row_of<float>({0, -0.0f, 2, -2, kInf, -kInf, kNaN});
  const auto cube = samples_of<float>(everywhere(Power{3}, in));
  EXPECT_EQ(std::vector<float>(cube.begin(), cube.begin() + 6), (std::vector<float>{0, 0, 8, -8, kInf, -kInf}));
  EXPECT_TRUE(std::signbit(cube[1]) && std::isnan(cube[6]));
  const auto inverse = samples_of<float>(everywhere(Power{-1}, in));
  EXPECT_EQ(std::vector<float>(inverse.begin(), inverse.begin() + 4), (std::vector<float>{kInf, -kInf, 0.5f, -0.5f}));
  const auto root = samples_of<float>(everywhere(Power{0.5f}, in));
  EXPECT_EQ(root[2], 0x1.6a09e6p+0f);
  EXPECT_TRUE(std::isnan(root[3]) && std::isnan(root[6]));
  EXPECT_EQ(samples_of<float>(everywhere(Power{0}, in)), (std::vector<float>(7, 1)));
}

TEST(Power, of_1_is_the_image_itself) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image in = test::noise({300, 301, 1, format});
    EXPECT_EQ(hash(everywhere(Power{}, in).view()), hash(in.view()));
  }
}

TEST(Power, refuses_an_exponent_that_is_no_number) {
  try {
    apply(Power{kNaN}, row_of<float>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "power: exponent is not a number");
  }
}

}  // namespace
}  // namespace zp
