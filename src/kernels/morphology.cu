// The morphology operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::morphology
#define ZP_OPS "ops/morphology/morphology.inc"
#include "kernels/family_cuda.inc"
