// Synthetic frames: size, format, range, and what each scene promises.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/synth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/threads.h"
#include "zeroplane/error.h"
#include "zeroplane/hash.h"
#include "zeroplane/memory.h"

namespace zp::test {
namespace {

class Synth : public testing::Test {
 protected:
  void SetUp() override { initialize({.device = "none"}); }
};

TEST_F(Synth, EverySceneHasTheSizeAndFormatAskedFor) {
  for (std::size_t k = 0; k < scene_names().size(); ++k)
    for (const Format format : {Format::u8, Format::u16, Format::f32}) {
      const Scene scene = Scene(k);
      const auto images = synth(scene, {.width = 33, .height = 21, .format = format, .slices = 3});
      ASSERT_EQ(images.size(), scene == Scene::zstack ? 3u : 1u) << scene_names()[k];
      for (const Image& image : images)
        EXPECT_EQ(image.shape(), (PlaneShape{33, 21, scene == Scene::brightfield ? 3 : 1, format}));
    }
}

TEST_F(Synth, DefaultsToACameraFrame) {
  EXPECT_EQ(synth(Scene::ramp)[0].shape(), (PlaneShape{4112, 3008, 1, Format::u16}));
}

TEST_F(Synth, TheBitsDependOnTheSeedAndOnNothingElse) {
  for (std::size_t k = 0; k < scene_names().size(); ++k) {
    const Scene scene = Scene(k);
    const auto of = [&](unsigned seed, int threads) {
      set_threads(threads);
      const std::uint64_t h = hash(synth(scene, {.width = 150, .height = 70, .seed = seed})[0].view());
      set_threads(0);
      return h;
    };
    EXPECT_EQ(of(1, 1), of(1, 5)) << scene_names()[k];
    if (scene != Scene::ramp) {
      EXPECT_NE(of(1, 1), of(2, 1)) << scene_names()[k];
    }
  }
}

TEST_F(Synth, ARampGoesFromBlackToWhite) {
  const Image image = std::move(synth(Scene::ramp, {.width = 256, .height = 2, .format = Format::u8})[0]);
  for (int x = 0; x < 256; ++x) EXPECT_EQ(image.as<std::uint8_t>().at(x, 1), x);  // x * 255 / 255
}

TEST_F(Synth, NoiseUsesTheWholeRangeEvenly) {
  const Image image = std::move(synth(Scene::noise, {.width = 512, .height = 512})[0]);
  const auto view = image.as<std::uint16_t>();
  double sum = 0;
  const auto count = std::size_t(512) * 512;
  for (std::size_t i = 0; i < count; ++i) sum += view.data[i];
  // Uniform on 0..65535: the mean of 2^18 samples strays by 18918 / 512 = 37 (one sigma).
  EXPECT_NEAR(sum / double(count), 32767.5, 6 * 37.0);
  EXPECT_LT(*std::min_element(view.data, view.data + count), 10);
  EXPECT_GT(*std::max_element(view.data, view.data + count), 65525);
}

TEST_F(Synth, TheFlatIsBrighterThanTheDarkEverywhereAndNothingSaturates) {
  const SynthOptions options{.width = 400, .height = 300};
  const Image frame = std::move(synth(Scene::bayer, options)[0]), flat = std::move(synth(Scene::flat, options)[0]),
              dark = std::move(synth(Scene::dark, options)[0]);
  for (int y = 0; y < 300; ++y)
    for (int x = 0; x < 400; ++x) {
      const int f = flat.as<std::uint16_t>().at(x, y), d = dark.as<std::uint16_t>().at(x, y);
      ASSERT_GT(f, d + 1000);
      ASSERT_LT(f, 65535);
      ASSERT_LT(frame.as<std::uint16_t>().at(x, y), 65535);
    }
}

TEST_F(Synth, ThePatternSaysWhichSiteIsGreen) {
  // The flat's green sites are the brightest of each 2x2.
  for (const char* pattern : {"rggb", "bggr", "grbg", "gbrg"}) {
    const Image flat = std::move(synth(Scene::flat, {.width = 40, .height = 40, .pattern = pattern})[0]);
    const auto v = flat.as<std::uint16_t>();
    const int sites[] = {v.at(20, 20), v.at(21, 20), v.at(20, 21), v.at(21, 21)};
    int green = 60000, other = 0;
    for (int k = 0; k < 4; ++k) {
      if (pattern[k] == 'g')
        green = std::min(green, sites[k]);
      else
        other = std::max(other, sites[k]);
    }
    EXPECT_GT(green, other) << pattern;
  }
}

TEST_F(Synth, RefusesWhatItCannotMake) {
  EXPECT_THROW(synth(Scene::noise, {.format = Format::u32}), Error);
  EXPECT_THROW(synth(Scene::noise, {.width = -1}), Error);
  EXPECT_THROW(synth(Scene::zstack, {.slices = 0}), Error);
  EXPECT_THROW(synth(Scene::bayer, {.pattern = "rgbg"}), Error);
  EXPECT_TRUE(synth(Scene::noise, {.width = 0})[0].empty());
}

}  // namespace
}  // namespace zp::test
