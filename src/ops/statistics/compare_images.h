// How much two images differ.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_COMPARE_IMAGES_H
#define ZP_OPS_STATISTICS_COMPARE_IMAGES_H

#include <limits>

#include "core/math.h"
#include "ops/statistics/pixel_sums.h"
#include "ops/statistics/structural_similarity.h"

namespace zp {

/// Differences of an image and a reference of its size and format, per channel; a reference of one channel serves all.
///
/// max_difference: largest |a - b|, with the first pixel in raster order that has it, (0, 0) where the images are
/// equal. mean_difference: mean of |a - b|. mse: mean of (a - b)^2. psnr: 10 log10(white^2 / mse) in decibels;
/// infinite where the images are equal, which JSON shows as "inf". Differences are taken in double; integers are summed
/// in 64 bits, all else over a fixed tree.
///
/// ssim: mean structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) over all 7x7 windows that lie inside, each
/// sample with the same weight, sample variances (divided by 48), K1 = 0.01, K2 = 0.03. Where a side is shorter than 7
/// the window is as long as the side; of one pixel all variances are 0. Of a window's sums integers are exact.
///
/// Pixels where either sample is NaN are left out and counted, equal infinities differ by 0, and windows without a
/// number (beside NaN and infinities) are left out. Without any pair the values are 0, at (-1, -1), and psnr is
/// infinite; without any window ssim is 0.
struct CompareImages {
  using Shape = Reduce;
  static constexpr Info info{.name = "compare_images",
                             .family = "statistics",
                             .summary = "largest and mean difference, MSE, PSNR and SSIM of two images",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .output = Output::none,
                             .opencv = "same as norm(NORM_INF), norm(NORM_L1) / pixels and PSNR per channel",
                             .scikit_image =
                                 "same as metrics.structural_similarity with its defaults, mean_squared_error, "
                                 "peak_signal_noise_ratio",
                             .npp = "MSE and PSNR same; SSIM differs (Gaussian window)"};
  static constexpr std::string_view input_names[] = {"image", "reference"};
  float white = kAutomatic;
  static constexpr std::tuple parameters{parameter("white", &CompareImages::white, "peak value for PSNR and SSIM",
                                                   {.low = std::numeric_limits<float>::min(),
                                                    .high = std::numeric_limits<float>::max(),
                                                    .unit = "pixel value",
                                                    .automatic = "white of the format"})};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}, {"white=4095", bit(Format::u16)}};
  struct Result {
    std::vector<double> max_difference;              ///< one per channel, as all of these
    std::vector<std::int64_t> max_x, max_y;          ///< first pixel of the largest difference
    std::vector<double> mean_difference, mse, psnr;  ///< psnr in decibels
    std::vector<double> ssim;                        ///< 1 for equal images
    std::vector<std::int64_t> nan_count;
    static constexpr std::tuple fields{field("max_difference", &Result::max_difference),
                                       field("max_x", &Result::max_x),
                                       field("max_y", &Result::max_y),
                                       field("mean_difference", &Result::mean_difference),
                                       field("mse", &Result::mse),
                                       field("psnr", &Result::psnr),
                                       field("ssim", &Result::ssim),
                                       field("nan_count", &Result::nan_count)};
  };

  template <class T>
  struct Differences {
    View<const T> a, b;
    int channel_a, channel_b;
    static constexpr std::tuple pointers{&Differences::a, &Differences::b};

    struct Value {
      double largest;
      std::int64_t pixel;
      std::conditional_t<std::is_same_v<T, float>, double, std::uint64_t> sum;
      double squares;
      std::int64_t count;
    };
    static constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::max();
    ZP_HD Value zero() const { return {-1.0, kNowhere, 0, 0.0, 0}; }
    ZP_HD void add(Value& v, int x, int y) const {
      const T p = a.at(x, y, channel_a), q = b.at(x, y, channel_b);
      if (p != p || q != q) return;
      const double signed_difference = p == q ? 0.0 : double(p) - double(q);
      const double difference = signed_difference < 0.0 ? -signed_difference : signed_difference;
      if (difference > v.largest) {
        v.largest = difference;
        v.pixel = std::int64_t(y) * a.width + x;
      }
      v.sum += static_cast<decltype(v.sum)>(difference);
      v.squares += difference * difference;
      v.count += 1;
    }
    ZP_HD Value join(const Value& u, const Value& v) const {
      const bool second = v.largest > u.largest || (v.largest == u.largest && v.pixel < u.pixel);
      return {second ? v.largest : u.largest, second ? v.pixel : u.pixel, u.sum + v.sum, u.squares + v.squares,
              u.count + v.count};
    }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> a = operands.input<In>(), b = operands.input<In>(1);
    const double peak = is_automatic(white) ? white_of(format_of<In>) : double(white);
    for (int c = 0; c < a.channels; ++c) {
      const int other = b.channels == 1 ? 0 : c;
      const auto found = sum_pixels(exec, Differences<In>{a, b, c, other}, a.width, a.height);
      const bool any = found.count > 0;
      const double n = any ? double(found.count) : 1.0, mse = found.squares / n;
      result.max_difference.push_back(any ? found.largest : 0.0);
      result.max_x.push_back(any ? found.pixel % a.width : -1);
      result.max_y.push_back(any ? found.pixel / a.width : -1);
      result.mean_difference.push_back(double(found.sum) / n);
      result.mse.push_back(mse);
      result.psnr.push_back(decibels(peak, mse));
      result.ssim.push_back(detail_structural_similarity::mean_similarity<In>(exec, a, b, c, other, peak));
      result.nan_count.push_back(std::int64_t(a.width) * a.height - found.count);
    }
  }

 private:
  static double decibels(double peak, double mse) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), kTenOverLn10 = 0x1.15f2ced384f28p+2;
    if (!(mse > 0.0)) return infinity;
    return mse < infinity ? kTenOverLn10 * math::detail::log_core(peak * peak / mse) : -infinity;
  }
};

}  // namespace zp

#endif
ZP_OP(CompareImages)
