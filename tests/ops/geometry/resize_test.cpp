// Resize against values made by hand, by OpenCV 5.0, Pillow 13.0 and scikit-image 0.26.
// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/resize.h"

#include "ops/geometry/pictures.h"

namespace zp::test {
namespace {

using Method = Resize::Method;
// f32 sums of a few hundred grey levels in another order: a few units of 2^-15.
constexpr float kRounding = 2e-4f;

TEST(Resize, CaseA1LinearSamplesAtPixelCentres) {
  EXPECT_EQ(samples_of<float>(everywhere(Resize{.width = 2, .height = 1}, row_of<float>({10, 20, 30, 40}))),
            (std::vector<float>{15, 35}));
  const Image edge = row_of<float>({0, 100});
  EXPECT_EQ(samples_of<float>(everywhere(Resize{.width = 4, .height = 1}, edge)), (std::vector<float>{0, 25, 75, 100}));
  const auto five =
      samples_of<std::uint8_t>(everywhere(Resize{.width = 5, .height = 1}, row_of<std::uint8_t>({0, 100})));
  EXPECT_EQ(five, (std::vector<std::uint8_t>{0, 10, 50, 90, 100}));
}

TEST(Resize, CaseA2NearestTakesTheCentre) {
  const Resize three{.width = 3, .height = 1, .method = Method::nearest},
      five{.width = 5, .height = 1, .method = Method::nearest};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(three, row_of<std::uint8_t>({0, 10, 20, 30, 40, 50, 60}))),
            (std::vector<std::uint8_t>{10, 30, 50}));
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(five, row_of<std::uint16_t>({7, 9}))),
            (std::vector<std::uint16_t>{7, 7, 9, 9, 9}));
}

TEST(Resize, EqualsOpenCvInFloat) {
  const Image image = quadratic<float>(7, 5);
  expect_near(
      everywhere(Resize{.width = 9, .height = 3}, image),
      {4.33333349f, 10.1111116f, 23.0740757f, 43.8148155f, 72.3333359f, 111.740746f, 158.925934f, 185.444443f, 181.0f,
       52.0f,       63.3333321f, 82.7777786f, 110.0f,      145.0f,      190.888885f, 102.333328f, 50.0f,       108.0f,
       177.666672f, 194.555557f, 144.629623f, 83.5185242f, 125.0f,      111.0f,      152.185196f, 163.222229f, 113.0f},
      kRounding);
  expect_near(everywhere(Resize{.width = 9, .height = 6, .method = Method::cubic}, image),
              {-1.12634099f, 1.62949419f, 12.9631882f, 34.3644867f, 61.5295143f, 95.2816467f, 140.284668f, 208.365753f,
               269.124084f,  5.26059389f, 10.3216877f, 24.8402443f, 49.1669693f, 78.9609375f, 112.619774f, 202.986984f,
               189.470535f,  70.4555054f, 29.2449818f, 37.170063f,  55.645401f,  82.8224182f, 116.666656f, 196.202423f,
               150.674866f,  68.150238f,  51.1200333f, 74.39711f,   82.9576416f, 115.964851f, 163.928589f, 194.658569f,
               156.521423f,  54.7472458f, 59.5775909f, 173.157318f, 142.914795f, 162.944229f, 157.414703f, 160.572174f,
               199.453125f,  62.4314499f, 83.3173447f, 169.850906f, 184.781601f, 210.984024f, 256.812531f, 138.448975f,
               -2.57472229f, 67.1223984f, 126.632637f, 221.178848f, 188.138016f, 49.5730743f},
              kRounding);
  expect_near(everywhere(Resize{.width = 4, .height = 3, .method = Method::cubic}, image),
              {3.44578266f, 37.3958321f, 108.591873f, 192.239349f, 56.0825195f, 106.322266f, 211.431641f, 64.5864258f,
               201.170654f, 69.1121063f, 96.0538177f, 150.822357f},
              kRounding);
  expect_near(everywhere(Resize{.width = 4, .height = 3, .method = Method::area}, image),
              {9.05714226f, 44.4857178f, 119.914291f, 176.828583f, 64.4857178f, 113.628578f, 144.257156f, 97.8571472f,
               182.314301f, 113.514297f, 121.285728f, 147.114288f},
              kRounding);
  expect_near(everywhere(Resize{.width = 9, .height = 6, .method = Method::area}, image),
              {0.0f,        5.0f,        16.0f,       33.0f,       63.0f,       105.0f,      148.0f,      197.0f,
               252.0f,      10.4000006f, 18.257143f,  32.1142845f, 51.9714279f, 85.4000015f, 130.828568f, 176.68573f,
               170.02858f,  81.5999985f, 36.4000015f, 47.1142883f, 63.8285713f, 86.5428619f, 123.399994f, 172.257141f,
               133.199997f, 92.8285751f, 80.4000015f, 78.0f,       91.5714264f, 111.142853f, 136.714294f, 177.0f,
               141.514282f, 90.6857147f, 82.4285736f, 146.0f,      135.199997f, 151.628571f, 152.114273f, 151.285706f,
               195.0f,      75.1714325f, 100.342857f, 146.142868f, 176.000015f, 208.0f,      227.285706f, 142.857132f,
               27.8571434f, 75.0f,       134.142853f, 191.428574f, 181.571442f, 68.0f},
              kRounding);
  expect_near(everywhere(Resize{.width = 5, .height = 9, .method = Method::nearest}, image),
              {0.0f,   28.0f,  63.0f,  112.0f, 252.0f, 0.0f,   28.0f,  63.0f,  112.0f, 252.0f, 13.0f,  51.0f,
               91.0f,  145.0f, 39.0f,  13.0f,  51.0f,  91.0f,  145.0f, 39.0f,  52.0f,  100.0f, 145.0f, 204.0f,
               108.0f, 117.0f, 175.0f, 225.0f, 33.0f,  203.0f, 117.0f, 175.0f, 225.0f, 33.0f,  203.0f, 208.0f,
               20.0f,  75.0f,  144.0f, 68.0f,  208.0f, 20.0f,  75.0f,  144.0f, 68.0f},
              0);
}

