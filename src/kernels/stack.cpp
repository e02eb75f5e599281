// The stack operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::stack
#define ZP_OPS "ops/stack/stack.inc"
#include "kernels/family_host.inc"
