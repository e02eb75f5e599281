// The color operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::color
#define ZP_OPS "ops/color/color.inc"
#include "kernels/family_cuda.inc"
