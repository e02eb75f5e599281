// flat_field: values by hand, targets per channel and site, a reference in double, pixels that must not become NaN.
// SPDX-License-Identifier: Apache-2.0
#include "ops/arithmetic/flat_field.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::row_of, test::samples_of;
using Per = FlatField::Per;
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(FlatField, values_by_hand) {
  // flat - dark = 100, 50, 200, 50: mean 100.
  const Image frame = row_of<std::uint8_t>({60, 35, 110, 10}), flat = row_of<std::uint8_t>({110, 60, 210, 60}),
              dark = row_of<std::uint8_t>({10, 10, 10, 10});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(FlatField{}, {&frame, &flat, &dark})),
            (std::vector<std::uint8_t>{50, 50, 50, 0}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(FlatField{.target = 200}, {&frame, &flat, &dark})),
            (std::vector<std::uint8_t>{100, 100, 100, 0}));
  // Without a dark: mean 110, 60 * 110 / 110 = 60, 35 * 110 / 60 = 64.17, 110 * 110 / 210 = 57.6, 10 * 110 / 60 = 18.3.
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(FlatField{}, {&frame, &flat})),
            (std::vector<std::uint8_t>{60, 64, 58, 18}));
}

TEST(FlatField, of_the_flat_itself_is_even) {
  const Image flat = test::noise({61, 23, 1, Format::u16});
  Image dark(Format::u16, 61, 23);
  for (auto *p = static_cast<std::uint16_t*>(dark.data()), *end = p + 61 * 23; p != end; ++p) *p = 7;
  const auto out = samples_of<std::uint16_t>(everywhere(FlatField{.target = 1000}, {&flat, &flat, &dark}));
  const auto source = samples_of<std::uint16_t>(flat);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], source[i] > 7 ? 1000 : 0);
}

TEST(FlatField, pixels_without_light_are_0_and_results_saturate) {
  const Image frame = row_of<std::uint16_t>({100, 100, 65535, 3}), flat = row_of<std::uint16_t>({50, 10, 51, 1000}),
              dark = row_of<std::uint16_t>({50, 20, 50, 50});
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(FlatField{.target = 500}, {&frame, &flat, &dark})),
            (std::vector<std::uint16_t>{0, 0, 65535, 0}));
}

TEST(FlatField, is_never_nan) {
  const float nan = std::nanf("");
  std::vector<float> values{0, 1, -1, kInf, -kInf, nan}, v, f, d;
  for (const float a : values)
    for (const float b : values)
      for (const float c : values) v.push_back(a), f.push_back(b), d.push_back(c);
  const Image frame = row_of(v), flat = row_of(f), dark = row_of(d);
  for (const FlatField& op :
       {FlatField{}, FlatField{.target = 1}, FlatField{.target = 0}, FlatField{.per = Per::bayer}}) {
    const auto out = samples_of<float>(everywhere(op, {&frame, &flat, &dark}));
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_FALSE(std::isnan(out[i])) << v[i] << " " << f[i] << " " << d[i];
      if (!(f[i] > d[i])) {
        EXPECT_EQ(out[i], 0) << v[i] << " " << f[i] << " " << d[i];
      }
    }
  }
}

/// Means in long double, the pixel's formula in f32.
template <class T>
void expect_reference(const PlaneShape& shape, int flat_channels, int dark_channels, Per per) {
  PlaneShape flat_shape = shape, dark_shape = shape;
  flat_shape.channels = flat_channels;
  dark_shape.channels = dark_channels;
  const Image frame = test::noise(shape), flat = test::noise(flat_shape, 2);
  Image dark = dark_channels ? test::noise(dark_shape, 3) : Image();
  for (std::size_t i = 0; dark_channels && i < dark_shape.samples(); ++i) static_cast<T*>(dark.data())[i] /= T(4);
  const auto light = [&](int x, int y, int c) { return float(flat.as<T>().at(x, y, flat_channels == 1 ? 0 : c)); };
  const auto black = [&](int x, int y, int c) {
    return dark_channels ? float(dark.as<T>().at(x, y, dark_channels == 1 ? 0 : c)) : 0.0f;
  };
  const auto slot = [&](int x, int y, int c) { return per == Per::bayer ? y % 2 * 2 + x % 2 : c; };
  long double sum[4] = {};
  int count[4] = {};
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x)
      for (int c = 0; c < shape.channels; ++c) {
        sum[slot(x, y, c)] += light(x, y, c) - black(x, y, c);
        ++count[slot(x, y, c)];
      }
  const Image out = !dark_channels ? everywhere(FlatField{.per = per}, {&frame, &flat})
                                   : everywhere(FlatField{.per = per}, {&frame, &flat, &dark});
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x)
      for (int c = 0; c < shape.channels; ++c) {
        const int k = slot(x, y, c);
        const double target = double(sum[k] / count[k]), range = double(light(x, y, c)) - double(black(x, y, c));
        const double exact =
            range > 0 ? (double(frame.as<T>().at(x, y, c)) - double(black(x, y, c))) * target / range : 0.0;
        const double got = double(out.as<T>().at(x, y, c)), white = white_of(shape.format);
        const double saturated = exact < 0 ? 0 : exact > white ? white : exact;
        if constexpr (std::is_same_v<T, float>)
          ASSERT_NEAR(got, exact, std::fabs(exact) * 1e-5 + 1e-6 * std::fabs(target / range))
              << x << ", " << y << ", " << c;
        else
          ASSERT_NEAR(got, saturated, 0.5 + saturated * 1e-6) << x << ", " << y << ", " << c;
      }
}

