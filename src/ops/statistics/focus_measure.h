// How sharp an image is.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_FOCUS_MEASURE_H
#define ZP_OPS_STATISTICS_FOCUS_MEASURE_H

#include "ops/statistics/pixel_sums.h"

namespace zp {

namespace detail_focus_measure {

template <class T>
struct Neighbours {
  View<const T> in;
  int channel;
  static constexpr std::tuple pointers{&Neighbours::in};

  ZP_HD double at(int x, int y) const {
    return double(
        in.at(border_index(x, in.width, Border::reflect101), border_index(y, in.height, Border::reflect101), channel));
  }
  ZP_HD double laplacian(int x, int y) const {
    return at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4.0 * at(x, y);
  }
  static ZP_HD bool is_finite(double v) { return v - v == 0.0; }
};

/// Sums of finite terms, and how many there are.
struct Sums {
  double laplacian, tenengrad, brenner;
  std::int64_t laplacians, tenengrads, brenners, nan;
};

template <class T>
struct Terms : Neighbours<T> {
  using Value = Sums;
  ZP_HD Value zero() const { return {0, 0, 0, 0, 0, 0, 0}; }
  static ZP_HD void add_finite(double& sum, std::int64_t& count, double v) {
    if (!Terms::is_finite(v)) return;
    sum += v;
    count += 1;
  }
  ZP_HD void add(Value& v, int x, int y) const {
    const T centre = this->in.at(x, y, this->channel);
    v.nan += centre != centre;
    add_finite(v.laplacian, v.laplacians, this->laplacian(x, y));
    const double a = this->at(x - 1, y - 1), b = this->at(x, y - 1), c = this->at(x + 1, y - 1);
    const double d = this->at(x - 1, y), e = this->at(x + 1, y);
    const double f = this->at(x - 1, y + 1), g = this->at(x, y + 1), h = this->at(x + 1, y + 1);
    const double across = (c + 2.0 * e + h) - (a + 2.0 * d + f), down = (f + 2.0 * g + h) - (a + 2.0 * b + c);
    add_finite(v.tenengrad, v.tenengrads, across * across + down * down);
    if (x < this->in.width - 2) {
      const double step = double(this->in.at(x + 2, y, this->channel)) - double(centre);
      add_finite(v.brenner, v.brenners, step * step);
    }
  }
  ZP_HD Value join(const Value& a, const Value& b) const {
    return {a.laplacian + b.laplacian,   a.tenengrad + b.tenengrad, a.brenner + b.brenner, a.laplacians + b.laplacians,
            a.tenengrads + b.tenengrads, a.brenners + b.brenners,   a.nan + b.nan};
  }
};

/// Sum of (Laplacian - mean)^2.
template <class T>
struct Squares : Neighbours<T> {
  using Value = double;
  double mean;
  ZP_HD Value zero() const { return 0.0; }
  ZP_HD void add(Value& v, int x, int y) const {
    const double found = this->laplacian(x, y), difference = found - mean;
    if (Squares::is_finite(found)) v = v + difference * difference;
  }
  ZP_HD Value join(Value a, Value b) const { return a + b; }
};

}  // namespace detail_focus_measure

/// Three measures of sharpness per channel, in squared pixel values, larger where the image is sharper; compare them
/// between images of one scene only.
///
/// laplacian_variance: variance of the Laplacian (left + right + above + below - 4 centre). tenengrad: mean of gx^2 +
/// gy^2 with the 3x3 Sobel kernels (Krotkov 1988). brenner: mean of (v(x + 2, y) - v(x, y))^2 over the pixels that have
/// such a neighbour (Brenner 1976), 0 for fewer than three columns. Borders reflect101. Sums in double over a fixed
/// tree, the variance in two passes: exact zeros for a constant image. Terms that are not finite, as beside NaN, are
/// left out; NaN samples are counted.
struct FocusMeasure {
  using Shape = Reduce;
  static constexpr Info info{
      .name = "focus_measure",
      .family = "statistics",
      .summary = "sharpness: variance of the Laplacian, Tenengrad, Brenner",
      .output = Output::none,
      .opencv = "laplacian_variance same as the variance of Laplacian, tenengrad as Sobel squared"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};
  struct Result {
    std::vector<double> laplacian_variance, tenengrad, brenner;  ///< one per channel
    std::vector<std::int64_t> nan_count;                         ///< one per channel
    static constexpr std::tuple fields{field("laplacian_variance", &Result::laplacian_variance),
                                       field("tenengrad", &Result::tenengrad), field("brenner", &Result::brenner),
                                       field("nan_count", &Result::nan_count)};
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    using namespace detail_focus_measure;
    const View<const In> in = operands.input<In>();
    const auto mean = [](double sum, std::int64_t count) { return count ? sum / double(count) : 0.0; };
    for (int c = 0; c < in.channels; ++c) {
      const Neighbours<In> neighbours{in, c};
      const Sums sums = sum_pixels(exec, Terms<In>{neighbours}, in.width, in.height);
      const double centre = mean(sums.laplacian, sums.laplacians);
      const double squares = sum_pixels(exec, Squares<In>{neighbours, centre}, in.width, in.height);
      result.laplacian_variance.push_back(mean(squares, sums.laplacians));
      result.tenengrad.push_back(mean(sums.tenengrad, sums.tenengrads));
      result.brenner.push_back(mean(sums.brenner, sums.brenners));
      result.nan_count.push_back(sums.nan);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(FocusMeasure)
