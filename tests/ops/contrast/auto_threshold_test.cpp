// Tests of auto_threshold.
// SPDX-License-Identifier: Apache-2.0
#include "ops/contrast/auto_threshold.h"

#include <gtest/gtest.h>

#include "ops/contrast/pictures.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;
using Method = AutoThreshold::Method;
constexpr Method kMethods[] = {Method::otsu, Method::triangle, Method::li, Method::mean};

/// The threshold, which is the same on every executor.
double found(Method method, const Image& image, int channel = 0) {
  double t = NAN;
  test::values_everywhere(AutoThreshold{.method = method}, image, [&](const AutoThreshold::Result& r) {
    ASSERT_EQ(r.threshold.size(), std::size_t(image.channels()));
    const double here = r.threshold[std::size_t(channel)];
    EXPECT_TRUE(std::isnan(t) || here == t) << here << " after " << t;
    t = here;
  });
  return t;
}

TEST(CaseA9, AutoThresholdOfConstantImagesIsTheirValueAndNothingIsForeground) {
  for (const Method method : kMethods) {
    for (const int v : {77, 0, 255}) {
      const Image bytes = test::image_of(4, 4, 1, Bytes(16, std::uint8_t(v)));
      EXPECT_EQ(found(method, bytes), v);
      EXPECT_EQ(samples_of<std::uint8_t>(everywhere(AutoThreshold{.method = method}, bytes)), Bytes(16, 0));
      const Image words = test::image_of(4, 4, 1, Words(16, std::uint16_t(v * 257)));
      EXPECT_EQ(found(method, words), v * 257);
      const Image reals = test::image_of(4, 4, 1, std::vector<float>(16, float(v) - 100.3f));
      EXPECT_EQ(found(method, reals), double(float(v) - 100.3f));
      EXPECT_EQ(samples_of<float>(everywhere(AutoThreshold{.method = method}, reals)), std::vector<float>(16, 0.0f));
    }
  }
}

// Numbers by OpenCV 5.0 (otsu) and scikit-image 0.26 (all four) on the same formula.
TEST(AutoThreshold, ValuesAsOpenCvAndScikitImage) {
  struct {
    Format format;
    int width, height;
    double otsu, triangle, inverted_triangle, li, mean;
  } const rows[] = {{Format::u8, 101, 67, 51, 52, 203, 81.9042365, 84.0586670607},
                    {Format::u8, 300, 211, 51, 52, 203, 81.8351724, 83.8158767773},
                    {Format::u16, 101, 67, 10843, 7049, 57628, 17371.7766, 17799.8556229},
                    {Format::u16, 300, 211, 10888, 7091, 57811, 17365.8417, 17748.6550869}};
  for (const auto& r : rows) {
    Image image, inverted;
    if (r.format == Format::u8) {
      Bytes samples = test::blocks<std::uint8_t>(r.width, r.height);
      image = test::image_of(r.width, r.height, 1, samples);
      for (std::uint8_t& v : samples) v = std::uint8_t(255 - v);
      inverted = test::image_of(r.width, r.height, 1, samples);
    } else {
      Words samples = test::blocks<std::uint16_t>(r.width, r.height);
      image = test::image_of(r.width, r.height, 1, samples);
      for (std::uint16_t& v : samples) v = std::uint16_t(65535 - v);
      inverted = test::image_of(r.width, r.height, 1, samples);
    }
    EXPECT_EQ(found(Method::otsu, image), r.otsu);
    EXPECT_EQ(found(Method::triangle, image), r.triangle);
    EXPECT_EQ(found(Method::triangle, inverted), r.inverted_triangle);
    EXPECT_NEAR(found(Method::li, image), r.li, 1e-6 * r.li);
    EXPECT_NEAR(found(Method::mean, image), r.mean, 1e-7 * r.mean);  // rounded to f32
  }
}

TEST(AutoThreshold, FloatsWithinABinOfScikitImage) {
  std::vector<float> reals;
  for (const std::uint16_t v : test::blocks<std::uint16_t>(300, 211)) reals.push_back(float(v) / 65536.0f);
  const Image image = test::image_of(300, 211, 1, reals);
  EXPECT_EQ(found(Method::otsu, image), 10888.0 / 65536.0);  // as u16
  const double bin = 0.0024219155;                           // of 256
  EXPECT_NEAR(found(Method::triangle, image), 0.1673235, bin / 2);
  EXPECT_NEAR(found(Method::li, image), 0.26498171520, bin / 256);
  EXPECT_NEAR(found(Method::mean, image), 0.27082298411, 1e-8 + 0.28 * 1.2e-7);
}

