// The geometry operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::geometry
#define ZP_OPS "ops/geometry/geometry.inc"
#include "kernels/family_host.inc"
