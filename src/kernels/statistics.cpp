// The statistics operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::statistics
#define ZP_OPS "ops/statistics/statistics.inc"
#include "kernels/family_host.inc"
