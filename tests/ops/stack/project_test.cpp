// Project against sums by hand and a reference that keeps every slice in memory, in 80 bits.
// SPDX-License-Identifier: Apache-2.0
#include "ops/stack/project.h"

#include <algorithm>
#include <limits>

#include "support/everywhere.h"

namespace zp::test {
namespace {

using Kind = Project::Kind;
using Depth = Project::Depth;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<Image> noise_slices(const PlaneShape& shape, int count) {
  std::vector<Image> slices;
  for (int k = 0; k < count; ++k) slices.push_back(noise(shape, unsigned(k + 1)));
  return slices;
}

TEST(Project, ByHand) {
  const Image a = row_of<std::uint8_t>({1, 255, 0, 7, 10}), b = row_of<std::uint8_t>({2, 255, 0, 8, 20}),
              c = row_of<std::uint8_t>({3, 254, 1, 8, 60}), d = row_of<std::uint8_t>({4, 0, 1, 8, 110});
  const auto of = [&](const Project& op) { return everywhere(op, {&a, &b, &c, &d}); };
  EXPECT_EQ(samples_of<std::uint8_t>(of({})), (std::vector<std::uint8_t>{4, 255, 1, 8, 110}));
  EXPECT_EQ(samples_of<std::uint8_t>(of({.kind = Kind::min})), (std::vector<std::uint8_t>{1, 0, 0, 7, 10}));
  // 2.5 and 0.5 are ties, 191 and 50 whole, 7.75 neither.
  EXPECT_EQ(samples_of<std::uint8_t>(of({.kind = Kind::mean})), (std::vector<std::uint8_t>{2, 191, 0, 8, 50}));
  EXPECT_EQ(samples_of<float>(of({.kind = Kind::mean, .format = Depth::f32})),
            (std::vector<float>{2.5f, 191, 0.5f, 7.75f, 50}));
  EXPECT_EQ(samples_of<float>(of({.kind = Kind::sum})), (std::vector<float>{10, 764, 2, 31, 200}));
  // sqrt(1.25), ..., sqrt((1600 + 900 + 100 + 3600) / 4)
  const std::vector<float> deviation = samples_of<float>(of({.kind = Kind::deviation}));
  EXPECT_FLOAT_EQ(deviation[0], 1.1180340f);
  EXPECT_EQ(deviation[2], 0.5f);
  EXPECT_FLOAT_EQ(deviation[4], 39.370039f);
}

TEST(Project, OneSliceIsItself) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image image = noise({33, 5, 3, format});
    for (const Kind kind : {Kind::max, Kind::min, Kind::mean})
      EXPECT_EQ(hash(everywhere(Project{.kind = kind}, image).view()), hash(image.view()));
    for (const float v : samples_of<float>(everywhere(Project{.kind = Kind::deviation}, image))) EXPECT_EQ(v, 0.0f);
  }
}

TEST(Project, NanIsLeftOutAndStaysWhereNothingElseIs) {
  const Image a = row_of<float>({kNan, 1, kNan, -2}), b = row_of<float>({3, kNan, kNan, 4}),
              c = row_of<float>({5, kNan, kNan, 1});
  const auto of = [&](Kind kind) { return samples_of<float>(everywhere(Project{.kind = kind}, {&a, &b, &c})); };
  const auto expect = [&](Kind kind, const std::vector<float>& expected) {
    const std::vector<float> found = of(kind);
    for (std::size_t i = 0; i < 4; ++i)
      if (i == 2)
        EXPECT_TRUE(std::isnan(found[i]));
      else
        EXPECT_EQ(found[i], expected[i]) << int(kind) << " at " << i;
  };
  expect(Kind::max, {5, 1, kNan, 4});
  expect(Kind::min, {3, 1, kNan, -2});
  expect(Kind::mean, {4, 1, kNan, 1});
  expect(Kind::sum, {8, 1, kNan, 3});
  expect(Kind::deviation, {1, 0, kNan, 2.4494898f});
}

TEST(Project, InfinitySpreadsAndConstantsHaveNoDeviation) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Image a = row_of<float>({infinity, 0.1f, 1e30f}), b = row_of<float>({2, 0.1f, 1e30f});
  EXPECT_EQ(samples_of<float>(everywhere(Project{.kind = Kind::sum}, {&a, &b}))[0], infinity);
  EXPECT_EQ(samples_of<float>(everywhere(Project{.kind = Kind::max}, {&a, &b}))[0], infinity);
  const std::vector<float> deviation = samples_of<float>(everywhere(Project{.kind = Kind::deviation}, {&a, &b}));
  EXPECT_TRUE(std::isnan(deviation[0]));
  EXPECT_EQ(deviation[1], 0.0f);
  EXPECT_EQ(deviation[2], 0.0f);
}

