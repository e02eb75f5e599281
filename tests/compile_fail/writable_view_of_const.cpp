// Compiler says: View<const float>
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/view.h"

void write(zp::View<const float> source) { zp::View<float> view = source; }
