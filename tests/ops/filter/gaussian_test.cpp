// Gaussian smoothing.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/gaussian.h"

#include <thread>

#include "ops/filter/pictures.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Gaussian, IsScipysGaussianFilterOnEveryBorder) {
  // scipy.ndimage.gaussian_filter in double, rounded; no value lies within 0.008 of a tie.
  const std::vector<std::uint8_t> reflect101{114, 120, 132, 137, 137, 138, 140, 122, 126, 135, 139, 139,
                                             139, 140, 131, 134, 139, 142, 142, 141, 141, 127, 131, 137,
                                             142, 142, 140, 140, 123, 127, 135, 141, 141, 139, 138};
  const std::vector<std::uint8_t> replicate{57,  78,  103, 124, 142, 159, 174, 91,  108, 124, 135, 140,
                                            146, 151, 111, 125, 135, 140, 141, 141, 139, 112, 124, 132,
                                            138, 139, 137, 137, 111, 120, 124, 130, 132, 130, 132};
  const std::vector<std::uint8_t> reflect{75,  91,  113, 129, 140, 151, 161, 100, 112, 126, 136, 140,
                                          145, 149, 118, 126, 136, 141, 141, 141, 140, 118, 125, 133,
                                          139, 140, 138, 137, 114, 120, 128, 134, 136, 133, 133};
  const std::vector<std::uint8_t> wrap{116, 114, 122, 131, 135, 133, 125, 122, 124, 131, 136, 137,
                                       134, 128, 127, 130, 136, 141, 140, 137, 131, 124, 125, 131,
                                       138, 140, 136, 130, 117, 115, 122, 132, 136, 134, 126};
  const Image image = test::pattern_image();
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Gaussian{.sigma = 1.3f}, image)), reflect101);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Gaussian{.sigma = 1.3f, .border = Border::replicate}, image)),
            replicate);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Gaussian{.sigma = 1.3f, .border = Border::reflect}, image)),
            reflect);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Gaussian{.sigma = 1.3f, .border = Border::wrap}, image)), wrap);
}

TEST(Gaussian, TakesAnotherSigmaAlongY) {
  // scipy.ndimage.gaussian_filter with sigma (0.6, 2), mode mirror.
  const std::vector<std::uint8_t> expected{89,  93,  106, 121, 134, 143, 146, 137, 137, 138, 137, 133,
                                           129, 127, 153, 152, 150, 149, 149, 150, 150, 126, 128, 135,
                                           141, 144, 146, 146, 123, 124, 126, 127, 127, 126, 125};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Gaussian{.sigma = 2, .sigma_y = 0.6f}, test::pattern_image())),
            expected);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Gaussian{.sigma = 0}, test::pattern_image())), test::pattern());
}

TEST(Gaussian, ImpulseGivesTheWeights) {
  // scipy.ndimage.gaussian_filter1d of a unit impulse, sigma 1: radius 4.
  const std::vector<double> expected{0.0,
                                     0.00013383062461474175,
                                     0.0044318616200312655,
                                     0.05399112742070441,
                                     0.24197144565660073,
                                     0.39894346935609776,
                                     0.24197144565660073,
                                     0.05399112742070441,
                                     0.0044318616200312655,
                                     0.00013383062461474175,
                                     0.0};
  std::vector<float> impulse(11, 0.0f);
  impulse[5] = 1.0f;
  const auto found =
      test::samples_of<float>(everywhere(Gaussian{.sigma_y = 0, .border = Border::constant}, test::row_of(impulse)));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], float(expected[i])) << i;
}

template <class T>
void expect_near_double_sums(const Gaussian& op, int channels, double tolerance) {
  const Image image = test::noise({19, 13, channels, format_of<T>}, 7);
  const Image out = everywhere(op, image);
  const test::Reader<T> in(image, op.border, T(op.value));
  const int radius = op.radius;
  std::vector<double> weights;
  double sum = 0;
  for (int k = -radius; k <= radius; ++k) sum += std::exp(-0.5 * k * k / (double(op.sigma) * op.sigma));
  for (int k = -radius; k <= radius; ++k)
    weights.push_back(std::exp(-0.5 * k * k / (double(op.sigma) * op.sigma)) / sum);
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 19; ++x)
      for (int c = 0; c < channels; ++c) {
        double expected = 0;
        for (int dy = -radius; dy <= radius; ++dy)
          for (int dx = -radius; dx <= radius; ++dx)
            expected += weights[std::size_t(dy + radius)] * weights[std::size_t(dx + radius)] *
                        double(in.at(x + dx, y + dy, c));
        EXPECT_NEAR(double(out.as<T>().at(x, y, c)), expected, tolerance) << x << ' ' << y << ' ' << c;
      }
}

