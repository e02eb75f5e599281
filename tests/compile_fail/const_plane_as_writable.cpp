// Compiler says: casts away qualifiers
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/view.h"

zp::View<float> write(const zp::ConstPlaneView& plane) { return plane.as<float>(); }
