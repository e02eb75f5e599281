// The arithmetic operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::arithmetic
#define ZP_OPS "ops/arithmetic/arithmetic.inc"
#include "kernels/family_cuda.inc"
