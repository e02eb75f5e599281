// Every operation's struct.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_OPERATIONS_H
#define ZEROPLANE_OPERATIONS_H

#include "ops/arithmetic/arithmetic.inc"
#include "ops/color/color.inc"
#include "ops/contrast/contrast.inc"
#include "ops/filter/filter.inc"
#include "ops/geometry/geometry.inc"
#include "ops/layout/layout.inc"
#include "ops/morphology/morphology.inc"
#include "ops/point/point.inc"
#include "ops/segmentation/segmentation.inc"
#include "ops/stack/stack.inc"
#include "ops/statistics/statistics.inc"

#endif
