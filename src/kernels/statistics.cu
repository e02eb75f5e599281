// The statistics operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::statistics
#define ZP_OPS "ops/statistics/statistics.inc"
#include "kernels/family_cuda.inc"
