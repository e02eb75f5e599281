// The geometry operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::geometry
#define ZP_OPS "ops/geometry/geometry.inc"
#include "kernels/family_cuda.inc"
