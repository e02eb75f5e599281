// Point operations one after the other on the CPU, over pieces of the image that stay in the first-level cache.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_BANDS_H
#define ZP_KERNELS_BANDS_H

#include <span>

#include "kernels/row.h"
#include "zeroplane/apply.h"

namespace zp::kernels {

/// Whether run_in_bands() takes this operation, from a plane of one shape to that of another.
bool in_bands(const detail::Row& row, const PlaneShape& in, const PlaneShape& out);

/// The result equals step by step. Steps from an integer format that would fill tables of their own become one table
/// for all of them.
void run_in_bands(std::span<const detail::ChainStep> steps, const ConstPlaneView& in, const PlaneView& out);

}  // namespace zp::kernels

#endif
