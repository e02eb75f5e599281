// Smallest and largest value of each channel, and where they are.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_MIN_MAX_H
#define ZP_OPS_STATISTICS_MIN_MAX_H

#include "core/op.h"
#include "ops/statistics/extremes.h"

namespace zp {

/// Smallest and largest sample per channel, with the first pixel in raster order that has it. -0 equals +0. NaN samples
/// are left out and counted; a channel of nothing but NaN has values 0 at pixel (-1, -1).
struct MinMax {
  using Shape = Reduce;
  static constexpr Info info{.name = "min_max",
                             .family = "statistics",
                             .summary = "smallest and largest value of each channel, and where they come first",
                             .output = Output::none,
                             .opencv = "same as minMaxLoc, for any channels; NaN is left out here",
                             .scikit_image = "numpy.nanmin, nanmax, nanargmin, nanargmax per channel",
                             .npp = "same as MinMaxIndx"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};
  struct Result {
    std::vector<double> minimum, maximum;            ///< one per channel
    std::vector<std::int64_t> minimum_x, minimum_y;  ///< first pixel of the minimum
    std::vector<std::int64_t> maximum_x, maximum_y;  ///< first pixel of the maximum
    std::vector<std::int64_t> nan_count;             ///< one per channel
    static constexpr std::tuple fields{field("minimum", &Result::minimum),     field("maximum", &Result::maximum),
                                       field("minimum_x", &Result::minimum_x), field("minimum_y", &Result::minimum_y),
                                       field("maximum_x", &Result::maximum_x), field("maximum_y", &Result::maximum_y),
                                       field("nan_count", &Result::nan_count)};
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    for (int c = 0; c < in.channels; ++c) {
      const auto found = exec.reduce(Extremes<In>{}, in, c);
      const bool any = found.low_pixel != Extremes<In>::kNowhere;
      result.minimum.push_back(double(found.low));
      result.maximum.push_back(double(found.high));
      result.minimum_x.push_back(any ? found.low_pixel % in.width : -1);
      result.minimum_y.push_back(any ? found.low_pixel / in.width : -1);
      result.maximum_x.push_back(any ? found.high_pixel % in.width : -1);
      result.maximum_y.push_back(any ? found.high_pixel / in.width : -1);
      result.nan_count.push_back(found.nan_count);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(MinMax)
