// The filter operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::filter
#define ZP_OPS "ops/filter/filter.inc"
#include "kernels/family_cuda.inc"
