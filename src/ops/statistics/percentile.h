// Percentiles of each channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_PERCENTILE_H
#define ZP_OPS_STATISTICS_PERCENTILE_H

#include "core/percentiles.h"

namespace zp {

/// Exact percentiles per channel. Of n samples in rising order, percentile p lies at place p / 100 * (n - 1), counted
/// from 0; between two samples the value lies on the straight line between them, in double: numpy's default. 0 is the
/// minimum, 50 the median, 100 the maximum. A percentile is the decimal number that was written: 99.9, not the f32 next
/// to it. Integers from counts of every level, f32 by selection. -0 equals 0. Between an infinite sample and a finite
/// one lies the infinite one. NaN samples are left out and counted; a channel of nothing but NaN has the value 0.
struct Percentile {
  using Shape = Reduce;
  static constexpr Info info{.name = "percentile",
                             .family = "statistics",
                             .summary = "percentiles of each channel",
                             .output = Output::none,
                             .scikit_image = "same as numpy.nanpercentile per channel in double"};
  std::vector<float> percentiles{50.0f};
  static constexpr std::tuple parameters{
      parameter("percentiles", &Percentile::percentiles, "which percentiles, in any order",
                {.low = 0, .high = 100, .unit = "percent", .min_count = 1, .max_count = 1024})};
  static constexpr Case cases[] = {{""}, {"percentiles=0/0.1/25/99.9/100", kAnyFormat, 3}, {"percentiles=33.3/5"}};
  struct Result {
    std::vector<double> values;           ///< those of the first channel in the order asked for, then of the next
    std::vector<std::int64_t> nan_count;  ///< one per channel
    static constexpr std::tuple fields{field("values", &Result::values), field("nan_count", &Result::nan_count)};
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    std::vector<double> exact;
    for (const float p : percentiles) exact.push_back(as_written(p));
    Percentiles found = percentiles_of<In>(exec, in, exact);
    result.values = std::move(found.values);
    for (const std::uint64_t n : found.count)
      result.nan_count.push_back(std::int64_t(in.width) * in.height - std::int64_t(n));
  }
};

}  // namespace zp

#endif
ZP_OP(Percentile)
