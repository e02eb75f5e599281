// Mean and standard deviation of each channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_DEVIATION_H
#define ZP_OPS_STATISTICS_DEVIATION_H

#include <cmath>

#include "core/op.h"
#include "core/sums.h"

namespace zp {

/// Standard deviation of the population (divided by the count) per channel, in two passes: the mean as the operation
/// mean finds it, then the mean of the squared differences, in double over a fixed tree. Never NaN for finite samples:
/// nothing is subtracted that could be negative, and squares of f32 do not overflow a double. NaN samples are left out
/// and counted; a channel of nothing but NaN has mean and deviation 0.
struct Deviation {
  using Shape = Reduce;
  static constexpr Info info{.name = "deviation",
                             .family = "statistics",
                             .summary = "mean and standard deviation of each channel",
                             .output = Output::none,
                             .opencv = "same as meanStdDev; NaN is left out here",
                             .scikit_image = "numpy.nanstd per channel in double",
                             .npp = "same as Mean_StdDev"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};
  struct Result {
    std::vector<double> mean;             ///< one per channel
    std::vector<double> deviation;        ///< one per channel
    std::vector<std::int64_t> nan_count;  ///< one per channel
    static constexpr std::tuple fields{field("mean", &Result::mean), field("deviation", &Result::deviation),
                                       field("nan_count", &Result::nan_count)};
  };

  /// Sum of (v - mean)^2.
  struct Squares {
    using Value = double;
    double mean;
    ZP_HD Value zero() const { return 0.0; }
    template <class T>
    ZP_HD void lift(Value& v, T sample, std::int64_t) const {
      if (sample != sample) return;
      const double difference = static_cast<double>(sample) - mean;
      v = v + difference * difference;
    }
    ZP_HD Value join(Value a, Value b) const { return a + b; }

    /// The lanes of a chunk side by side, for the CPU.
    template <class T>
    struct Lanes {
      explicit Lanes(const Squares& f) : mean(f.mean) {}
      void lift(int t, int n, const T* samples, std::int64_t) {
        double* to = sum + t;
        const double centre = mean;
#pragma GCC ivdep
        for (int j = 0; j < n; ++j) {
          const double difference = static_cast<double>(samples[j]) - centre;
          const double next = to[j] + difference * difference;
          to[j] = samples[j] == samples[j] ? next : to[j];
        }
      }
      Value value() {
        for (int step = kReduceLanes / 2; step > 0; step /= 2)
          for (int t = 0; t < step; ++t) sum[t] += sum[t + step];
        return sum[0];
      }
      double mean, sum[kReduceLanes] = {};
    };
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    for (int c = 0; c < in.channels; ++c) {
      const auto sum = exec.reduce(SampleSum<In>{}, in, c);
      const double count = double(sum.count), mean = sum.count ? double(sum.sum) / count : 0.0;
      const double squares = exec.reduce(Squares{mean}, in, c);
      result.mean.push_back(mean);
      result.deviation.push_back(sum.count ? std::sqrt(squares / count) : 0.0);
      result.nan_count.push_back(std::int64_t(in.width) * in.height - sum.count);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Deviation)