TEST(AutoThreshold, SmallestOfEqualMaxima) {
  // Nothing between the modes: every T from 10 to 199 separates them.
  EXPECT_EQ(found(Method::otsu, test::row_of<std::uint8_t>({200, 10, 10, 200})), 10);
  EXPECT_EQ(found(Method::otsu, test::row_of<std::uint16_t>({60000, 10, 10, 60000})), 10);
  EXPECT_EQ(found(Method::otsu, test::row_of<float>({1.0f, 0.0f})), 0);
  // A symmetric histogram: T = 1 and T = 2 divide it equally well.
  EXPECT_EQ(found(Method::otsu, test::row_of<std::uint8_t>({1, 2, 2, 3})), 1);
}

TEST(AutoThreshold, KindsMeanWhatTheyMeanInThreshold) {
  using Kind = AutoThreshold::Kind;
  const Image image = test::row_of<std::uint16_t>({10, 500, 12, 520});  // otsu: 12
  const auto result = [&](Kind kind) {
    return samples_of<std::uint16_t>(everywhere(AutoThreshold{.kind = kind}, image));
  };
  EXPECT_EQ(result(Kind::binary), (Words{0, 65535, 0, 65535}));
  EXPECT_EQ(result(Kind::binary_inverse), (Words{65535, 0, 65535, 0}));
  EXPECT_EQ(result(Kind::truncate), (Words{10, 12, 12, 12}));
  EXPECT_EQ(result(Kind::to_zero), (Words{0, 500, 0, 520}));
  EXPECT_EQ(result(Kind::to_zero_inverse), (Words{10, 0, 12, 0}));
}

TEST(AutoThreshold, NotANumberIsLeftOut) {
  const Image image = test::row_of<float>({NAN, 1.0f, 9.0f, NAN, 1.0f, INFINITY, 9.0f, -INFINITY});
  EXPECT_EQ(found(Method::otsu, image), 1.0);
  EXPECT_EQ(found(Method::mean, image), 5.0);
  EXPECT_EQ(samples_of<float>(everywhere(AutoThreshold{}, image)), (std::vector<float>{0, 0, 1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(found(Method::li, test::row_of<float>({NAN, NAN})), 0.0);
}

TEST(AutoThreshold, EachChannelOnItsOwnAndViews) {
  const Bytes grey = test::blocks<std::uint8_t>(101, 67);
  Bytes parent(140u * 3u * 70u, 250);
  const View<std::uint8_t> view(parent.data() + 140 * 3 + 6, 101, 67, 3, 140 * 3);
  for (int y = 0; y < 67; ++y)
    for (int x = 0; x < 101; ++x) {
      const std::uint8_t v = grey[std::size_t(y * 101 + x)];
      view.at(x, y, 0) = v;
      view.at(x, y, 1) = 8;
      view.at(x, y, 2) = std::uint8_t(v + 1);
    }
  const AutoThreshold::Result result = apply(AutoThreshold{}, View<const std::uint8_t>(view), view);
  EXPECT_EQ(result.threshold, (std::vector<double>{51, 8, 52}));
  for (int y = 0; y < 67; ++y)
    for (int x = 0; x < 101; ++x) {
      ASSERT_EQ(view.at(x, y, 0), grey[std::size_t(y * 101 + x)] > 51 ? 255 : 0);
      ASSERT_EQ(view.at(x, y, 1), 0);
      ASSERT_EQ(view.at(x, y, 2), view.at(x, y, 0));
    }
  EXPECT_EQ(view.row(0)[-1], 250);
  EXPECT_EQ(view.row(66)[303], 250);
}

TEST(AutoThreshold, Refusals) {
  EXPECT_NE(test::refusal(AutoThreshold{.method = Method(9)}, Image(Format::u8, 2, 2)).find("auto_threshold: method"),
            std::string::npos);
  EXPECT_NE(test::refusal(AutoThreshold{}, Image(Format::u8, 2, 0)).find("auto_threshold: the image is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace zp
