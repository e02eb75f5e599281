// Tests of compare_images.
// SPDX-License-Identifier: Apache-2.0
#include "ops/statistics/compare_images.h"

#include "support/everywhere.h"

namespace zp {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Result = CompareImages::Result;

void pair_everywhere(const Image& a, const Image& b, const std::function<void(const Result&)>& check,
                     const CompareImages& op = {}) {
  for (const test::Place& place : test::places()) {
    SCOPED_TRACE(place.text());
    const test::At at(place);
    const Image first = a.clone(), second = b.clone();
    check(apply(op, first, second));
  }
}

/// 32 scattered bits for pixel number i.
std::uint32_t scatter(std::uint32_t i, std::uint32_t seed) {
  std::uint32_t r = i * 2654435761u + seed * 40503u;
  r = (r ^ (r >> 15)) * 2246822519u;
  return r ^ (r >> 13);
}
/// A slope with four bits of noise, times `scale`.
template <class T>
Image slope(int width, int height, std::uint32_t seed, float scale) {
  std::vector<T> samples;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int v = (x * 5 + y * 3) % 200 + int(scatter(std::uint32_t(y * width + x), seed) >> 28);
      samples.push_back(T(float(v) * scale));
    }
  return test::image_of<T>(width, height, 1, samples);
}

TEST(CompareImages, DifferencesByHand) {
  const Image a = test::image_of<std::uint8_t>(3, 2, 1, {0, 255, 7, 9, 10, 100});
  const Image b = test::image_of<std::uint8_t>(3, 2, 1, {0, 250, 7, 4, 12, 100});
  pair_everywhere(a, b, [](const Result& r) {
    EXPECT_EQ(r.max_difference, Reals{5});
    EXPECT_EQ(r.max_x, Integers{1});  // (0, 1) differs by 5 too, but comes later
    EXPECT_EQ(r.max_y, Integers{0});
    EXPECT_EQ(r.mean_difference, Reals{2});
    EXPECT_EQ(r.mse, Reals{9});                        // (25 + 25 + 4) / 6
    EXPECT_NEAR(r.psnr[0], 38.58837851428585, 1e-12);  // 10 log10(65025 / 9)
    EXPECT_EQ(r.nan_count, Integers{0});
  });
}

TEST(CompareImages, EqualImagesHaveInfinitePsnr) {
  for (const Format format : {Format::u8, Format::u16, Format::f32}) {
    const Image image = test::noise({141, 20, 2, format}, 3);
    pair_everywhere(image, image, [](const Result& r) {
      EXPECT_EQ(r.max_difference, (Reals{0, 0}));
      EXPECT_EQ(r.max_x, (Integers{0, 0}));
      EXPECT_EQ(r.mean_difference, (Reals{0, 0}));
      EXPECT_EQ(r.psnr, (Reals{INFINITY, INFINITY}));
      EXPECT_EQ(r.ssim[0], 1.0);
      EXPECT_EQ(r.ssim[1], 1.0);
    });
  }
}

// Numbers by scikit-image 0.26 on the same formula: structural_similarity, peak_signal_noise_ratio, numpy.
TEST(CompareImages, IsScikitImages) {
  struct {
    int width, height;
    double ssim, psnr, mse, mean;
  } const rows[] = {
      {7, 7, 0.8590709609331548, 30.940197888575142, 52.36734693877551, 6.040816326530612},
      {131, 9, 0.9105898577959667, 31.83527246784905, 42.61407972858355, 5.279050042408821},
      {150, 61, 0.9114748502013588, 31.777064980406053, 43.18907103825136, 5.355846994535519},
  };
  for (const auto& row : rows) {
    const int w = row.width, h = row.height;
    const auto check = [&](double scale, double tolerance) {
      return [=, &row](const Result& r) {
        EXPECT_NEAR(r.ssim[0], row.ssim, 1e-12);
        EXPECT_NEAR(r.psnr[0], row.psnr, tolerance);
        EXPECT_NEAR(r.mse[0] / (scale * scale), row.mse, tolerance);
        EXPECT_NEAR(r.mean_difference[0] / scale, row.mean, tolerance);
      };
    };
    pair_everywhere(slope<std::uint8_t>(w, h, 1, 1), slope<std::uint8_t>(w, h, 2, 1), check(1, 1e-11));
    pair_everywhere(slope<std::uint16_t>(w, h, 1, 257), slope<std::uint16_t>(w, h, 2, 257), check(257, 1e-11));
  }
  pair_everywhere(slope<float>(150, 61, 1, 1 / 256.0f), slope<float>(150, 61, 2, 1 / 256.0f),
                  [](const Result& r) { EXPECT_NEAR(r.ssim[0], 0.9115805197120962, 1e-12); });
  // With the white of u8 the same as u8 over 256.
  pair_everywhere(slope<float>(150, 61, 1, 1), slope<float>(150, 61, 2, 1),
                  [](const Result& r) {
                    EXPECT_NEAR(r.ssim[0], 0.9114748502013588, 1e-12);
                    EXPECT_NEAR(r.psnr[0], 31.777064980406053, 1e-11);
                  },
                  {.white = 255});
}

