// Sum of each channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_SUM_H
#define ZP_OPS_STATISTICS_SUM_H

#include "core/op.h"
#include "core/sums.h"

namespace zp {

/// Sum per channel: integers exactly in 64 bits (a double holds it exactly up to 2^53), f32 over a fixed tree of double
/// sums. NaN samples are left out and counted.
struct Sum {
  using Shape = Reduce;
  static constexpr Info info{.name = "sum",
                             .family = "statistics",
                             .summary = "sum of each channel",
                             .output = Output::none,
                             .opencv = "same as sum; NaN is left out here",
                             .scikit_image = "numpy.nansum per channel in double",
                             .npp = "same as Sum"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};
  struct Result {
    std::vector<double> sum;              ///< one per channel
    std::vector<std::int64_t> nan_count;  ///< one per channel
    static constexpr std::tuple fields{field("sum", &Result::sum), field("nan_count", &Result::nan_count)};
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    for (int c = 0; c < in.channels; ++c) {
      const auto sum = exec.reduce(SampleSum<In>{}, in, c);
      result.sum.push_back(double(sum.sum));
      result.nan_count.push_back(std::int64_t(in.width) * in.height - sum.count);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Sum)
