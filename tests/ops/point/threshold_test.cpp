// threshold: each kind by hand, fractional limits, NaN.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/threshold.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
using Kind = Threshold::Kind;
constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<std::uint8_t> bytes(const Threshold& op) {
  return samples_of<std::uint8_t>(everywhere(op, row_of<std::uint8_t>({0, 99, 100, 101, 255})));
}

TEST(Threshold, kinds) {
  EXPECT_EQ(bytes({100}), (std::vector<std::uint8_t>{0, 0, 0, 255, 255}));
  EXPECT_EQ(bytes({100, Kind::binary, 7}), (std::vector<std::uint8_t>{0, 0, 0, 7, 7}));
  EXPECT_EQ(bytes({100, Kind::binary_inverse}), (std::vector<std::uint8_t>{255, 255, 255, 0, 0}));
  EXPECT_EQ(bytes({100, Kind::truncate}), (std::vector<std::uint8_t>{0, 99, 100, 100, 100}));
  EXPECT_EQ(bytes({100, Kind::to_zero}), (std::vector<std::uint8_t>{0, 0, 0, 101, 255}));
  EXPECT_EQ(bytes({100, Kind::to_zero_inverse}), (std::vector<std::uint8_t>{0, 99, 100, 0, 0}));
}

TEST(Threshold, limits_between_and_beyond_the_levels) {
  EXPECT_EQ(bytes({99.5f}), (std::vector<std::uint8_t>{0, 0, 255, 255, 255}));
  EXPECT_EQ(bytes({100.5f}), (std::vector<std::uint8_t>{0, 0, 0, 255, 255}));
  EXPECT_EQ(bytes({-1}), (std::vector<std::uint8_t>{255, 255, 255, 255, 255}));
  EXPECT_EQ(bytes({-kInf}), (std::vector<std::uint8_t>{255, 255, 255, 255, 255}));
  EXPECT_EQ(bytes({255}), (std::vector<std::uint8_t>{0, 0, 0, 0, 0}));
  EXPECT_EQ(bytes({1e9f}), (std::vector<std::uint8_t>{0, 0, 0, 0, 0}));
  EXPECT_EQ(bytes({100, Kind::binary, 1000}), (std::vector<std::uint8_t>{0, 0, 0, 255, 255}));
  EXPECT_EQ(bytes({1e9f, Kind::truncate}), (std::vector<std::uint8_t>{0, 99, 100, 101, 255}));
}

TEST(Threshold, u16_and_f32_in_their_own_units) {
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(Threshold{20000}, row_of<std::uint16_t>({0, 20000, 20001, 65535}))),
            (std::vector<std::uint16_t>{0, 0, 65535, 65535}));
  EXPECT_EQ(
      samples_of<float>(everywhere(Threshold{0.5f}, row_of<float>({-kInf, 0.5f, std::nextafter(0.5f, 1.0f), kInf}))),
      (std::vector<float>{0, 0, 1, 1}));
}

TEST(Threshold, nan_is_above_no_limit) {
  const float nan = std::nanf("");
  const auto one = [&](Kind kind) {
    return samples_of<float>(everywhere(Threshold{0.5f, kind}, row_of<float>({nan})))[0];
  };
  EXPECT_EQ(one(Kind::binary), 0);
  EXPECT_EQ(one(Kind::binary_inverse), 1);
  EXPECT_TRUE(std::isnan(one(Kind::truncate)));
  EXPECT_EQ(one(Kind::to_zero), 0);
  EXPECT_TRUE(std::isnan(one(Kind::to_zero_inverse)));
}

TEST(Threshold, every_channel_alike) {
  const Image in = test::noise({29, 7, 4, Format::u8});
  const auto out = samples_of<std::uint8_t>(everywhere(Threshold{77}, in)), source = samples_of<std::uint8_t>(in);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], source[i] > 77 ? 255 : 0);
}

TEST(Threshold, refuses_an_unknown_kind) {
  EXPECT_THROW(apply(Threshold{.kind = Kind(9)}, row_of<std::uint8_t>({1})), Error);
}

}  // namespace
}  // namespace zp
