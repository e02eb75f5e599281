// From run-time formats to typed loops: the only place where operations are instantiated for an executor.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_RUN_TYPED_H
#define ZP_KERNELS_RUN_TYPED_H

#include <utility>

#include "kernels/row.h"

namespace zp::detail {

template <class Out, class In, class F, class Exec, std::size_t... K>
void point_inputs(const F& f, Exec& exec, const Operands& operands, std::index_sequence<K...>) {
  exec.point(f, operands.output<Out>(), operands.input<In>(K)...);
}

template <class In, class Out, class Op, class Exec>
void run_shape(const Op& op, Exec& exec, const Operands& operands) {
  const auto f = bound(op, operands.in[0].shape);
  using F = std::remove_const_t<decltype(f)>;
  if constexpr (std::is_same_v<typename Op::Shape, Point>) {
    if constexpr (PixelFunctor<F>) {
      exec.point(f, operands.output<Out>(), operands.input<In>());
    } else {
      constexpr int low = Op::info.min_inputs, high = Op::info.max_inputs;
      const int n = static_cast<int>(operands.in.size());
      if constexpr (low <= 1 && 1 <= high)
        if (n == 1) point_inputs<Out, In>(f, exec, operands, std::make_index_sequence<1>{});
      if constexpr (low <= 2 && 2 <= high)
        if (n == 2) point_inputs<Out, In>(f, exec, operands, std::make_index_sequence<2>{});
      if constexpr (low <= 3 && 3 <= high)
        if (n == 3) point_inputs<Out, In>(f, exec, operands, std::make_index_sequence<3>{});
    }
  } else if constexpr (std::is_same_v<typename Op::Shape, Gather>) {
    exec.gather(f, operands.output<Out>(), operands.input<In>());
  } else {
    static_assert(std::is_same_v<typename Op::Shape, Stencil>, "Reduce and Composite operations define run()");
    exec.stencil(f, operands.output<Out>(), operands.input<In>(), op.border, op.value);
  }
}

template <class Op, class Exec, class In, class Out>
void run_pair(const Op& op, Exec& exec, const Operands& operands, void* result) {
  using R = ResultOf<Op>;
  if constexpr (requires(R & r) { op.template run<In, Out>(exec, operands, r); })
    op.template run<In, Out>(exec, operands, *static_cast<R*>(result));
  else if constexpr (requires { op.template run<In, Out>(exec, operands); })
    op.template run<In, Out>(exec, operands);
  else
    run_shape<In, Out>(op, exec, operands);
}

template <class Op, class Exec, class In>
void run_output(const Op& op, Exec& exec, const Operands& operands, void* result) {
  constexpr Output kind = Op::info.output;
  constexpr Format in = format_of<In>;
  const Format out = kind == Output::none ? in : operands.out.shape.format;
  if constexpr (output_may_be(kind, in, Format::u8))
    if (out == Format::u8) return run_pair<Op, Exec, In, std::uint8_t>(op, exec, operands, result);
  if constexpr (output_may_be(kind, in, Format::u16))
    if (out == Format::u16) return run_pair<Op, Exec, In, std::uint16_t>(op, exec, operands, result);
  if constexpr (output_may_be(kind, in, Format::f32))
    if (out == Format::f32) return run_pair<Op, Exec, In, float>(op, exec, operands, result);
  if constexpr (output_may_be(kind, in, Format::u32))
    if (out == Format::u32) return run_pair<Op, Exec, In, std::uint32_t>(op, exec, operands, result);
}

/// A RunFunction. Formats were checked before.
template <class Op, class Exec>
void run_on(const void* erased, const Operands& operands, void* result, exec::Workspace& workspace) {
  const Op& op = *static_cast<const Op*>(erased);
  Exec exec(workspace);
  constexpr FormatSet formats = Op::info.formats;
  const Format in = operands.in[0].shape.format;
  if constexpr (formats & bit(Format::u8))
    if (in == Format::u8) return run_output<Op, Exec, std::uint8_t>(op, exec, operands, result);
  if constexpr (formats & bit(Format::u16))
    if (in == Format::u16) return run_output<Op, Exec, std::uint16_t>(op, exec, operands, result);
  if constexpr (formats & bit(Format::f32))
    if (in == Format::f32) return run_output<Op, Exec, float>(op, exec, operands, result);
  if constexpr (formats & bit(Format::u32))
    if (in == Format::u32) return run_output<Op, Exec, std::uint32_t>(op, exec, operands, result);
}

}  // namespace zp::detail

#endif
