// A threshold for each pixel from its neighbourhood.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_ADAPTIVE_THRESHOLD_H
#define ZP_OPS_CONTRAST_ADAPTIVE_THRESHOLD_H

#include <cmath>
#include <limits>

#include "core/gaussian_weights.h"
#include "core/separable.h"
#include "ops/contrast/window_sums.h"

namespace zp {

namespace detail_adaptive_threshold {

/// v > mean - offset.
struct AboveMean {
  float offset, white;
  ZP_HD float operator()(float v, float mean) const { return v > mean - offset ? white : 0.0f; }
};

/// OpenCV's for a window whose sigma is not given: small ones in whole 256ths.
inline std::vector<float> weights(int radius) {
  constexpr int kSmall[4][5] = {{128, 64}, {96, 64, 16}, {72, 56, 28, 8}, {60, 51, 30, 13, 4}};
  if (radius > 4) return gaussian_weights(0.3 * double(radius - 1) + 0.8, radius);
  std::vector<float> found;
  for (int k = -radius; k <= radius; ++k) found.push_back(float(kSmall[radius - 1][k < 0 ? -k : k]) / 256.0f);
  return found;
}

template <class T>
struct AboveThreshold {
  const typename window_sums::Types<T>::Window* sums;
  const typename window_sums::Types<T>::WindowSquares* squares;
  int width, side;
  bool by_mean, sauvola;
  float offset, k;
  double range;
  static constexpr std::tuple pointers{&AboveThreshold::sums, &AboveThreshold::squares};

  template <class Source>
  ZP_HD Pixel<T, Source::channels> operator()(const Source& in, int x, int y) const {
    const Pixel<T, Source::channels> p = in.at(x, y);
    Pixel<T, Source::channels> q;
    for (int c = 0; c < Source::channels; ++c) {
      const std::int64_t i = (std::int64_t(y) * width + x) * Source::channels + c;
      const bool above = by_mean ? float(p[c]) > mean(i) - offset : double(p[c]) > limit(i);
      q[c] = above ? T(white_of(format_of<T>)) : T(0);
    }
    return q;
  }

 private:
  /// In the image's format; of an odd number of integers it is never half way.
  ZP_HD float mean(std::int64_t i) const {
    if constexpr (std::is_same_v<T, float>) {
      return float(sums[i] / (double(side) * side));
    } else {
      const std::uint64_t n = std::uint64_t(side) * std::uint64_t(side);
      return float((2 * std::uint64_t(sums[i]) + n) / (2 * n));
    }
  }
  ZP_HD double limit(std::int64_t i) const {
    const double n = double(side) * side, average = double(sums[i]) / n;
    const double deviation = std::sqrt(variance(i, average, n));
    const double by = double(k);
    const double found = sauvola ? average * (1.0 + by * (deviation / range - 1.0)) : average - by * deviation;
    return found - double(offset);
  }
  ZP_HD double variance(std::int64_t i, double average, double n) const {
    double found;
    if constexpr (std::is_same_v<T, float>) {
      // A difference within the rounding of the two sums is none.
      const double mean_square = squares[i] / n, difference = mean_square - average * average;
      found = difference > mean_square * (double(side) * 0x1p-50) || difference != difference ? difference : 0.0;
    } else {
      // Squares about the integer part of the mean: what wraps on the way comes back, and the rest is below 1.
      const auto count = std::uint64_t(n), sum = std::uint64_t(sums[i]), whole = sum / count,
                 rest = sum - whole * count;
      const std::uint64_t about = squares[i] - 2 * whole * sum + count * whole * whole;
      found = (double(about) - double(rest) * double(rest) / n) / n;
    }
    return found < 0.0 ? 0.0 : found;
  }
};

}  // namespace detail_adaptive_threshold

/// White where a sample is above its own threshold T, else 0; each channel on its own. The window has 2 radius + 1
/// pixels a side.
///
/// mean: T = m - offset, m the mean of the window. gaussian: the same with Gaussian weights of sigma = 0.3 (radius - 1)
/// + 0.8, for radius 1 to 4 OpenCV's table of 256ths; horizontal sums before vertical ones, in f32. As in OpenCV, m is
/// rounded to the format (half to even) and the border is replicate. niblack: T = m - k s - offset, s the standard
/// deviation of the window (Niblack 1986). sauvola: T = m (1 + k (s / range - 1)) - offset (Sauvola and Pietikainen
/// 2000). As in scikit-image, m and s are not rounded and the border is reflect101.
///
/// Sums over windows are exact integers for u8 and u16 and fixed trees of doubles for f32, at a cost that does not
/// depend on the radius (gaussian's does). The variance of integers is exact to a rounding of doubles; that of f32 is 0
/// where the samples differ by no more than the sums' own rounding (about 1e-7 of the values); none is below 0. A
/// sample equal to its T is background: a constant image is 0 everywhere by mean and niblack with offset 0, and by
/// gaussian if it is of integers. NaN is background, and so is every pixel of whose window NaN is part.
struct AdaptiveThreshold {
  using Shape = Composite;
  static constexpr Info info{
      .name = "adaptive_threshold",
      .family = "contrast",
      .summary = "threshold from the neighbourhood of each pixel: mean, Gaussian, Sauvola or Niblack",
      .opencv = "same as adaptiveThreshold (u8; gaussian of a radius above 4 within rounding); u16, f32 too",
      .scikit_image = "same as threshold_sauvola (r = range) and threshold_niblack; threshold_local does not round m"};
  enum class Method : int { mean, gaussian, sauvola, niblack };
  static constexpr std::string_view kMethods[] = {"mean", "gaussian", "sauvola", "niblack"};
  static constexpr int kMaxRadius = 511;  // sums of u16 stay within 64 bits, those of a line within 32
  static constexpr double kLargest = std::numeric_limits<float>::max();

