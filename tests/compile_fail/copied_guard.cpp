// Compiler says: deleted
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/memory.h"

void copy(zp::NoStaging& guard) { zp::NoStaging second = guard; }
