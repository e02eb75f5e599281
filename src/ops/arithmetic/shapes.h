// The size of what an operation on two images makes.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_SHAPES_H
#define ZP_OPS_ARITHMETIC_SHAPES_H

#include "core/op.h"

namespace zp::detail_shapes {

/// Two images of one size and format whose channels are equal, or 1 for one of them: the result has the other's.
inline PlaneShape shared(std::string_view operation, std::span<const PlaneShape> in) {
  const PlaneShape &a = in[0], &b = in[1];
  const bool fits = a.width == b.width && a.height == b.height && a.format == b.format;
  if (!fits || a.channels != 1) require_equal_inputs(operation, in.first(2));
  PlaneShape out = a;
  out.channels = larger(a.channels, b.channels);
  return out;
}

}  // namespace zp::detail_shapes

#endif
