// Mirror images and half turns: what flip and rotate90 share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_MIRRORED_H
#define ZP_OPS_GEOMETRY_MIRRORED_H

#include "core/op.h"

namespace zp {

/// Counts columns from the right, rows from the bottom, or both.
struct Mirrored {
  bool from_right, from_bottom;
  template <class Source>
  ZP_HD auto operator()(const Source& in, int x, int y) const {
    return in.at(from_right ? in.width() - 1 - x : x, from_bottom ? in.height() - 1 - y : y);
  }
};

}  // namespace zp

#endif
