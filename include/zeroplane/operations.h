// Every operation's struct.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_OPERATIONS_H
#define ZEROPLANE_OPERATIONS_H

#include "ops/operations.inc"

#endif
