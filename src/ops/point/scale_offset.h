// Every sample times a scale, plus an offset.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_SCALE_OFFSET_H
#define ZP_OPS_POINT_SCALE_OFFSET_H

#include "core/op.h"

namespace zp {

/// v * scale, rounded to f32, then + offset, rounded again; integers round half to even and saturate.
struct ScaleOffset {
  using Shape = Point;
  static constexpr Info info{.name = "scale_offset",
                             .family = "point",
                             .summary = "v * scale + offset",
                             .opencv = "convertTo(same type, scale, offset), which may fuse the two roundings",
                             .scikit_image = "numpy's v * scale + offset, but saturating"};
  float scale = 1, offset = 0;
  static constexpr std::tuple parameters{
      parameter("scale", &ScaleOffset::scale, "what samples are multiplied by"),
      parameter("offset", &ScaleOffset::offset, "what is added then", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{"scale=2"}, {"scale=0.75,offset=10"}, {"scale=-1,offset=255", kAnyFormat, 3}};

  ZP_HD float operator()(float v) const {
    const float scaled = v * scale;
    return scaled + offset;
  }
};

}  // namespace zp

#endif
ZP_OP(ScaleOffset)
