// Point programs of operations: several Point operations as one launch of a device.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_PROGRAM_H
#define ZP_KERNELS_PROGRAM_H

#include "core/program.h"
#include "exec/workspace.h"
#include "kernels/row.h"

namespace zp::kernels {

/// Whether a step of a program may be this operation: a Point operation on one image whose functor works on single
/// samples, without addresses, and is small enough to be a kernel's parameter.
bool in_programs(const detail::Row& row, Format in, Format out);

/// Adds a step that in_programs() grants; there are kProgramSteps at most.
void append(Program& program, const detail::Row& row, const void* op, const PlaneShape& in, Format out);

/// One launch. Sizes and channels of the planes are equal, their formats those of the first and last step.
void run_program(const Program& program, const ConstPlaneView& in, const PlaneView& out, exec::Workspace& workspace);

/// The same on a GPU, in a build with CUDA.
void run_program_cuda(const Program& program, const ConstPlaneView& in, const PlaneView& out,
                      exec::Workspace& workspace);

}  // namespace zp::kernels

#endif
