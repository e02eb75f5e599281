// to_tensor: axes, batches, written arithmetic, and binary16 against its definition.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/to_tensor.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::row_of, test::samples_of;
using Layout = ToTensor::Layout;
using Number = ToTensor::Number;

/// The value of binary16 bits that are not a NaN.
double half_value(unsigned bits) {
  const int exponent = int(bits >> 10 & 31u), fraction = int(bits & 1023u);
  const double magnitude = exponent == 31  ? HUGE_VAL
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000u ? -magnitude : magnitude;
}

TEST(ToTensor, nchw_is_channel_after_channel) {
  const Image image = image_of<std::uint8_t>(2, 2, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Image out = everywhere(ToTensor{.scale = 1}, image);
  EXPECT_EQ(out.shape(), (PlaneShape{2, 6, 1, Format::f32}));
  EXPECT_EQ(samples_of<float>(out), (std::vector<float>{1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12}));
}

TEST(ToTensor, nhwc_keeps_pixels) {
  const Image image = image_of<std::uint8_t>(2, 1, 3, {1, 2, 3, 4, 5, 6});
  const Image out = everywhere(ToTensor{.layout = Layout::nhwc, .scale = 1, .order = {2, 1, 0}}, image);
  EXPECT_EQ(out.shape(), (PlaneShape{2, 1, 3, Format::f32}));
  EXPECT_EQ(samples_of<float>(out), (std::vector<float>{3, 2, 1, 6, 5, 4}));
}

TEST(ToTensor, a_batch_is_image_after_image) {
  const Image a = image_of<std::uint16_t>(2, 1, 2, {1, 2, 3, 4}), b = image_of<std::uint16_t>(2, 1, 2, {5, 6, 7, 8}),
              c = image_of<std::uint16_t>(2, 1, 2, {9, 10, 11, 12});
  EXPECT_EQ(samples_of<float>(everywhere(ToTensor{.scale = 1}, {&a, &b, &c})),
            (std::vector<float>{1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12}));
  const Image rows = everywhere(ToTensor{.layout = Layout::nhwc, .scale = 1}, {&a, &b, &c});
  EXPECT_EQ(rows.shape(), (PlaneShape{2, 3, 2, Format::f32}));
  EXPECT_EQ(samples_of<float>(rows), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(ToTensor, each_operation_is_rounded_once) {
  const std::vector<float> mean = {0.485f, 0.456f, 0.406f}, deviation = {0.229f, 0.224f, 0.225f};
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image in = test::noise({37, 11, 3, format});
    const auto out =
        samples_of<float>(everywhere(ToTensor{.mean = mean, .deviation = deviation, .order = {2, 1, 0}}, in));
    const float scale = format == Format::u8 ? 1.0f / 255.0f : format == Format::u16 ? 1.0f / 65535.0f : 1.0f;
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 37 * 11; ++i) {
        const std::size_t at = std::size_t(i) * 3 + std::size_t(2 - c);
        const float v = format == Format::u8    ? float(static_cast<const std::uint8_t*>(in.data())[at])
                        : format == Format::u16 ? float(static_cast<const std::uint16_t*>(in.data())[at])
                                                : static_cast<const float*>(in.data())[at];
        const volatile float scaled = v * scale, centred = scaled - mean[std::size_t(c)],
                             expected = centred / deviation[std::size_t(c)];
        ASSERT_EQ(out[std::size_t(c * 37 * 11 + i)], expected) << c << " " << i;
      }
  }
}

TEST(ToTensor, one_number_serves_all_channels) {
  const Image image = image_of<float>(1, 1, 3, {1, 2, 3});
  EXPECT_EQ(samples_of<float>(everywhere(ToTensor{.scale = 2, .mean = {1}, .deviation = {4}}, image)),
            (std::vector<float>{0.25f, 0.75f, 1.25f}));
}

TEST(ToTensor, half_is_the_nearest_with_ties_to_even) {
  // Every finite binary16, the point half way to the next one, and one float to each side of that.
  std::vector<float> values;
  std::vector<std::uint16_t> expected;
  for (unsigned h = 0; h < 0x7c00u; ++h) {
    const double next = h + 1 < 0x7c00u ? half_value(h + 1) : 65536.0;  // where the next step would be
    const auto middle = float((half_value(h) + next) / 2);
    values.insert(values.end(),
                  {float(half_value(h)), std::nextafter(middle, 0.0f), middle, std::nextafter(middle, 1e9f)});
    for (const unsigned bits : {h, h, h % 2 ? h + 1 : h, h + 1}) expected.push_back(std::uint16_t(bits));
  }
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(-values[i]);
    expected.push_back(std::uint16_t(expected[i] | 0x8000u));
  }
  const Image out = everywhere(ToTensor{.format = Number::f16}, row_of(values));
  ASSERT_EQ(out.format(), Format::u16);
  const auto bits = samples_of<std::uint16_t>(out);
  for (std::size_t i = 0; i < bits.size(); ++i) ASSERT_EQ(bits[i], expected[i]) << values[i];
}

