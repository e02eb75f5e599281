// The switch of point programs, generated from the families' include lists.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_PROGRAM_STEPS_H
#define ZP_KERNELS_PROGRAM_STEPS_H

#include "core/program.h"
#include "zeroplane/operations.h"  // first reading: the operations

#undef ZP_OP

namespace zp::kernels {

enum class ProgramOperation : std::uint16_t {
#define ZP_OP(T) T,
#include "ops/operations.inc"  // second reading: their numbers
#undef ZP_OP
};

/// What an executor calls with the samples of each thread.
struct ProgramBody {
  Program program;

  ZP_HD void operator()(float (&v)[kRun]) const {
    for (int s = 0; s < program.count; ++s) {
      const ProgramStep& step = program.steps[s];
      switch (static_cast<ProgramOperation>(step.operation)) {
#define ZP_OP(T)                  \
  case ProgramOperation::T:       \
    program_step<zp::T>(step, v); \
    break;
#include "ops/operations.inc"  // third reading: the cases
#undef ZP_OP
      }
    }
  }
};

}  // namespace zp::kernels

#endif
