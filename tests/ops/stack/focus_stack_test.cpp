// FocusStack against windows summed one by one, and on a stack whose depth is known.
// SPDX-License-Identifier: Apache-2.0
#include "ops/stack/focus_stack.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "support/everywhere.h"

namespace zp::test {
namespace {

using Method = FocusStack::Method;
using Product = FocusStack::Product;

int reflected(int i, int n) {
  while (i < 0 || i >= n) i = n == 1 ? 0 : (i < 0 ? -i : 2 * n - 2 - i);
  return i;
}

double squared_contrast(const View<const std::uint8_t>& v, int x, int y, int c, Method method) {
  const auto at = [&](int dx, int dy) {
    return double(v.at(reflected(x + dx, v.width), reflected(y + dy, v.height), c));
  };
  if (method == Method::laplacian) {
    const double l = at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - 4 * at(0, 0);
    return l * l;
  }
  double gx = 0, gy = 0;
  const int smooth[] = {1, 2, 1};
  for (int k = -1; k <= 1; ++k) {
    gx += smooth[k + 1] * (at(1, k) - at(-1, k));
    gy += smooth[k + 1] * (at(k, 1) - at(k, -1));
  }
  return gx * gx + gy * gy;
}

/// Whole-number energies below 2^24, exact in f32 too.
std::vector<std::uint16_t> sharpest(const std::vector<Image>& slices, int radius, Method method) {
  const int width = slices[0].width(), height = slices[0].height();
  std::vector<std::uint16_t> found;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double largest = -1;
      std::uint16_t best = 0;
      for (std::size_t k = 0; k < slices.size(); ++k) {
        const View<const std::uint8_t> v = ConstPlaneView(slices[k].view()).as<const std::uint8_t>();
        double energy = 0;
        for (int dy = -radius; dy <= radius; ++dy)
          for (int dx = -radius; dx <= radius; ++dx)
            for (int c = 0; c < v.channels; ++c)
              energy += squared_contrast(v, reflected(x + dx, width), reflected(y + dy, height), c, method);
        if (energy > largest) largest = energy, best = std::uint16_t(k);
      }
      found.push_back(best);
    }
  return found;
}

/// Noise in 0..low, so that energies stay small.
std::vector<Image> quiet_slices(const PlaneShape& shape, int count, int levels) {
  std::vector<Image> slices;
  for (int k = 0; k < count; ++k) {
    slices.push_back(noise(shape, unsigned(k + 1)));
    auto* p = static_cast<std::uint8_t*>(slices.back().data());
    for (std::size_t i = 0; i < shape.samples(); ++i) p[i] = std::uint8_t(p[i] % levels);
  }
  return slices;
}

TEST(FocusStack, EqualsWindowsSummedOneByOne) {
  struct Row {
    PlaneShape shape;
    int slices, radius, levels;
  };
  for (const Row& row : {Row{{37, 23, 1, Format::u8}, 5, 1, 32}, Row{{9, 14, 3, Format::u8}, 3, 3, 16},
                         Row{{300, 3, 1, Format::u8}, 2, 2, 32}, Row{{1, 1, 1, Format::u8}, 3, 4, 32},
                         Row{{1, 40, 1, Format::u8}, 3, 4, 32}, Row{{7, 6, 2, Format::u8}, 4, 15, 8},
                         Row{{33, 1, 1, Format::u8}, 19, 0, 32}})
    for (const Method method : {Method::laplacian, Method::tenengrad}) {
      const std::vector<Image> slices = quiet_slices(row.shape, row.slices, row.levels);
      const Image depth = everywhere(
          FocusStack{.radius = row.radius, .method = method, .consistency = 0, .product = Product::depth}, slices);
      EXPECT_EQ(samples_of<std::uint16_t>(depth), sharpest(slices, row.radius, method))
          << describe(row.shape) << " radius " << row.radius << " method " << int(method);
    }
}

TEST(FocusStack, TheImageHasThePixelsThatTheDepthNames) {
  for (const Format format : {Format::u8, Format::u16, Format::f32})
    for (const int channels : {1, 3, 4}) {
      std::vector<Image> slices;
      for (int k = 0; k < 18; ++k) slices.push_back(noise({29, 17, channels, format}, unsigned(k + 1)));
      const std::vector<std::uint16_t> depth =
          samples_of<std::uint16_t>(everywhere(FocusStack{.product = Product::depth}, slices));
      const Image image = everywhere(FocusStack{}, slices);
      ASSERT_EQ(image.shape(), slices[0].shape());
      const std::size_t bytes = std::size_t(channels) * bytes_of(format);
      for (std::size_t i = 0; i < depth.size(); ++i)
        ASSERT_EQ(std::memcmp(static_cast<const char*>(image.data()) + i * bytes,
                              static_cast<const char*>(slices[depth[i]].data()) + i * bytes, bytes),
                  0);
    }
}

TEST(FocusStack, TheMedianTakesOutLoneNumbers) {
  const std::vector<Image> slices = quiet_slices({21, 15, 1, Format::u8}, 6, 32);
  const std::vector<std::uint16_t> raw = sharpest(slices, 1, Method::laplacian);
  for (const int reach : {1, 2}) {
    const std::vector<std::uint16_t> smooth = samples_of<std::uint16_t>(
        everywhere(FocusStack{.radius = 1, .consistency = reach, .product = Product::depth}, slices));
    for (int y = 0; y < 15; ++y)
      for (int x = 0; x < 21; ++x) {
        std::vector<std::uint16_t> window;
        for (int dy = -reach; dy <= reach; ++dy)
          for (int dx = -reach; dx <= reach; ++dx)
            window.push_back(raw[std::size_t(std::clamp(y + dy, 0, 14) * 21 + std::clamp(x + dx, 0, 20))]);
        std::sort(window.begin(), window.end());
        ASSERT_EQ(smooth[std::size_t(y * 21 + x)], window[window.size() / 2]) << x << ", " << y;
      }
  }
}

TEST(FocusStack, EqualSlicesGiveTheFirst) {
  const Image slice = noise({20, 20, 1, Format::u16});
  std::vector<Image> slices;
  for (int k = 0; k < 3; ++k) slices.push_back(slice.clone());
  EXPECT_EQ(samples_of<std::uint16_t>(everywhere(FocusStack{.product = Product::depth}, slices)),
            std::vector<std::uint16_t>(400, 0));
  EXPECT_EQ(hash(everywhere(FocusStack{}, slices).view()), hash(slice.view()));
  std::vector<Image> one;
  one.push_back(slice.clone());
  EXPECT_EQ(hash(everywhere(FocusStack{}, one).view()), hash(slice.view()));
}

TEST(FocusStack, NanNeverWins) {
  for (const int where : {0, 1, 2}) {
    std::vector<Image> slices;
    for (int k = 0; k < 3; ++k) slices.push_back(Image(Format::f32, 12, 9));
    // Slice 2 has contrast, the others have none; one of them holds a NaN.
    for (int i = 0; i < 108; ++i)
      for (int k = 0; k < 3; ++k) slices[std::size_t(k)].as<float>().data[i] = k == 2 ? float(i * i % 7) : 0.5f;
    slices[std::size_t(where)].as<float>().at(6, 4) = std::numeric_limits<float>::quiet_NaN();
    const Image depth = everywhere(FocusStack{.radius = 1, .consistency = 0, .product = Product::depth}, slices);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 12; ++x) {
        const bool reached = std::abs(x - 6) + std::abs(y - 4) <= 3 && std::abs(x - 6) <= 2 && std::abs(y - 4) <= 2;
        EXPECT_EQ(ConstPlaneView(depth.view()).as<const std::uint16_t>().at(x, y), where == 2 && reached ? 0 : 2)
            << where << " at " << x << ", " << y;
      }
  }
}

