// scale_offset: two roundings, never one.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/scale_offset.h"
#include "ops/point/clamp.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;

TEST(ScaleOffset, rounds_product_and_sum_on_their_own) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24; the product loses the last term, a fused multiply-add would keep it.
  const float v = 1 + 0x1p-12f;
  EXPECT_EQ(samples_of<float>(everywhere(ScaleOffset{v, -1}, row_of<float>({v}))), std::vector<float>{0x1p-11f});
}

TEST(ScaleOffset, saturates) {
  EXPECT_EQ(samples_of<std::uint8_t>(
                everywhere(ScaleOffset{.scale = 2, .offset = -10}, row_of<std::uint8_t>({0, 5, 6, 132, 133}))),
            (std::vector<std::uint8_t>{0, 0, 2, 254, 255}));
  EXPECT_EQ(samples_of<std::uint16_t>(
                everywhere(ScaleOffset{.scale = -1, .offset = 65535}, row_of<std::uint16_t>({0, 1, 65535}))),
            (std::vector<std::uint16_t>{65535, 65534, 0}));
}

TEST(ScaleOffset, with_clamp_in_a_chain_equals_one_after_the_other) {
  const Image in = test::noise({37, 11, 3, Format::u8});
  const Image one_by_one = apply(Clamp{0, 100}, apply(ScaleOffset{.scale = 2}, in));
  EXPECT_EQ(hash(apply(Chain{ScaleOffset{.scale = 2}, Clamp{0, 100}}, in).view()), hash(one_by_one.view()));
}

}  // namespace
}  // namespace zp