TEST(Gaussian, IsTheDoubleSumWithinRounding) {
  for (const Border border : test::kBorders) {
    const Gaussian op{.sigma = 2, .radius = 5, .border = border, .value = 1};
    expect_near_double_sums<std::uint8_t>(op, 3, 0.5001);
    expect_near_double_sums<std::uint16_t>(op, 2, 0.55);
    expect_near_double_sums<float>(op, 4, 2e-6);
    expect_near_double_sums<float>(op, 1, 2e-6);
  }
}

TEST(Gaussian, CaseA20WindowsLargerThanTheImage) {  // a kernel of 31x31 on 1x1 and 2x1
  for (const Border border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap}) {
    const Gaussian op{.sigma = 4, .radius = 15, .border = border};
    EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(op, test::row_of<std::uint8_t>({7})))[0], 7);
    EXPECT_FLOAT_EQ(test::samples_of<float>(everywhere(op, test::row_of<float>({7})))[0], 7.0f);
    const auto two = test::samples_of<float>(everywhere(op, test::row_of<float>({3, 9})));
    for (const float v : two) {
      EXPECT_GT(v, 3.0f);
      EXPECT_LT(v, 9.0f);
    }
    EXPECT_NEAR(two[0] + two[1], 12.0f, 1e-4f);  // both borders are symmetric
  }
  for (const Extent e : {Extent{0, 1}, Extent{1, 0}, Extent{0, 0}})
    EXPECT_TRUE(everywhere(Gaussian{.sigma = 4, .radius = 15}, Image(Format::u8, e.width, e.height)).empty());
}

TEST(Gaussian, PaddedRectanglesReadNothingBesideThem) {
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    Image parent = test::noise({40, 30, 3, Format::u8}, 3), target(Format::u8, 50, 40, 3);
    std::memset(target.data(), 0xAB, target.bytes());
    const View<std::uint8_t> from = parent.as<std::uint8_t>().sub(5, 7, 21, 17),
                             to = target.as<std::uint8_t>().sub(9, 11, 21, 17);
    Image cut(Format::u8, 21, 17, 3);
    for (int y = 0; y < 17; ++y) std::memcpy(cut.as<std::uint8_t>().row(y), from.row(y), 63);
    const Gaussian op{.sigma = 1.7f, .border = Border::wrap};
    apply(op, from, to);
    const Image expected = apply(op, cut);
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 50; ++x)
        for (int c = 0; c < 3; ++c) {
          const bool inside = x >= 9 && x < 30 && y >= 11 && y < 28;
          ASSERT_EQ(target.as<std::uint8_t>().at(x, y, c),
                    inside ? expected.as<std::uint8_t>().at(x - 9, y - 11, c) : 0xAB)
              << place.text() << ' ' << x << ' ' << y;
        }
  }
}

TEST(Gaussian, CaseA17TwoAtOnceDoNotShareWeights) {
  Image impulse(Format::f32, 64, 64);
  std::memset(impulse.data(), 0, impulse.bytes());
  impulse.as<float>().at(31, 33) = 1.0f;
  for (const test::Place& place : test::places()) {
    const test::At at(place);
    const Gaussian ops[] = {{.sigma = 1}, {.sigma = 5}};
    const std::uint64_t expected[] = {hash(apply(ops[0], impulse).view()), hash(apply(ops[1], impulse).view())};
    EXPECT_NE(expected[0], expected[1]);
    std::vector<int> wrong(2, 0);
    std::vector<std::thread> threads;
    for (int k = 0; k < 2; ++k)
      threads.emplace_back([&, k] {
        const ExecutorScope scope(place.executor);
        for (int round = 0; round < 1000; ++round)
          wrong[std::size_t(k)] += hash(apply(ops[k], impulse).view()) != expected[k];
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, (std::vector<int>{0, 0})) << place.text();
  }
}

TEST(Gaussian, NanReachesItsWindowOnly) {
  std::vector<float> row(9, 1.0f);
  row[4] = std::nanf("");
  const auto found = test::samples_of<float>(everywhere(Gaussian{.radius = 2}, test::row_of(row)));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(std::isnan(found[std::size_t(i)]), i >= 2 && i <= 6) << i;
}

TEST(Gaussian, RefusesWhatItCannotDo) {
  const Image image = test::pattern_image();
  try {
    apply(Gaussian{.sigma = -1}, image);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "gaussian: sigma = -1, allowed 0 to 256 pixels");
  }
  EXPECT_THROW(apply(Gaussian{.sigma = std::nanf("")}, image), Error);
  EXPECT_THROW(apply(Gaussian{.radius = 1025}, image), Error);
  EXPECT_THROW(apply(Gaussian{.border = Border(9)}, image), Error);
}

}  // namespace
}  // namespace zp
