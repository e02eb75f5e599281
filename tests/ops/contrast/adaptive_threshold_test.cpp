// Tests of adaptive_threshold.
// SPDX-License-Identifier: Apache-2.0
#include "ops/contrast/adaptive_threshold.h"

#include <gtest/gtest.h>

#include "ops/contrast/pictures.h"

namespace zp {
namespace {

using test::everywhere;
using test::samples_of;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;
using Method = AdaptiveThreshold::Method;

/// The threshold of one pixel by its definition, the window summed from scratch in long double.
template <class T>
double limit_at(const View<const T>& in, int x, int y, int c, const AdaptiveThreshold& op) {
  const Border border = op.method == Method::mean ? Border::replicate : Border::reflect101;
  const int r = op.radius;
  const long double n = (2.0L * r + 1) * (2 * r + 1);
  long double sum = 0, squares = 0;
  const auto at = [&](int dx, int dy) {
    return static_cast<long double>(
        in.at(border_index(x + dx, in.width, border), border_index(y + dy, in.height, border), c));
  };
  for (int dy = -r; dy <= r; ++dy)
    for (int dx = -r; dx <= r; ++dx) sum += at(dx, dy);
  const long double mean = sum / n;
  for (int dy = -r; dy <= r; ++dy)
    for (int dx = -r; dx <= r; ++dx) squares += (at(dx, dy) - mean) * (at(dx, dy) - mean);
  const long double deviation = std::sqrt(squares / n), k = op.k;
  const long double range = is_automatic(op.range) ? white_of(format_of<T>) / 2 : double(op.range);
  switch (op.method) {
    case Method::mean:
      return double(std::is_same_v<T, float> ? static_cast<long double>(static_cast<float>(mean)) : std::rint(mean)) -
             double(op.offset);
    case Method::sauvola:
      return double(mean * (1 + k * (deviation / range - 1)) - op.offset);
    default:
      return double(mean - k * deviation - op.offset);
  }
}

template <class T>
void expect_reference(const AdaptiveThreshold& op, const PlaneShape& shape) {
  const Image image = test::noise(shape, 21);
  const View<const T> in = image.as<T>();
  std::vector<T> expected;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x)
      for (int c = 0; c < shape.channels; ++c)
        expected.push_back(double(in.at(x, y, c)) > limit_at(in, x, y, c, op) ? T(white_of(shape.format)) : T(0));
  EXPECT_EQ(samples_of<T>(everywhere(op, image)), expected)
      << describe(shape) << " radius " << op.radius << " method " << int(op.method);
}

TEST(AdaptiveThreshold, IsItsDefinition) {
  for (const Method method : {Method::mean, Method::sauvola, Method::niblack})
    for (const int radius : {1, 2, 7, 19})
      for (const PlaneShape shape : {PlaneShape{37, 29}, PlaneShape{1, 1}, PlaneShape{1, 23}, PlaneShape{41, 2, 3}}) {
        PlaneShape s = shape;
        const AdaptiveThreshold op{.method = method, .radius = radius, .offset = 0, .k = 0.3f};
        expect_reference<std::uint8_t>(op, s);
        s.format = Format::u16;
        expect_reference<std::uint16_t>(op, s);
        s.format = Format::f32;
        expect_reference<float>(op, s);
      }
  const PlaneShape s{33, 20, 1, Format::f32};
  expect_reference<float>({.method = Method::sauvola, .radius = 3, .offset = -0.1f, .k = -0.5f, .range = 0.2f}, s);
  expect_reference<float>({.method = Method::niblack, .radius = 3, .offset = 0.1f}, s);
  expect_reference<float>({.method = Method::mean, .radius = 5, .offset = 0.05f}, s);
}

// Sums of OpenCV 5.0's adaptiveThreshold (mean, gaussian) with 255 and THRESH_BINARY.
TEST(AdaptiveThreshold, EqualsOpenCv) {
  struct {
    int width, height, radius;
    float offset;
    std::uint64_t mean, gaussian;
  } const rows[] = {
      {101, 67, 1, 0, 2803775235u, 2775965445u},         {101, 67, 3, 5, 3585847740u, 3755347770u},
      {101, 67, 7, 2.5f, 2597918580u, 3045994380u},      {101, 67, 40, -3, 1928369415u, 1928369415u},
      {300, 211, 1, 0, 243557246025u, 241338142440u},    {300, 211, 3, 5, 311646368865u, 327702673110u},
      {300, 211, 7, 2.5f, 229870664940u, 264103508925u}, {300, 211, 40, -3, 170295515250u, 170295515250u}};
  for (const auto& r : rows) {
    const Image image = test::image_of(r.width, r.height, 1, test::blocks<std::uint8_t>(r.width, r.height));
    AdaptiveThreshold op{.radius = r.radius, .offset = r.offset};
    EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(op, image))), r.mean)
        << r.width << ' ' << r.radius;
    op.method = Method::gaussian;
    EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(op, image))), r.gaussian)
        << r.width << ' ' << r.radius;
  }
}

