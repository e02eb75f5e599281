// multiply_constant: values by hand.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/multiply_constant.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

TEST(MultiplyConstant, rounds_half_to_even_and_saturates) {
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(MultiplyConstant{0.5f}, row_of<std::uint8_t>({0, 1, 2, 3, 5, 255}))),
            (std::vector<std::uint8_t>{0, 0, 1, 2, 2, 128}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(MultiplyConstant{3}, row_of<std::uint8_t>({84, 85, 86}))),
            (std::vector<std::uint8_t>{252, 255, 255}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(MultiplyConstant{-1}, row_of<std::uint16_t>({0, 1, 65535}))),
            (std::vector<std::uint16_t>{0, 0, 0}));
}

TEST(MultiplyConstant, is_one_ieee_product_in_f32) {
  const Image in = test::noise({31, 7, 3, Format::f32});
  const auto out = samples_of<float>(everywhere(MultiplyConstant{0.1f}, in)), source = samples_of<float>(in);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], source[i] * 0.1f);
}

TEST(MultiplyConstant, by_257_spreads_bytes_over_u16_like_convert) {
  std::vector<std::uint16_t> bytes(256);
  for (int v = 0; v < 256; ++v) bytes[std::size_t(v)] = std::uint16_t(v);
  const auto out = samples_of<std::uint16_t>(everywhere(MultiplyConstant{257}, row_of(bytes)));
  for (int v = 0; v < 256; ++v) EXPECT_EQ(out[std::size_t(v)], v << 8 | v);
}

}  // namespace
}  // namespace zp