TEST(Resize, AntialiasEqualsPillow) {
  const Image image = quadratic<float>(12, 9);
  expect_near(everywhere(Resize{.width = 5, .height = 4, .antialias = true}, image),
              {30.1428566f, 98.8721542f, 143.646942f, 152.493469f, 156.963425f, 120.756104f, 132.145096f,
               125.475609f, 127.664742f, 152.808777f, 146.834152f, 121.248863f, 133.5f,      139.793716f,
               160.262436f, 148.609146f, 140.221298f, 133.585709f, 141.163681f, 135.998856f},
              kRounding);
  expect_near(everywhere(Resize{.width = 5, .height = 4, .method = Method::lanczos3, .antialias = true}, image),
              {10.9557495f, 100.731743f, 150.81395f,  151.788437f, 155.819824f, 122.477776f, 137.05983f,
               121.262703f, 122.906555f, 159.850769f, 160.504333f, 106.903847f, 141.755829f, 138.359161f,
               157.712616f, 146.543427f, 146.321823f, 124.58165f,  151.958633f, 130.113754f},
              kRounding);
}

TEST(Resize, AreaOfWholeFactorIsTheLocalMean) {
  expect_near(everywhere(Resize{.width = 4, .height = 3, .method = Method::area}, quadratic<float>(12, 9)),
              {38.3333333f, 129.888889f, 148.333333f, 150.555556f, 134.555556f, 128.888889f, 135.444444f, 154.222222f,
               151.888889f, 134.333333f, 129.0f, 135.888889f},
              kRounding);
}

TEST(Resize, AreaIsExactInIntegers) {
  // 36 pixels with the sum 18 have the mean 0.5, and 54 have 1.5: halves go to the even neighbour.
  std::vector<std::uint8_t> half(36, 0), more(36, 1);
  for (std::size_t i = 0; i < 18; ++i) half[i] = 1, more[2 * i] = 2;
  const Resize one{.width = 1, .height = 1, .method = Method::area};
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(one, image_of<std::uint8_t>(6, 6, 1, half)))[0], 0);
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(one, image_of<std::uint8_t>(6, 6, 1, more)))[0], 2);
}

TEST(Resize, LanczosWithoutAntialiasEqualsTheFormula) {
  const Image image = quadratic<float>(12, 1);
  const auto p = samples_of<float>(image);
  std::vector<float> expected;
  const double pi = std::acos(-1.0);
  for (int d = 0; d < 17; ++d) {
    const double centre = (d + 0.5) * 12 / 17 - 0.5;
    double sum = 0, weights = 0;
    for (int i = -9; i < 21; ++i) {
      const double t = centre - i;
      if (std::abs(t) >= 3) continue;
      const double w = t == 0 ? 1 : std::sin(pi * t) / (pi * t) * std::sin(pi * t / 3) / (pi * t / 3);
      weights += w;
      sum += w * double(p[std::size_t(i < 0 ? 0 : i > 11 ? 11 : i)]);
    }
    expected.push_back(float(sum / weights));
  }
  expect_near(everywhere(Resize{.width = 17, .height = 1, .method = Method::lanczos3}, image), expected, kRounding);
}

TEST(Resize, IntegersClampWhereKernelsOvershoot) {
  const auto row = samples_of<std::uint8_t>(everywhere(Resize{.width = 24, .height = 1, .method = Method::cubic},
                                                       row_of<std::uint8_t>({0, 0, 0, 255, 255, 255})));
  for (std::size_t i = 1; i < row.size(); ++i) EXPECT_GE(row[i], row[i - 1]) << i;  // a wrap would fall
  EXPECT_EQ(row.front(), 0);
  EXPECT_EQ(row.back(), 255);
}

TEST(Resize, EveryFormatChannelCountAndMethodIsEqualEverywhere) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 2, 3, 4})
      for (const Method method : {Method::nearest, Method::linear, Method::cubic, Method::area, Method::lanczos3}) {
        const Image image = noise({37, 29, channels, format});
        const Image same = everywhere(Resize{.width = 37, .height = 29, .method = method}, image);
        EXPECT_EQ(hash(same.view()), hash(image.view())) << "equal size is a copy";
        everywhere(Resize{.width = 61, .height = 7, .method = method}, image);
        everywhere(Resize{.width = 9, .height = 50, .method = method, .antialias = true}, image);
      }
}

