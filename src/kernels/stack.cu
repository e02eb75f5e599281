// The stack operations on CUDA.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::stack
#define ZP_OPS "ops/stack/stack.inc"
#include "kernels/family_cuda.inc"
