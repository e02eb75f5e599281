// Labels that grow into the background.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_EXPAND_LABELS_H
#define ZP_OPS_SEGMENTATION_EXPAND_LABELS_H

#include "ops/segmentation/nearest.h"

namespace zp {

namespace detail_expand_labels {

template <class T>
struct WriteNearest {
  View<const T> in;
  View<T> out;
  double largest;  ///< squared distance
  static constexpr std::tuple pointers{&WriteNearest::in, &WriteNearest::out};

  /// The smaller label of those that lie nearest in a row.
  ZP_HD T label(const detail_nearest::Envelope& e, int x, int y) const {
    const auto reach = e.reach(x, y);
    const std::uint32_t d = reach.nearest(), here = std::uint32_t(x);
    const T* row = in.row(y);
    const T left = row[reach.left == d ? here - d : here + d], right = row[reach.right == d ? here + d : here - d];
    return smaller(left, right);
  }
  ZP_HD void none(int x, int y) const { out.row(y)[x] = T(0); }
  ZP_HD void found(const detail_nearest::Envelope& e, int x, int y, int k, std::uint64_t squared) const {
    T best = T(0);
    if (static_cast<double>(squared) <= largest) {
      best = label(e, x, int(e.rows[e.place(x, k)]));
      // Those that are as near stand right before it in the list.
      for (; k > 0 && e.starts[e.place(x, k)] == std::uint32_t(y); --k) {
        const int row = int(e.rows[e.place(x, k - 1)]);
        if (e.squared_reach(x, row) + detail_nearest::Envelope::square(std::int64_t(y) - row) != squared) break;
        best = smaller(best, label(e, x, row));
      }
    }
    out.row(y)[x] = best;
  }
};

}  // namespace detail_expand_labels

/// Every background pixel (0) within `distance` of an object gets the label of the nearest one; of several at the same
/// distance the smallest. Distances are Euclidean, between centres of pixels, compared as exact integers with the
/// square of `distance`. Labels themselves stay. One channel; linear in pixels, whatever the distance.
struct ExpandLabels {
  using Shape = Composite;
  static constexpr Info info{.name = "expand_labels",
                             .family = "segmentation",
                             .summary = "let labels grow into the background, the nearest wins",
                             .formats = kIntegerFormats | bit(Format::u32),
                             .channels = kOneChannel,
                             .scikit_image =
                                 "same as segmentation.expand_labels but for ties, which go to the smaller "
                                 "label here and to any there"};
  float distance = 1;
  static constexpr std::tuple parameters{
      parameter("distance", &ExpandLabels::distance, "how far labels grow", {.low = 0, .unit = "pixels"})};
  static constexpr Case cases[] = {{""}, {"distance=2.9"}, {"distance=40"}};
  static constexpr CaseInput case_input(int, const PlaneShape& first) { return {first, Pattern::mask}; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const double reach = static_cast<double>(distance);
    const View<const In> in = operands.input<In>();
    detail_nearest::visit<false>(exec, in,
                                 detail_expand_labels::WriteNearest<In>{in, operands.output<In>(), reach * reach});
  }
};

}  // namespace zp

#endif
ZP_OP(ExpandLabels)
