// The filter operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::filter
#define ZP_OPS "ops/filter/filter.inc"
#include "kernels/family_host.inc"
