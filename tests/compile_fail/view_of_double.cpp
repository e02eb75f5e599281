// Compiler says: is_sample
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/view.h"

zp::View<double> view;