TEST(FlatField, agrees_with_a_reference_in_double) {
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 7}, {67, 43}}) {
    for (const auto& [channels, flat, dark] :
         {std::tuple{1, 1, 0}, {1, 1, 1}, {3, 3, 3}, {3, 1, 3}, {3, 3, 1}, {3, 1, 1}, {4, 4, 0}, {2, 1, 0}}) {
      expect_reference<std::uint8_t>({w, h, channels, Format::u8}, flat, dark, Per::channel);
      expect_reference<std::uint16_t>({w, h, channels, Format::u16}, flat, dark, Per::channel);
      expect_reference<float>({w, h, channels, Format::f32}, flat, dark, Per::channel);
    }
    for (const int dark : {0, 1}) {
      expect_reference<std::uint8_t>({w, h, 1, Format::u8}, 1, dark, Per::bayer);
      expect_reference<std::uint16_t>({w, h, 1, Format::u16}, 1, dark, Per::bayer);
      expect_reference<float>({w, h, 1, Format::f32}, 1, dark, Per::bayer);
    }
  }
}

TEST(FlatField, per_site_keeps_the_colours_of_a_mosaic) {
  // Sites of flat: 200, 100, 100, 50 everywhere, so each site is its own mean and the frame does not change.
  Image flat(Format::u16, 9, 7);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 9; ++x) flat.as<std::uint16_t>().at(x, y) = std::uint16_t(200 >> (x % 2 + y % 2));
  const Image frame = test::noise({9, 7, 1, Format::u16});
  EXPECT_EQ(hash(everywhere(FlatField{.per = Per::bayer}, {&frame, &flat}).view()), hash(frame.view()));
  EXPECT_NE(hash(everywhere(FlatField{}, {&frame, &flat}).view()), hash(frame.view()));
}

TEST(FlatField, works_in_place_and_on_parts) {
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    for (const Per per : {Per::channel, Per::bayer}) {
      const FlatField op{.per = per};
      Image frame = test::noise({40, 30, 1, Format::u16});
      const Image flat = test::noise({40, 30, 1, Format::u16}, 2), before = frame.clone();
      const View<std::uint16_t> part = frame.as<std::uint16_t>().sub(3, 5, 21, 11);
      const View<const std::uint16_t> light = flat.as<std::uint16_t>().sub(7, 2, 21, 11);
      Image out(Format::u16, 21, 11);
      apply(op, View<const std::uint16_t>(part), light, out.as<std::uint16_t>());
      apply(op, {View<const std::uint16_t>(part), light}, part);
      for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x) {
          const bool inside = x >= 3 && x < 24 && y >= 5 && y < 16;
          ASSERT_EQ(frame.as<std::uint16_t>().at(x, y),
                    inside ? out.as<std::uint16_t>().at(x - 3, y - 5) : before.as<std::uint16_t>().at(x, y));
        }
      // The flat itself may be the output.
      Image target = flat.clone();
      apply(op, {before.view(), target.view()}, target.view());
      EXPECT_EQ(hash(target.view()), hash(apply(op, before, flat).view()));
    }
  }
}

TEST(FlatField, refuses_what_it_cannot_serve) {
  const Image color = test::noise({4, 4, 3, Format::u8}), grey = test::noise({4, 4, 1, Format::u8});
  const auto message = [](const FlatField& op, std::initializer_list<ConstPlaneView> in) -> std::string {
    try {
      apply(op, std::span<const ConstPlaneView>(in.begin(), in.size()));
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  EXPECT_EQ(message({.per = Per::bayer}, {color.view(), color.view()}),
            "flat_field: per = bayer takes 1 channel, but the frame is u8 4x4x3");
  EXPECT_EQ(message({}, {grey.view()}), "flat_field: 1 input, takes 2 to 3");
  EXPECT_EQ(
      message({}, {grey.view(), color.view()}),
      "flat_field: input 2 is u8 4x4x3, but input 1 is u8 4x4; size and format must be equal, and channels equal or 1");
  EXPECT_NE(message({.target = -1}, {grey.view(), grey.view()}).find("flat_field: target = -1, allowed 0 to"),
            std::string::npos);
}

}  // namespace
}  // namespace zp