// Sums of image > threshold_niblack(image, 2 * radius + 1, k), and threshold_sauvola, of scikit-image 0.26.
TEST(AdaptiveThreshold, EqualsScikitImage) {
  struct {
    Format format;
    int width, height, radius;
    float k;
    std::uint64_t niblack, sauvola;
  } const rows[] = {{Format::u8, 101, 67, 1, 0.25f, 3354791730u, 5065203720u},
                    {Format::u8, 101, 67, 7, 0.25f, 2972782860u, 3131501745u},
                    {Format::u8, 101, 67, 20, -0.5f, 1927924185u, 1928213865u},
                    {Format::u16, 101, 67, 1, 0.25f, 863053942065u, 1305621954990u},
                    {Format::u16, 101, 67, 7, 0.25f, 762970593975u, 813592252770u},
                    {Format::u16, 101, 67, 20, -0.5f, 495476515545u, 495476974290u},
                    {Format::u8, 300, 211, 1, 0.25f, 291748451625u, 441353031000u},
                    {Format::u8, 300, 211, 7, 0.25f, 258245157795u, 275801928450u},
                    {Format::u8, 300, 211, 20, -0.5f, 170214957180u, 170247472485u},
                    {Format::u16, 300, 211, 1, 0.25f, 74938779021450u, 113812973974170u},
                    {Format::u16, 300, 211, 7, 0.25f, 66332712270315u, 71652128124720u},
                    {Format::u16, 300, 211, 20, -0.5f, 43745243995260u, 43737105203610u}};
  for (const auto& r : rows)
    for (const Method method : {Method::niblack, Method::sauvola}) {
      const AdaptiveThreshold op{.method = method, .radius = r.radius, .k = r.k};
      const std::uint64_t expected = method == Method::niblack ? r.niblack : r.sauvola;
      const auto text = [&] { return describe({r.width, r.height, 1, r.format}) + " " + std::to_string(r.radius); };
      if (r.format == Format::u8) {
        const Image image = test::image_of(r.width, r.height, 1, test::blocks<std::uint8_t>(r.width, r.height));
        EXPECT_EQ(test::weighted_sum(samples_of<std::uint8_t>(everywhere(op, image))), expected) << text();
      } else {
        const Image image = test::image_of(r.width, r.height, 1, test::blocks<std::uint16_t>(r.width, r.height));
        EXPECT_EQ(test::weighted_sum(samples_of<std::uint16_t>(everywhere(op, image))), expected) << text();
      }
    }
}

TEST(AdaptiveThreshold, ConstantsAreBackground) {
  for (const int radius : {1, 7, 100, 511})
    for (const Method method : {Method::mean, Method::niblack, Method::gaussian}) {
      const AdaptiveThreshold op{.method = method, .radius = radius};
      EXPECT_EQ(samples_of<std::uint8_t>(everywhere(op, test::image_of(19, 7, 1, Bytes(133, 100)))), Bytes(133, 0));
      EXPECT_EQ(samples_of<std::uint16_t>(everywhere(op, test::image_of(19, 7, 1, Words(133, 65535)))), Words(133, 0));
      if (method == Method::gaussian) continue;  // sums of f32 round
      for (const float v : {0.3f, 1000.1f, -3e30f})
        EXPECT_EQ(samples_of<float>(everywhere(op, test::image_of(19, 7, 1, std::vector<float>(133, v)))),
                  std::vector<float>(133, 0.0f))
            << v << ' ' << radius;
    }
}

