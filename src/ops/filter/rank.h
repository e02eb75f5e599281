// A percentile of a square around each pixel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_RANK_H
#define ZP_OPS_FILTER_RANK_H

#include "core/op.h"
#include "ops/filter/selection.h"

namespace zp {

/// The sample of rank floor(n * percentile / 100) among the n = (2 * radius + 1)^2 sorted samples of the square, where
/// rank 0 is the smallest; percentile 100 is the largest, rank n - 1, and 50 the median. Exact for every format. NaN
/// sorts last. The border is replicate by default; a constant image stays as it is.
struct Rank {
  using Shape = Composite;
  static constexpr Info info{.name = "rank",
                             .family = "filter",
                             .summary = "a percentile of a square around each pixel",
                             .scikit_image = "same as scipy.ndimage.percentile_filter with mode nearest"};
  int radius = 1;
  double percentile = 50;
  Border border = Border::replicate;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("radius", &Rank::radius, "half width of the window", {.low = 1, .high = 15, .unit = "pixels"}),
      parameter("percentile", &Rank::percentile, "share of the window that is smaller",
                {.low = 0, .high = 100, .unit = "percent"}),
      parameter("border", &Rank::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &Rank::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{"percentile=10"},
                                   {"radius=3,percentile=75,border=reflect101", kAnyFormat, 3},
                                   {"radius=2,percentile=100,border=constant,value=1"},
                                   {"radius=6,percentile=0,border=wrap", kIntegerFormats}};

  /// The rank in the sorted window.
  int place() const {
    const int side = 2 * radius + 1, count = side * side, rank = int(double(count) * percentile / 100.0);
    return rank < count ? rank : count - 1;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    select_rank<In>(exec, operands.input<In>(), operands.output<Out>(), radius, place(), border, value);
  }
};

}  // namespace zp

#endif
ZP_OP(Rank)
