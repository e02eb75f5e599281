// The color operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::color
#define ZP_OPS "ops/color/color.inc"
#include "kernels/family_host.inc"