TEST(ToTensor, half_special_values) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {0.0f,   -0.0f,  kInf,   -kInf,  1e30f, 65504, 65519.99f, 65520,
                                     -65520, 1e-30f, 1e-45f, -1e-8f, 1,     -2,    0.1f};
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(ToTensor{.format = Number::f16}, row_of(values))),
            (std::vector<std::uint16_t>{0, 0x8000, 0x7c00, 0xfc00, 0x7c00, 0x7bff, 0x7bff, 0x7c00, 0xfc00, 0, 0, 0x8000,
                                        0x3c00, 0xc000, 0x2e66}));
  const auto nans = samples_of<std::uint16_t>(
      everywhere(ToTensor{.format = Number::f16}, row_of<float>({std::nanf(""), -std::nanf("")})));
  EXPECT_EQ(nans, (std::vector<std::uint16_t>{0x7e00, 0x7e00}));
  EXPECT_TRUE(std::isnan(samples_of<float>(everywhere(ToTensor{}, row_of<float>({std::nanf("")})))[0]));
}

TEST(ToTensor, wide_rows_and_rectangles) {
  for (const Layout layout : {Layout::nchw, Layout::nhwc})
    for (const Number format : {Number::f32, Number::f16}) {
      const ToTensor op{.layout = layout, .format = format, .mean = {0.5f}};
      const Image wide = test::noise({1541, 3, 3, Format::u8}), parent = test::noise({60, 40, 4, Format::u16});
      everywhere(op, wide);
      const View<const std::uint16_t> part = parent.as<std::uint16_t>().sub(5, 3, 31, 17);
      Image tight(Format::u16, 31, 17, 4);
      for (int y = 0; y < 17; ++y) std::memcpy(tight.as<std::uint16_t>().row(y), part.row(y), 31 * 4 * 2);
      const Image expected = apply(op, tight);
      Image around(PlaneShape{expected.width() + 7, expected.height() + 2, expected.channels(), expected.format()});
      const PlaneView whole = around.view();
      const std::size_t skip = 3 * std::size_t(expected.channels()) * bytes_of(expected.format());
      const PlaneView inside(static_cast<char*>(whole.data) + whole.pitch + std::ptrdiff_t(skip), expected.shape(),
                             whole.pitch);
      apply(op, {ConstPlaneView(part)}, inside);
      EXPECT_EQ(hash(inside), hash(expected.view()));
    }
}

TEST(ToTensor, empty_images_and_refusals) {
  EXPECT_EQ(apply(ToTensor{}, Image(Format::u8, 0, 4, 3)).shape(), (PlaneShape{0, 12, 1, Format::f32}));
  const auto message = [](const ToTensor& op, const Image& a, const Image& b) -> std::string {
    try {
      apply(op, a, b);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  const Image a(Format::u8, 4, 3, 3);
  EXPECT_EQ(message({}, a, Image(Format::u8, 4, 3)),
            "to_tensor: input 2 is u8 4x3, but input 1 is u8 4x3x3; the images of a batch are alike");
  EXPECT_EQ(message({.mean = {1, 2}}, a, a),
            "to_tensor: mean has 2 numbers, allowed 1 or 3 for a tensor of 3 channels");
  EXPECT_EQ(message({.deviation = {1, 2}, .order = {0}}, a, a),
            "to_tensor: deviation has 2 numbers, allowed 1 for a tensor of 1 channel");
  EXPECT_EQ(message({.deviation = {1, 0, 1}}, a, a), "to_tensor: deviation = 0, allowed any other number");
  EXPECT_EQ(message({.order = {3}}, a, a), "to_tensor: order = 3, allowed whole numbers 0 to 2 for u8 4x3x3");
}

}  // namespace
}  // namespace zp
