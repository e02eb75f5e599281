// The morphology operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::morphology
#define ZP_OPS "ops/morphology/morphology.inc"
#include "kernels/family_host.inc"