/// Gaussian blur of a texture whose sigma is the distance of the surface from the slice.
Image focused_at(const std::vector<double>& texture, const std::vector<double>& depth, int width, int height,
                 int slice) {
  Image image(Format::u16, width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double sigma = std::abs(depth[std::size_t(y * width + x)] - slice);
      double sum = 0, weights = 0;
      const int reach = int(std::ceil(3 * sigma));
      for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
          const double w = sigma > 0 ? std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)) : 1;
          sum += w * texture[std::size_t(reflected(y + dy, height) * width + reflected(x + dx, width))];
          weights += w;
        }
      image.as<std::uint16_t>().at(x, y) = std::uint16_t(std::lround(sum / weights));
    }
  return image;
}

TEST(FocusStack, FindsTheDepthOfASurface) {
  constexpr int kWidth = 96, kHeight = 72, kSlices = 8;
  std::vector<double> texture, depth;
  std::mt19937 random(5);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      texture.push_back(20000 + double(random() % 20000));
      // A hill in a tilted plane: slices 1 to 6.
      const double dx = (x - 60) / 25.0, dy = (y - 36) / 25.0;
      depth.push_back(1 + 2.0 * x / kWidth + 3 * std::exp(-(dx * dx + dy * dy) / 2));
    }
  std::vector<Image> slices;
  for (int k = 0; k < kSlices; ++k) slices.push_back(focused_at(texture, depth, kWidth, kHeight, k));
  for (const Method method : {Method::laplacian, Method::tenengrad}) {
    const std::vector<std::uint16_t> found =
        samples_of<std::uint16_t>(everywhere(FocusStack{.method = method, .product = Product::depth}, slices));
    const std::vector<std::uint16_t> image =
        samples_of<std::uint16_t>(everywhere(FocusStack{.method = method}, slices));
    double mean = 0, largest = 0, composed = 0, single = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double error = std::abs(found[i] - depth[i]);
      mean += error / double(found.size());
      largest = std::max(largest, error);
      composed += std::pow(image[i] - texture[i], 2) / double(found.size());
      single += std::pow(samples_of<std::uint16_t>(slices[2])[i] - texture[i], 2) / double(found.size());
    }
    std::printf("%s: mean depth error %.3f slices, largest %.3f; error of the image %.0f of 20000, of slice 2 %.0f\n",
                std::string(FocusStack::kMethods[std::size_t(method)]).c_str(), mean, largest, std::sqrt(composed),
                std::sqrt(single));
    // Whole slices cannot come nearer than 0.25 on average and 0.5 at worst.
    EXPECT_LT(mean, 0.28);
    EXPECT_LT(largest, 1.0);
    EXPECT_LT(composed * 4, single);
  }
}

TEST(FocusStack, RefusesByName) {
  const Image a(Format::u8, 4, 4), b(Format::u16, 4, 4);
  const auto message = [&](const FocusStack& op, const Image& second) {
    try {
      (void)apply(op, a, second);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_EQ(message({}, b),
            "focus_stack: slice 2 is u16 4x4, but slice 1 is u8 4x4; all slices have one size, format "
            "and channel count");
  EXPECT_EQ(message({.radius = 16}, a), "focus_stack: radius = 16, allowed 0 to 15 pixels");
  EXPECT_EQ(message({.consistency = 3}, a), "focus_stack: consistency = 3, allowed 0 to 2 pixels");
  const Image empty(Format::u8, 0, 3);
  EXPECT_TRUE(apply(FocusStack{}, empty, empty).empty());
}

}  // namespace
}  // namespace zp::test
