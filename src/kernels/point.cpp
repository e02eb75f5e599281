// The point operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::point
#define ZP_OPS "ops/point/point.inc"
#include "kernels/family_host.inc"