  Method method = Method::mean;
  int radius = 7;
  float offset = 0, k = 0.2f, range = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("method", &AdaptiveThreshold::method, "how the threshold is found", {.choices = kMethods}),
      parameter("radius", &AdaptiveThreshold::radius, "half width of the window",
                {.low = 1, .high = kMaxRadius, .unit = "pixels"}),
      parameter("offset", &AdaptiveThreshold::offset, "what is taken from the threshold",
                {.low = -kLargest, .high = kLargest, .unit = "pixel value"}),
      parameter("k", &AdaptiveThreshold::k, "weight of the deviation, for sauvola and niblack",
                {.low = -1000, .high = 1000}),
      parameter("range", &AdaptiveThreshold::range, "deviation that sauvola takes as full",
                {.low = std::numeric_limits<float>::min(),
                 .high = kLargest,
                 .unit = "pixel value",
                 .automatic = "half of white"})};
  static constexpr Case cases[] = {{""},
                                   {"offset=5,radius=3", kIntegerFormats},
                                   {"method=gaussian,offset=0.02,radius=4"},
                                   {"method=sauvola"},
                                   {"method=sauvola,k=0.5,radius=20,range=0.25", kFloatFormat, 3},
                                   {"method=niblack,radius=40,k=-0.3", kAnyFormat, 3}};

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace detail_adaptive_threshold;
    const View<const In> in = operands.input<In>();
    const View<Out> out = operands.output<Out>();
    constexpr double white = white_of(format_of<In>);
    if (method == Method::gaussian) {
      const View<In> mean = exec.template plane<In>(in.width, in.height, in.channels);
      convolve_axes(exec, in, mean, weights(radius), weights(radius), Border::replicate, 0.0f);
      exec.point(AboveMean{offset, float(white)}, out, in, View<const In>(mean));
      return;
    }
    const bool by_mean = method == Method::mean;
    const auto sums =
        window_sums::sum_windows<In>(exec, in, radius, by_mean ? Border::replicate : Border::reflect101, !by_mean);
    exec.gather(
        AboveThreshold<In>{sums.sums, sums.squares, in.width, 2 * radius + 1, by_mean, method == Method::sauvola,
                           offset, k, is_automatic(range) ? white / 2.0 : double(range)},
        out, in);
  }
};

}  // namespace zp

#endif
ZP_OP(AdaptiveThreshold)