template <class T>
void expect_reference(const std::vector<Image>& slices) {
  std::vector<std::vector<T>> columns(slices[0].shape().samples());
  for (const Image& slice : slices) {
    const std::vector<T> samples = samples_of<T>(slice);
    for (std::size_t i = 0; i < samples.size(); ++i) columns[i].push_back(samples[i]);
  }
  const std::vector<T> low = samples_of<T>(everywhere(Project{.kind = Kind::min}, slices));
  const std::vector<T> high = samples_of<T>(everywhere(Project{}, slices));
  const std::vector<T> same = samples_of<T>(everywhere(Project{.kind = Kind::mean}, slices));
  const auto reals = [&](Kind kind) {
    return samples_of<float>(everywhere(Project{.kind = kind, .format = Depth::f32}, slices));
  };
  const std::vector<float> mean = reals(Kind::mean), sum = reals(Kind::sum), deviation = reals(Kind::deviation);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<T>& column = columns[i];
    long double total = 0, squares = 0;
    for (const T v : column) total += v;
    const long double exact = total / static_cast<long double>(column.size());
    for (const T v : column) squares += (v - exact) * (v - exact);
    std::sort(column.begin(), column.end());
    ASSERT_EQ(low[i], column.front());
    ASSERT_EQ(high[i], column.back());
    ASSERT_FLOAT_EQ(sum[i], float(total));
    ASSERT_FLOAT_EQ(mean[i], float(exact));
    ASSERT_EQ(same[i], (std::is_same_v<T, float> ? T(mean[i]) : T(std::nearbyint(exact))));
    ASSERT_FLOAT_EQ(deviation[i], float(sqrtl(squares / static_cast<long double>(column.size()))));
  }
}

TEST(Project, EqualsAReferenceForFewAndManySlices) {
  // 16 slices go at once: one group, a full one, and a remainder.
  for (const int count : {2, 16, 17, 40}) {
    expect_reference<std::uint8_t>(noise_slices({37, 3, 1, Format::u8}, count));
    expect_reference<std::uint16_t>(noise_slices({19, 3, 3, Format::u16}, count));
    expect_reference<float>(noise_slices({11, 4, 2, Format::f32}, count));
  }
}

TEST(Project, TheMostSlicesOfWhiteDoNotOverflow) {
  std::vector<Image> slices;
  slices.push_back(row_of<std::uint16_t>({65535, 65534, 0}));
  const At at({"none", "", Executor::cpu});
  const std::vector<ConstPlaneView> views(4096, slices[0].view());
  const auto of = [&](Kind kind) { return zp::apply(Project{.kind = kind}, std::span<const ConstPlaneView>(views)); };
  EXPECT_EQ(samples_of<float>(of(Kind::sum)), (std::vector<float>{65535.0f * 4096, 65534.0f * 4096, 0}));
  EXPECT_EQ(samples_of<std::uint16_t>(of(Kind::mean)), (std::vector<std::uint16_t>{65535, 65534, 0}));
  EXPECT_EQ(samples_of<float>(of(Kind::deviation)), (std::vector<float>{0, 0, 0}));
}

TEST(Project, LongRowsAndPartsOfImages) {
  std::vector<Image> slices = noise_slices({2311, 4, 1, Format::u16}, 3);
  expect_reference<std::uint16_t>(slices);
  Image whole(Format::u16, 2311, 4);
  const View<std::uint16_t> to = whole.as<std::uint16_t>();
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 2311; ++x) to.at(x, y) = 9;
  const auto part = [](Image& image) { return ConstPlaneView(image.as<std::uint16_t>().sub(5, 1, 1203, 2)); };
  apply(Project{}, {part(slices[0]), part(slices[1]), part(slices[2])}, PlaneView(to.sub(5, 1, 1203, 2)));
  const std::vector<std::uint16_t> expected =
      samples_of<std::uint16_t>(apply(Project{}, slices[0], slices[1], slices[2]));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 2311; ++x)
      ASSERT_EQ(to.at(x, y), y >= 1 && y < 3 && x >= 5 && x < 1208 ? expected[std::size_t(y * 2311 + x)] : 9);
}

TEST(Project, RefusesUnequalSlicesAndIsEmptyForEmptyOnes) {
  const Image a(Format::u8, 4, 4), b(Format::u8, 4, 5), c(Format::u8, 4, 4, 3), empty(Format::u8, 0, 4);
  const auto message = [](const Image& x, const Image& y) {
    try {
      apply(Project{}, x, y);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(a, b),
            "project: slice 2 is u8 4x5, but slice 1 is u8 4x4; all slices have one size, format and channel count");
  EXPECT_NE(message(a, c).find("u8 4x4x3"), std::string::npos);
  EXPECT_TRUE(apply(Project{}, empty, empty).empty());
}

}  // namespace
}  // namespace zp::test
