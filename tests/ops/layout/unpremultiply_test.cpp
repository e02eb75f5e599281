// unpremultiply on noise of every format; its values are tested with those of premultiply.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/unpremultiply.h"

#include "support/everywhere.h"

namespace zp {
namespace {

TEST(Unpremultiply, noise_is_equal_everywhere_and_alpha_kept) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image in = test::noise({67, 45, 4, format}), out = test::everywhere(Unpremultiply{}, in);
    const std::size_t size = bytes_of(format);
    for (std::size_t i = 3; i < in.shape().samples(); i += 4)
      ASSERT_EQ(std::memcmp(static_cast<const char*>(in.data()) + i * size,
                            static_cast<const char*>(out.data()) + i * size, size),
                0);
  }
}

}  // namespace
}  // namespace zp
