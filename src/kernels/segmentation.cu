// The segmentation operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::segmentation
#define ZP_OPS "ops/segmentation/segmentation.inc"
#include "kernels/family_cuda.inc"