TEST(Resize, ChannelsDoNotMix) {
  const Image image = noise({19, 11, 3, Format::u8});
  for (const Method method : {Method::linear, Method::cubic, Method::area}) {
    const Resize op{.width = 30, .height = 5, .method = method};
    const auto all = samples_of<std::uint8_t>(everywhere(op, image));
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<std::uint8_t> plane;
      const auto samples = samples_of<std::uint8_t>(image);
      for (std::size_t i = c; i < samples.size(); i += 3) plane.push_back(samples[i]);
      const auto one = samples_of<std::uint8_t>(apply(op, image_of<std::uint8_t>(19, 11, 1, plane)));
      for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], all[3 * i + c]) << i;
    }
  }
}

TEST(Resize, AxisLongerThanAnyBufferKeepsItsMean) {
  // Mean of 0..255 repeated, over a span that no line buffer holds.
  std::vector<std::uint8_t> samples;
  for (int i = 0; i < 2 * 25600; ++i) samples.push_back(std::uint8_t(i % 256));
  const Image image = image_of<std::uint8_t>(25600, 2, 1, samples);
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Resize{.width = 1, .height = 1, .method = Method::area}, image))[0],
            128);  // 127.5
  everywhere(Resize{.width = 1, .height = 1, .method = Method::lanczos3, .antialias = true}, image);
  everywhere(Resize{.width = 3, .height = 2, .antialias = true}, noise({20000, 2, 4, Format::f32}));
}

TEST(Resize, SizesFollowScaleAndProportion) {
  const Image image = noise({101, 50, 1, Format::u8});
  const Image a = everywhere(Resize{.scale = 0.25f}, image);
  EXPECT_EQ(a.width(), 25);   // 25.25
  EXPECT_EQ(a.height(), 13);  // 12.5: away from zero
  const Image b = everywhere(Resize{.scale = 0.001f}, image);
  EXPECT_EQ(b.width(), 1);
  EXPECT_EQ(b.height(), 1);
  const Image c = everywhere(Resize{.width = 202}, image);
  EXPECT_EQ(c.height(), 100);
}

TEST(Resize, OnePixelBecomesAPlainArea) {
  for (const Method method : {Method::nearest, Method::linear, Method::cubic, Method::area, Method::lanczos3})
    EXPECT_EQ(samples_of<std::uint8_t>(
                  everywhere(Resize{.width = 3, .height = 2, .method = method}, row_of<std::uint8_t>({93}))),
              std::vector<std::uint8_t>(6, 93));
}

TEST(Resize, NanStaysWithItsNeighbours) {
  const float nan = std::nanf("");
  const auto row = samples_of<float>(everywhere(Resize{.width = 8, .height = 1}, row_of<float>({1, 2, nan, 4})));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(std::isnan(row[i])) << i;
  for (std::size_t i = 3; i < 7; ++i) EXPECT_TRUE(std::isnan(row[i])) << i;
  EXPECT_EQ(row[7], 4);
}

TEST(Resize, RectanglesOfLargerPlanesStayInside) {
  std::vector<std::uint16_t> in(20 * 10, 60000), out(16 * 8, 777);
  const View<std::uint16_t> whole_in(in.data(), 20, 10), whole_out(out.data(), 16, 8);
  const View<std::uint16_t> source = whole_in.sub(3, 2, 5, 4), target = whole_out.sub(1, 1, 10, 6);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) source.at(x, y) = std::uint16_t(100 * y + x);
  apply(Resize{.width = 10, .height = 6, .method = Method::cubic}, source, target);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 16; ++x) {
      const bool inside = x >= 1 && x < 11 && y >= 1 && y < 7;
      EXPECT_TRUE(inside ? whole_out.at(x, y) < 400 : whole_out.at(x, y) == 777) << x << ", " << y;
    }
}

TEST(Resize, RefusesWhatHasNoMeaning) {
  const Image image = noise({8, 8, 1, Format::u8});
  EXPECT_EQ(refusal(Resize{}, {&image}), "resize: width, height or scale must be given");
  EXPECT_EQ(refusal(Resize{.width = 3, .scale = 2}, {&image}),
            "resize: scale and width or height are given; give one of the two");
  EXPECT_EQ(refusal(Resize{.width = -3}, {&image}), "resize: width = -3, allowed 0 to 1.07374e+09 pixels");
  EXPECT_NE(refusal(Resize{.scale = 9e8f}, {&image}).find("the width would be 72"), std::string::npos);
  const Image empty(Format::u8, 0, 5);
  EXPECT_TRUE(apply(Resize{.scale = 2}, empty).empty());
  EXPECT_EQ(refusal(Resize{.width = 4, .height = 4}, {&empty}), "resize: the image is empty (u8 0x5)");
}

}  // namespace
}  // namespace zp::test
