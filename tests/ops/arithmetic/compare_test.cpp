// compare: each kind on every pair of bytes, NaN, one channel for all.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/compare.h"

#include "ops/arithmetic/pairs.h"

namespace zp {
namespace {

using test::everywhere, test::expect_every_pair, test::expect_one_channel_serves_all, test::row_of, test::samples_of;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

using Kind = Compare::Kind;

template <class V>
bool holds(Kind kind, V a, V b) {
  switch (kind) {
    case Kind::eq:
      return a == b;
    case Kind::ne:
      return a != b;
    case Kind::lt:
      return a < b;
    case Kind::le:
      return a <= b;
    case Kind::gt:
      return a > b;
    case Kind::ge:
      return a >= b;
  }
  return false;
}
constexpr Kind kKinds[] = {Kind::eq, Kind::ne, Kind::lt, Kind::le, Kind::gt, Kind::ge};

TEST(Compare, every_pair_of_bytes) {
  for (const Kind kind : kKinds)
    expect_every_pair(Compare{kind}, [&](int a, int b) { return holds(kind, a, b) ? 255 : 0; });
}

TEST(Compare, by_hand) {
  const Image a = row_of<std::uint16_t>({1, 2, 3, 65535}), b = row_of<std::uint16_t>({2, 2, 2, 65535});
  const auto out = [&](Kind kind) { return samples_of<std::uint16_t>(everywhere(Compare{kind}, {&a, &b})); };
  constexpr std::uint16_t kWhite = 65535;
  EXPECT_EQ(out(Kind::eq), (std::vector<std::uint16_t>{0, kWhite, 0, kWhite}));
  EXPECT_EQ(out(Kind::ne), (std::vector<std::uint16_t>{kWhite, 0, kWhite, 0}));
  EXPECT_EQ(out(Kind::lt), (std::vector<std::uint16_t>{kWhite, 0, 0, 0}));
  EXPECT_EQ(out(Kind::le), (std::vector<std::uint16_t>{kWhite, kWhite, 0, kWhite}));
  EXPECT_EQ(out(Kind::gt), (std::vector<std::uint16_t>{0, 0, kWhite, 0}));
  EXPECT_EQ(out(Kind::ge), (std::vector<std::uint16_t>{0, kWhite, kWhite, kWhite}));
}

TEST(Compare, follows_ieee_in_f32) {
  const std::vector<float> values{-kInf, -1, -0.0f, 0.0f, 1e-45f, 3, kInf, kNaN};
  std::vector<float> p, q;
  for (const float a : values)
    for (const float b : values) p.push_back(a), q.push_back(b);
  const Image a = row_of(p), b = row_of(q);
  for (const Kind kind : kKinds) {
    const auto out = samples_of<float>(everywhere(Compare{kind}, {&a, &b}));
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out[i], holds(kind, p[i], q[i]) ? 1.0f : 0.0f) << int(kind) << ": " << p[i] << ", " << q[i];
  }
}

TEST(Compare, one_channel_serves_all) {
  expect_one_channel_serves_all<std::uint8_t>(Compare{Kind::lt});
  expect_one_channel_serves_all<float>(Compare{Kind::ge});
}

TEST(Compare, refuses_an_unknown_kind_and_other_formats) {
  const Image a = row_of<std::uint8_t>({1}), b = row_of<std::uint16_t>({1});
  EXPECT_THROW(apply(Compare{Kind(6)}, a, a), Error);
  try {
    apply(Compare{}, a, b);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "compare: input 2 is u16 1x1, but input 1 is u8 1x1; size and format must be equal, and channels equal or 1");
  }
}

}  // namespace
}  // namespace zp
