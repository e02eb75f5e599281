// Tests of match_histogram.
// SPDX-License-Identifier: Apache-2.0
#include "ops/contrast/match_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/contrast/pictures.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;
using Reals = std::vector<float>;

TEST(MatchHistogram, ByHand) {
  // Shares of the image: 1 up to 1/4, 2 up to 3/4, 9 up to 1. Of the reference: 10 up to 1/2, 21 up to 1. So 1 is below
  // the first share, 2 lies half way between 10 and 21 (15.5, rounded to even), 9 is the last.
  const Image image = test::row_of<std::uint8_t>({2, 1, 9, 2}), reference = test::row_of<std::uint8_t>({21, 10});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(MatchHistogram{}, {&image, &reference})), (Bytes{16, 10, 21, 16}));
}

// Sums of exposure.match_histograms of scikit-image 0.26, rounded.
TEST(MatchHistogram, EqualsScikitImage) {
  const Image bytes = test::image_of(101, 67, 1, test::slope<std::uint8_t>(101, 67));
  const Image other_bytes = test::image_of(64, 90, 1, test::blocks<std::uint8_t>(64, 90));
  EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(MatchHistogram{}, {&bytes, &other_bytes}))),
            2208864365u);
  const Image words = test::image_of(101, 67, 1, test::slope<std::uint16_t>(101, 67));
  const Image other_words = test::image_of(64, 90, 1, test::blocks<std::uint16_t>(64, 90));
  const Words result = samples_of<std::uint16_t>(everywhere(MatchHistogram{}, {&words, &other_words}));
  EXPECT_EQ(test::weighted_sum(result), 468841633985u);

  // The same through f32, within a level of 65535 of the range.
  const auto real = [](const Image& image) {
    Reals samples;
    for (const std::uint16_t v : samples_of<std::uint16_t>(image)) samples.push_back(float(v) / 65535.0f);
    return test::image_of(image.width(), image.height(), 1, samples);
  };
  const Image reals = real(words), other_reals = real(other_words);
  const Reals floats = samples_of<float>(everywhere(MatchHistogram{}, {&reals, &other_reals}));
  for (std::size_t i = 0; i < floats.size(); ++i) ASSERT_NEAR(double(floats[i]) * 65535.0, result[i], 1.6) << i;
}

TEST(MatchHistogram, OfItselfChangesNothing) {
  for (const Format format : {Format::u8, Format::u16}) {
    const Image image = test::noise({61, 43, 3, format}, 8);
    EXPECT_EQ(hash(everywhere(MatchHistogram{}, {&image, &image}).view()), hash(image.view()));
  }
  const Image image = test::noise({61, 43, 3, Format::f32}, 8);
  const Reals before = samples_of<float>(image),
              after = samples_of<float>(everywhere(MatchHistogram{}, {&image, &image}));
  for (std::size_t i = 0; i < before.size(); ++i) ASSERT_NEAR(after[i], before[i], 1.5 / 65535) << i;
}

TEST(MatchHistogram, OrderStaysAndTheRangeIsTheReferences) {
  const Image image = test::noise({90, 40, 1, Format::u16}, 1);
  const Image reference = test::image_of(37, 29, 1, test::slope<std::uint16_t>(37, 29));
  const Words in = samples_of<std::uint16_t>(image);
  const Words out = samples_of<std::uint16_t>(everywhere(MatchHistogram{}, {&image, &reference}));
  std::vector<std::pair<std::uint16_t, std::uint16_t>> pairs;
  for (std::size_t i = 0; i < in.size(); ++i) pairs.emplace_back(in[i], out[i]);
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t i = 1; i < pairs.size(); ++i) ASSERT_LE(pairs[i - 1].second, pairs[i].second);
  const Words theirs = samples_of<std::uint16_t>(reference);
  EXPECT_EQ(pairs.back().second, *std::max_element(theirs.begin(), theirs.end()));
  EXPECT_GE(pairs.front().second, *std::min_element(theirs.begin(), theirs.end()));
}

