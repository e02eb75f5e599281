// Which operations may be steps of a point program, and programs on the simulated device.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/program.h"

#include "exec/simulated.h"
#include "kernels/program_steps.h"

namespace zp::kernels {
namespace {

struct Entry {
  const Info* info;
  ProgramOperation operation;
  bool (*takes)(Format in, Format out);
  void (*bind)(const void* op, const PlaneShape& in, unsigned char* functor);
};

template <class Op>
void bind_functor(const void* op, const PlaneShape& in, unsigned char* functor) {
  if constexpr (zp::in_programs<Op>()) {
    FunctorOf<Op> f = bound(*static_cast<const Op*>(op), in);
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&f);
#endif
#endif
    std::memcpy(functor, &f, sizeof(f));
  }
}

constexpr Entry kEntries[] = {
#define ZP_OP(T) {&zp::T::info, ProgramOperation::T, &zp::in_programs<zp::T>, &bind_functor<zp::T>},
#include "ops/operations.inc"
#undef ZP_OP
};

const Entry* find(const detail::Row& row) {
  for (const Entry& entry : kEntries)
    if (entry.info == row.info) return &entry;
  return nullptr;
}

}  // namespace

bool in_programs(const detail::Row& row, Format in, Format out) {
  const Entry* entry = row.shape == detail::ShapeKind::point ? find(row) : nullptr;
  return entry && entry->takes(in, out);
}

void append(Program& program, const detail::Row& row, const void* op, const PlaneShape& in, Format out) {
  const Entry& entry = *find(row);
  ProgramStep& step = program.steps[program.count++];
  step.operation = static_cast<std::uint16_t>(entry.operation);
  step.in = in.format;
  step.out = out;
  entry.bind(op, in, step.functor);
}

void run_program(const Program& program, const ConstPlaneView& in, const PlaneView& out, exec::Workspace& workspace) {
#if ZEROPLANE_HAS_CUDA
  if (workspace.runtime()->name() != "simulated") return run_program_cuda(program, in, out, workspace);
#endif
  exec::Simulated(workspace).samples(ProgramBody{program}, out, in);
}

}  // namespace zp::kernels
