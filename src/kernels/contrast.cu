// The contrast operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::contrast
#define ZP_OPS "ops/contrast/contrast.inc"
#include "kernels/family_cuda.inc"
