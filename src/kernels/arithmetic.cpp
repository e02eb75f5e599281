// The arithmetic operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::arithmetic
#define ZP_OPS "ops/arithmetic/arithmetic.inc"
#include "kernels/family_host.inc"