TEST(AdaptiveThreshold, LargestSumsDoNotWrap) {
  // One black corner among white pixels: every window of 1023 x 1023 holds it thousands of times.
  Words words(11 * 9, 65535);
  words[0] = 0;
  for (const Method method : {Method::mean, Method::niblack, Method::sauvola}) {
    const AdaptiveThreshold op{.method = method, .radius = 511};
    Words expected(11 * 9, 65535);
    expected[0] = 0;
    EXPECT_EQ(samples_of<std::uint16_t>(everywhere(op, test::image_of(11, 9, 1, words))), expected) << int(method);
  }
}

TEST(AdaptiveThreshold, NanIsBackgroundAndSpoilsItsWindowsOnly) {
  std::vector<float> samples(21 * 15);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = i % 2 ? 0.9f : 0.1f;
  const AdaptiveThreshold clean{.radius = 2};
  for (const Method method : {Method::mean, Method::niblack}) {
    AdaptiveThreshold op = clean;
    op.method = method;
    const std::vector<float> before = samples_of<float>(everywhere(op, test::image_of(21, 15, 1, samples)));
    std::vector<float> holed = samples;
    holed[7 * 21 + 10] = NAN;
    const std::vector<float> after = samples_of<float>(everywhere(op, test::image_of(21, 15, 1, holed)));
    for (int y = 0; y < 15; ++y)
      for (int x = 0; x < 21; ++x) {
        const bool near = std::abs(x - 10) <= 2 && std::abs(y - 7) <= 2;
        EXPECT_EQ(after[std::size_t(y * 21 + x)], near ? 0.0f : before[std::size_t(y * 21 + x)]) << x << ' ' << y;
      }
  }
}

TEST(AdaptiveThreshold, PartsOfLargerPlanesInPlace) {
  const Bytes inner = test::slope<std::uint8_t>(37, 29);
  for (const Method method : {Method::mean, Method::gaussian, Method::sauvola}) {
    const AdaptiveThreshold op{.method = method, .radius = 4, .offset = 1};
    Bytes parent(60u * 40u, 9);
    const View<std::uint8_t> view(parent.data() + 5 * 60 + 11, 37, 29, 1, 60);
    for (int y = 0; y < 29; ++y) std::copy_n(inner.data() + y * 37, 37, view.row(y));
    const Bytes expected = samples_of<std::uint8_t>(apply(op, test::image_of(37, 29, 1, inner)));
    apply(op, View<const std::uint8_t>(view), view);
    for (int y = 0; y < 29; ++y) EXPECT_TRUE(std::equal(view.row(y), view.row(y) + 37, expected.data() + y * 37)) << y;
    EXPECT_EQ(view.row(0)[-1], 9);
    EXPECT_EQ(view.row(28)[37], 9);
  }
}

TEST(AdaptiveThreshold, Refusals) {
  const Image grey(Format::u8, 4, 4);
  EXPECT_EQ(test::refusal(AdaptiveThreshold{.radius = 0}, grey),
            "adaptive_threshold: radius = 0, allowed 1 to 511 pixels");
  EXPECT_NE(test::refusal(AdaptiveThreshold{.range = 0}, grey).find("adaptive_threshold: range = 0"),
            std::string::npos);
  EXPECT_NE(test::refusal(AdaptiveThreshold{.method = Method(4)}, grey).find("adaptive_threshold: method"),
            std::string::npos);
  EXPECT_NE(test::refusal(AdaptiveThreshold{.k = NAN}, grey).find("adaptive_threshold: k is not a number"),
            std::string::npos);
  EXPECT_TRUE(apply(AdaptiveThreshold{}, Image(Format::u8, 0, 5)).empty());
}

}  // namespace
}  // namespace zp
