// Point programs on CUDA: one kernel for all of them.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/program.h"

#include "exec/cuda.cuh"
#include "kernels/program_steps.h"

namespace zp::kernels {

void run_program_cuda(const Program& program, const ConstPlaneView& in, const PlaneView& out,
                      exec::Workspace& workspace) {
  exec::Cuda(workspace).samples(ProgramBody{program}, out, in);
}

}  // namespace zp::kernels
