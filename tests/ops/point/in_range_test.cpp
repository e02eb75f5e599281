// in_range: inclusive limits, limits between and beyond the levels, NaN.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/in_range.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint8_t> bytes(const InRange& op) {
  return samples_of<std::uint8_t>(everywhere(op, row_of<std::uint8_t>({0, 99, 100, 101, 102, 255})));
}

TEST(InRange, includes_both_limits) {
  EXPECT_EQ(bytes({100, 101}), (std::vector<std::uint8_t>{0, 0, 255, 255, 0, 0}));
  EXPECT_EQ(bytes({100, 100}), (std::vector<std::uint8_t>{0, 0, 255, 0, 0, 0}));
  EXPECT_EQ(bytes({0, 0}), (std::vector<std::uint8_t>{255, 0, 0, 0, 0, 0}));
  EXPECT_EQ(bytes({255, 255}), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 255}));
  EXPECT_EQ(bytes({101}), (std::vector<std::uint8_t>{0, 0, 0, 255, 255, 255}));
  EXPECT_EQ(bytes({}), (std::vector<std::uint8_t>(6, 255)));
}

TEST(InRange, limits_between_and_beyond_the_levels) {
  EXPECT_EQ(bytes({99.5f, 100.5f}), (std::vector<std::uint8_t>{0, 0, 255, 0, 0, 0}));
  EXPECT_EQ(bytes({100.2f, 100.8f}), (std::vector<std::uint8_t>(6, 0)));
  EXPECT_EQ(bytes({-5, -1}), (std::vector<std::uint8_t>(6, 0)));
  EXPECT_EQ(bytes({-0.5f, -0.25f}), (std::vector<std::uint8_t>(6, 0)));
  EXPECT_EQ(bytes({256, 1e9f}), (std::vector<std::uint8_t>(6, 0)));
  EXPECT_EQ(bytes({254.5f, 254.75f}), (std::vector<std::uint8_t>(6, 0)));
  EXPECT_EQ(bytes({255.5f, 300}), (std::vector<std::uint8_t>(6, 0)));
  EXPECT_EQ(bytes({-kInf, kInf}), (std::vector<std::uint8_t>(6, 255)));
  EXPECT_EQ(bytes({-1e9f, 99}), (std::vector<std::uint8_t>{255, 255, 0, 0, 0, 0}));
}

TEST(InRange, in_units_of_u16_and_f32) {
  EXPECT_EQ(samples_of<std::uint16_t>(
                everywhere(InRange{300, 40000}, row_of<std::uint16_t>({0, 299, 300, 40000, 40001, 65535}))),
            (std::vector<std::uint16_t>{0, 0, 65535, 65535, 0, 0}));
  EXPECT_EQ(samples_of<float>(everywhere(InRange{-0.5f, 0.5f},
                                         row_of<float>({-kInf, -0.5f, -0.0f, 0.5f, std::nextafter(0.5f, 1.0f), kNaN}))),
            (std::vector<float>{0, 1, 1, 1, 0, 0}));
  EXPECT_EQ(samples_of<float>(everywhere(InRange{-kInf, kInf}, row_of<float>({-kInf, kInf, kNaN}))),
            (std::vector<float>{1, 1, 0}));
}

TEST(InRange, channels_each_on_their_own) {
  const Image in = test::noise({29, 7, 3, Format::u8});
  const auto out = samples_of<std::uint8_t>(everywhere(InRange{70, 180}, in)), v = samples_of<std::uint8_t>(in);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], v[i] >= 70 && v[i] <= 180 ? 255 : 0);
}

TEST(InRange, refuses_limits_in_the_wrong_order) {
  try {
    apply(InRange{5, 3}, row_of<std::uint8_t>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "in_range: high = 3, allowed 5 (low) and up");
  }
  EXPECT_THROW(apply(InRange{2}, row_of<float>({1})), Error);  // white of f32 is 1
}

}  // namespace
}  // namespace zp