TEST(CompareImages, LargeOffsetsCostNoDigits) {
  // Similarity of f32 images far from 0: c1 and the means fall out, the variances of the slope stay.
  const Image a = slope<float>(60, 30, 1, 1), b = slope<float>(60, 30, 2, 1);
  Image far_a = a.clone(), far_b = b.clone();
  for (std::size_t i = 0; i < 1800; ++i) {
    far_a.as<float>().data[i] += 1048576.0f;
    far_b.as<float>().data[i] += 1048576.0f;
  }
  // The same in long double by the definition, windows one by one.
  const auto reference = [](const Image& p, const Image& q) {
    long double sum = 0;
    const View<const float> u = p.as<float>(), v = q.as<float>();
    for (int y = 0; y <= 30 - 7; ++y)
      for (int x = 0; x <= 60 - 7; ++x) {
        long double ma = 0, mb = 0, va = 0, vb = 0, cov = 0;
        for (int k = 0; k < 49; ++k) {
          ma += u.at(x + k % 7, y + k / 7) / 49.0L;
          mb += v.at(x + k % 7, y + k / 7) / 49.0L;
        }
        for (int k = 0; k < 49; ++k) {
          const long double da = u.at(x + k % 7, y + k / 7) - ma, db = v.at(x + k % 7, y + k / 7) - mb;
          va += da * da / 48;
          vb += db * db / 48;
          cov += da * db / 48;
        }
        const long double c1 = 1e-4L, c2 = 9e-4L;
        sum += (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
      }
    return double(sum / (24 * 54));
  };
  const double near_zero = reference(a, b), far = reference(far_a, far_b);
  pair_everywhere(a, b, [=](const Result& r) { EXPECT_NEAR(r.ssim[0], near_zero, 1e-10); });
  pair_everywhere(far_a, far_b, [=](const Result& r) { EXPECT_NEAR(r.ssim[0], far, 1e-10); });
}

TEST(CompareImages, EachChannelAndOneForAll) {
  const Image a = test::noise({150, 33, 3, Format::u8}, 1), b = test::noise({150, 33, 3, Format::u8}, 2);
  const Image one = test::noise({150, 33, 1, Format::u8}, 4);
  const auto channel = [](const Image& image, int c) {
    Image plane(Format::u8, 150, 33);
    for (std::size_t i = 0; i < plane.shape().samples(); ++i)
      plane.as<std::uint8_t>().data[i] = image.as<std::uint8_t>().data[3 * i + std::size_t(c)];
    return plane;
  };
  for (int c = 0; c < 3; ++c) {
    const Result both = apply(CompareImages{}, channel(a, c), channel(b, c));
    const Result single = apply(CompareImages{}, channel(a, c), one);
    const auto check = [c](const Result& expected) {
      return [c, expected](const Result& r) {
        const auto k = std::size_t(c);
        EXPECT_EQ(r.max_difference[k], expected.max_difference[0]);
        EXPECT_EQ(r.max_x[k], expected.max_x[0]);
        EXPECT_EQ(r.max_y[k], expected.max_y[0]);
        EXPECT_EQ(r.mse[k], expected.mse[0]);
        EXPECT_EQ(r.ssim[k], expected.ssim[0]);
      };
    };
    pair_everywhere(a, b, check(both));
    pair_everywhere(a, one, check(single));
  }
}

TEST(CompareImages, NanAndInfinity) {
  const float nan = std::nanf(""), infinity = INFINITY;
  const Image a = test::row_of<float>({nan, 1, infinity, infinity, 0.5f});
  const Image b = test::row_of<float>({0, nan, infinity, infinity, 0.25f});
  pair_everywhere(a, b, [](const Result& r) {
    EXPECT_EQ(r.nan_count, Integers{2});
    EXPECT_EQ(r.max_difference, Reals{0.25});
    EXPECT_EQ(r.max_x, Integers{4});
    EXPECT_EQ(r.mse, Reals{0.0625 / 3});
    EXPECT_EQ(r.ssim, Reals{0});  // the only window has no number
  });
  pair_everywhere(test::row_of<float>({infinity, 2}), test::row_of<float>({3, 2}), [](const Result& r) {
    EXPECT_EQ(r.max_difference, Reals{INFINITY});
    EXPECT_EQ(r.psnr, Reals{-INFINITY});
  });
  pair_everywhere(test::row_of<float>({nan}), test::row_of<float>({3}), [](const Result& r) {
    EXPECT_EQ(r.max_x, Integers{-1});
    EXPECT_EQ(r.mean_difference, Reals{0});
    EXPECT_EQ(r.nan_count, Integers{1});
  });
  // A NaN spoils its own windows only: the rest of the images is equal.
  Image holed = test::noise({40, 20, 1, Format::f32}, 5);
  const Image whole = holed.clone();
  holed.as<float>().at(11, 9) = nan;
  pair_everywhere(holed, whole, [](const Result& r) {
    EXPECT_NEAR(r.ssim[0], 1.0, 1e-12);
    EXPECT_EQ(r.nan_count, Integers{1});
  });
}

TEST(CompareImages, ConstantAndSmallImages) {
  // Of constants a and b ssim is (2ab + c1) / (a^2 + b^2 + c1), c1 = (0.01 * 255)^2.
  const double expected = (2.0 * 100 * 120 + 6.5025) / (100.0 * 100 + 120 * 120 + 6.5025);
  for (const Extent e : {Extent{1, 1}, Extent{1, 9}, Extent{3, 2}, Extent{20, 8}}) {
    const auto n = std::size_t(e.width * e.height);
    pair_everywhere(test::image_of(e.width, e.height, 1, std::vector<std::uint8_t>(n, 100)),
                    test::image_of(e.width, e.height, 1, std::vector<std::uint8_t>(n, 120)), [&](const Result& r) {
                      EXPECT_NEAR(r.ssim[0], expected, 1e-14);
                      EXPECT_EQ(r.max_difference, Reals{20});
                      EXPECT_EQ(r.mse, Reals{400});
                    });
  }
}

TEST(CompareImages, RectanglesWithPadding) {
  const Image a = slope<std::uint16_t>(150, 61, 1, 257), b = slope<std::uint16_t>(150, 61, 2, 257);
  std::vector<std::uint16_t> parent(200 * 70, 12345);
  const View<std::uint16_t> view(parent.data() + 3 * 200 + 7, 150, 61, 1, 400);
  for (int y = 0; y < 61; ++y) std::memcpy(view.row(y), a.as<std::uint16_t>().row(y), 300);
  const Result expected = apply(CompareImages{}, a, b), found = apply(CompareImages{}, view, b);
  EXPECT_EQ(found.ssim, expected.ssim);
  EXPECT_EQ(found.mse, expected.mse);
  EXPECT_EQ(found.max_x, expected.max_x);
}

TEST(CompareImages, Refusals) {
  const auto refusal = [](const Image& a, const Image& b, const CompareImages& op = {}) {
    try {
      apply(op, a, b);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(refusal(Image(Format::u8, 4, 4), Image(Format::u8, 4, 5)),
            "compare_images: input 2 is u8 4x5, but input 1 is u8 4x4; size and format must be equal, and channels "
            "equal or 1");
  EXPECT_NE(refusal(Image(Format::u8, 4, 4), Image(Format::u8, 4, 4), {.white = 0}).find("compare_images: white = 0"),
            std::string::npos);
  EXPECT_NE(refusal(Image(Format::u8, 4, 0), Image(Format::u8, 4, 0)).find("compare_images: the image is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace zp
