// Distance to the nearest zero pixel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_DISTANCE_H
#define ZP_OPS_SEGMENTATION_DISTANCE_H

#include <cmath>

#include "ops/segmentation/nearest.h"

namespace zp {

namespace detail_distance {

struct WriteDistance {
  View<float> out;
  static constexpr std::tuple pointers{&WriteDistance::out};
  ZP_HD void none(int x, int y) const { out.row(y)[x] = __builtin_inff(); }
  ZP_HD void found(const detail_nearest::Envelope&, int x, int y, int, std::uint64_t squared) const {
    out.row(y)[x] = static_cast<float>(std::sqrt(static_cast<double>(static_cast<std::int64_t>(squared))));
  }
};

}  // namespace detail_distance

/// Euclidean distance, in pixels, from the centre of each pixel to the centre of the nearest pixel that is zero; 0
/// there. Exact: the squared distance is found as an integer, its root is taken in double and rounded to f32 once.
/// What lies outside of the image counts for nothing; in an image without a zero all distances are +infinity. NaN is
/// not zero. One channel, labels too. Linear in pixels, whatever the image (Meijster, Roerdink, Hesselink 2000).
struct Distance {
  using Shape = Composite;
  static constexpr Info info{
      .name = "distance",
      .family = "segmentation",
      .summary = "exact Euclidean distance to the nearest zero pixel",
      .formats = kAnyFormat,
      .channels = kOneChannel,
      .output = Output::f32,
      .opencv = "same as distanceTransform with DIST_L2, DIST_MASK_PRECISE within rounding; u16, u32 and f32 too",
      .scikit_image =
          "same as scipy.ndimage.distance_transform_edt, rounded to f32; without a zero that counts from "
          "beyond a corner",
      .npp = "same as DistanceTransformPBA"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}};
  static constexpr CaseInput case_input(int, const PlaneShape& first) { return {first, Pattern::mask}; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    detail_nearest::visit<true>(exec, operands.input<In>(), detail_distance::WriteDistance{operands.output<float>()});
  }
};

}  // namespace zp

#endif
ZP_OP(Distance)
