// The point operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::point
#define ZP_OPS "ops/point/point.inc"
#include "kernels/family_cuda.inc"
