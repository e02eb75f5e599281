// Zeroplane: image processing in place on Jetson, desktop GPUs and machines with no GPU, with the same bits on all.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_ZEROPLANE_H
#define ZEROPLANE_ZEROPLANE_H

#include "zeroplane/apply.h"
#include "zeroplane/device_view.h"
#include "zeroplane/error.h"
#include "zeroplane/hash.h"
#include "zeroplane/image.h"
#include "zeroplane/io.h"
#include "zeroplane/memory.h"
#include "zeroplane/operations.h"
#include "zeroplane/pipeline.h"
#include "zeroplane/registry.h"
#include "zeroplane/sequence.h"
#include "zeroplane/synth.h"
#include "zeroplane/view.h"

#endif
