// Mean of each channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_MEAN_H
#define ZP_OPS_STATISTICS_MEAN_H

#include "core/op.h"
#include "core/sums.h"

namespace zp {

/// Mean per channel in double: integers over an exact 64-bit sum, f32 over a fixed tree of double sums. NaN samples are
/// left out and counted; a channel of nothing but NaN has mean 0.
struct Mean {
  using Shape = Reduce;
  static constexpr Info info{.name = "mean",
                             .family = "statistics",
                             .summary = "mean of each channel",
                             .output = Output::none,
                             .opencv = "same as mean; NaN is left out here",
                             .scikit_image = "numpy.mean per channel in double",
                             .npp = "same as Mean"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};
  struct Result {
    std::vector<double> mean;             ///< one per channel
    std::vector<std::int64_t> nan_count;  ///< one per channel
    static constexpr std::tuple fields{field("mean", &Result::mean), field("nan_count", &Result::nan_count)};
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    for (int c = 0; c < in.channels; ++c) {
      const auto sum = exec.reduce(SampleSum<In>{}, in, c);
      result.mean.push_back(sum.count ? double(sum.sum) / double(sum.count) : 0.0);
      result.nan_count.push_back(std::int64_t(in.width) * in.height - sum.count);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Mean)
