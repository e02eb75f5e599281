// absolute: signs go, integers and NaN stay.
// SPDX-License-Identifier: Apache-2.0
#include "ops/point/absolute.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Absolute, takes_the_sign_off) {
  const auto out =
      samples_of<float>(everywhere(Absolute{}, row_of<float>({-1.5f, 2, -0.0f, 0, -kInf, -1e-45f, kNaN, -kNaN})));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 6), (std::vector<float>{1.5f, 2, 0, 0, kInf, 1e-45f}));
  for (const float v : out) EXPECT_FALSE(std::signbit(v)) << v;
  EXPECT_TRUE(std::isnan(out[6]) && std::isnan(out[7]));
}

TEST(Absolute, leaves_integers_alone) {
  for (const Format format : {Format::u8, Format::u16}) {
    const Image in = test::noise({31, 7, 3, format});
    EXPECT_EQ(hash(everywhere(Absolute{}, in).view()), hash(in.view()));
  }
}

TEST(Absolute, of_a_part_of_padded_rows_in_place) {
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    const Image before = test::noise({23, 9, 2, Format::f32});
    Image image = before.clone();
    const View<float> part = image.as<float>().sub(3, 1, 15, 6);
    apply(Absolute{}, part, part);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 23; ++x)
        for (int c = 0; c < 2; ++c) {
          const float v = before.as<float>().at(x, y, c);
          const bool inside = x >= 3 && x < 18 && y >= 1 && y < 7;
          ASSERT_EQ(image.as<float>().at(x, y, c), inside ? std::fabs(v) : v);
        }
  }
}

}  // namespace
}  // namespace zp
