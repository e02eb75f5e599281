// Samples of each channel that are not zero.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_COUNT_NONZERO_H
#define ZP_OPS_STATISTICS_COUNT_NONZERO_H

#include "core/op.h"

namespace zp {

/// Samples per channel that are not zero: the foreground of a mask. -0 is zero. NaN samples are left out and counted.
struct CountNonzero {
  using Shape = Reduce;
  static constexpr Info info{.name = "count_nonzero",
                             .family = "statistics",
                             .summary = "samples of each channel that are not zero",
                             .output = Output::none,
                             .opencv = "same as countNonZero, for any channels; NaN counts there",
                             .scikit_image = "same as numpy.count_nonzero per channel; NaN counts there",
                             .npp = "differs: CountInRange counts a range of u8 or f32"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};
  struct Result {
    std::vector<std::int64_t> count;      ///< one per channel
    std::vector<std::int64_t> nan_count;  ///< one per channel
    static constexpr std::tuple fields{field("count", &Result::count), field("nan_count", &Result::nan_count)};
  };

  struct Count {
    struct Value {
      std::int64_t nonzero, nan;
    };
    ZP_HD Value zero() const { return {0, 0}; }
    template <class T>
    ZP_HD void lift(Value& v, T sample, std::int64_t) const {
      const bool is_nan = sample != sample;
      v.nonzero += !is_nan && sample != T(0);
      v.nan += is_nan;
    }
    ZP_HD Value join(const Value& a, const Value& b) const { return {a.nonzero + b.nonzero, a.nan + b.nan}; }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    for (int c = 0; c < in.channels; ++c) {
      const auto found = exec.reduce(Count{}, in, c);
      result.count.push_back(found.nonzero);
      result.nan_count.push_back(found.nan);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(CountNonzero)
