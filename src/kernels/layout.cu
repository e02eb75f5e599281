// The layout operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::layout
#define ZP_OPS "ops/layout/layout.inc"
#include "kernels/family_cuda.inc"
