// bitwise_not: every level, f32 refused.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/bitwise_not.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::every_level, test::everywhere, test::row_of, test::samples_of;

TEST(BitwiseNot, is_white_minus_v) {
  const auto bytes = samples_of<std::uint8_t>(everywhere(BitwiseNot{}, every_level<std::uint8_t>()));
  for (std::size_t v = 0; v < 256; ++v) EXPECT_EQ(bytes[v], 255 - v);
  const auto words = samples_of<std::uint16_t>(everywhere(BitwiseNot{}, every_level<std::uint16_t>()));
  for (std::size_t v = 0; v < 65536; ++v) ASSERT_EQ(words[v], 65535 - v);
}

TEST(BitwiseNot, every_channel_alike) {
  const Image in = test::noise({17, 3, 3, Format::u8});
  const auto out = samples_of<std::uint8_t>(everywhere(BitwiseNot{}, in)), v = samples_of<std::uint8_t>(in);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], 255 - v[i]);
}

TEST(BitwiseNot, refuses_f32) {
  try {
    apply(BitwiseNot{}, row_of<float>({1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "bitwise_not: does not take f32, only u8, u16");
  }
}

}  // namespace
}  // namespace zp
