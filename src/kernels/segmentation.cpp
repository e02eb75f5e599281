// The segmentation operations on the host executors.
// SPDX-License-Identifier: Apache-2.0
#define ZP_FAMILY family::segmentation
#define ZP_OPS "ops/segmentation/segmentation.inc"
#include "kernels/family_host.inc"