TEST(MatchHistogram, ConstantImagesAndReferences) {
  const Image flat = test::image_of(3, 2, 1, Bytes(6, 77)), pair = test::row_of<std::uint8_t>({5, 200});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(MatchHistogram{}, {&flat, &pair})), Bytes(6, 200));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(MatchHistogram{}, {&pair, &flat})), Bytes(2, 77));
  const Image flat_real = test::image_of(3, 2, 1, Reals(6, 0.3f)), pair_real = test::row_of<float>({-5, 0.7f});
  EXPECT_EQ(samples_of<float>(everywhere(MatchHistogram{}, {&flat_real, &pair_real})), Reals(6, 0.7f));
  EXPECT_EQ(samples_of<float>(everywhere(MatchHistogram{}, {&pair_real, &flat_real})), Reals(2, 0.3f));
}

TEST(MatchHistogram, EachChannelAndOneForAll) {
  const Image image = test::image_of<std::uint8_t>(2, 1, 3, {1, 50, 9, 2, 40, 9});
  const Image color = test::image_of<std::uint8_t>(2, 1, 3, {100, 0, 7, 120, 255, 8});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(MatchHistogram{}, {&image, &color})), (Bytes{100, 255, 8, 120, 0, 8}));
  const Image grey = test::row_of<std::uint8_t>({30, 60});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(MatchHistogram{}, {&image, &grey})), (Bytes{30, 60, 60, 60, 30, 60}));
}

TEST(MatchHistogram, NanStaysAndInfinitiesAreOutermost) {
  const Image image = test::row_of<float>({NAN, 1, 2, INFINITY, -INFINITY, NAN});
  const Image reference = test::row_of<float>({10, NAN, 20, 30, 40});
  const Reals result = samples_of<float>(everywhere(MatchHistogram{}, {&image, &reference}));
  EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[5]));
  // -inf and 1 share the darkest level, half of the samples; 2 and inf the brightest.
  EXPECT_EQ(Reals(result.begin() + 1, result.begin() + 5), (Reals{20, 40, 40, 20}));
  const Image nothing = test::row_of<float>({NAN, NAN});
  const Reals still = samples_of<float>(everywhere(MatchHistogram{}, {&nothing, &reference}));
  EXPECT_TRUE(std::isnan(still[0]) && std::isnan(still[1]));
}

TEST(MatchHistogram, PartsOfLargerPlanesInPlace) {
  const Bytes inner = test::slope<std::uint8_t>(37, 29);
  Bytes parent(60u * 40u, 9);
  const View<std::uint8_t> view(parent.data() + 5 * 60 + 11, 37, 29, 1, 60);
  for (int y = 0; y < 29; ++y) std::copy_n(inner.data() + y * 37, 37, view.row(y));
  const Image reference = test::noise({20, 20, 1, Format::u8}, 3);
  const Bytes expected = samples_of<std::uint8_t>(apply(MatchHistogram{}, test::image_of(37, 29, 1, inner), reference));
  apply(MatchHistogram{}, {View<const std::uint8_t>(view), reference.view()}, view);
  for (int y = 0; y < 29; ++y) EXPECT_TRUE(std::equal(view.row(y), view.row(y) + 37, expected.data() + y * 37)) << y;
  EXPECT_EQ(view.row(0)[-1], 9);
  EXPECT_EQ(view.row(28)[37], 9);
}

TEST(MatchHistogram, Refusals) {
  const auto refusal = [](const Image& image, const Image& reference) {
    try {
      apply(MatchHistogram{}, image, reference);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const Image grey(Format::u8, 4, 4);
  EXPECT_EQ(refusal(grey, Image(Format::u16, 3, 3)),
            "match_histogram: the reference is u16 3x3, but the image is u8 4x4; format must be equal, and channels "
            "equal or 1");
  EXPECT_EQ(refusal(grey, Image(Format::u8, 0, 3)), "match_histogram: the reference is empty (u8 0x3)");
  EXPECT_EQ(refusal(test::row_of<float>({1}), test::row_of<float>({NAN})),
            "match_histogram: the reference has no finite sample");
  EXPECT_TRUE(apply(MatchHistogram{}, Image(Format::u8, 0, 5), grey).empty());
}

}  // namespace
}  // namespace zp
