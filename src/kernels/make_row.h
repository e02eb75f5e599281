// Builds rows from operation structs.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_MAKE_ROW_H
#define ZP_KERNELS_MAKE_ROW_H

#include "kernels/run_typed.h"

namespace zp::detail {

template <class V>
constexpr ValueType value_type() {
  if constexpr (std::is_same_v<V, float>)
    return ValueType::real;
  else if constexpr (std::is_same_v<V, double>)
    return ValueType::real64;
  else if constexpr (std::is_same_v<V, bool>)
    return ValueType::boolean;
  else if constexpr (std::is_same_v<V, int>)
    return ValueType::integer;
  else if constexpr (std::is_same_v<V, std::int64_t>)
    return ValueType::integer64;
  else if constexpr (std::is_same_v<V, std::uint64_t>)
    return ValueType::unsigned64;
  else if constexpr (std::is_enum_v<V>) {
    static_assert(std::is_same_v<std::underlying_type_t<V>, int>,
                  "a parameter's enumeration has the underlying type int");
    return ValueType::choice;
  } else if constexpr (std::is_same_v<V, std::vector<float>>)
    return ValueType::list;
  else if constexpr (std::is_same_v<V, std::string>)
    return ValueType::text;
  else if constexpr (std::is_same_v<V, Extent>)
    return ValueType::extent;
  else if constexpr (std::is_same_v<V, std::vector<double>>)
    return ValueType::reals64;
  else {
    static_assert(std::is_same_v<V, std::vector<std::int64_t>>, "a type that parameters and results do not have");
    return ValueType::integers64;
  }
}

template <class Op, std::size_t K>
void* locate_parameter(void* op) {
  return &(static_cast<Op*>(op)->*std::get<K>(Op::parameters).member);
}
template <class R, std::size_t K>
const void* locate_field(const void* result) {
  return &(static_cast<const R*>(result)->*std::get<K>(R::fields).member);
}

template <class Op, std::size_t... K>
constexpr std::array<ParameterRow, sizeof...(K)> parameter_rows(std::index_sequence<K...>) {
  return {ParameterRow{
      std::get<K>(Op::parameters).name, std::get<K>(Op::parameters).help, std::get<K>(Op::parameters).facts,
      value_type<std::remove_cvref_t<decltype(std::declval<Op&>().*std::get<K>(Op::parameters).member)>>(),
      &locate_parameter<Op, K>}...};
}
template <class R, std::size_t... K>
constexpr std::array<FieldRow, sizeof...(K)> field_rows(std::index_sequence<K...>) {
  return {FieldRow{std::get<K>(R::fields).name,
                   value_type<std::remove_cvref_t<decltype(std::declval<R&>().*std::get<K>(R::fields).member)>>(),
                   &locate_field<R, K>}...};
}

template <class Op>
inline constexpr auto kParameterRows =
    parameter_rows<Op>(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(Op::parameters)>>>{});
template <class R>
inline constexpr auto kFieldRows =
    field_rows<R>(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(R::fields)>>>{});

template <class Shape>
constexpr ShapeKind shape_kind() {
  if constexpr (std::is_same_v<Shape, Point>)
    return ShapeKind::point;
  else if constexpr (std::is_same_v<Shape, Gather>)
    return ShapeKind::gather;
  else if constexpr (std::is_same_v<Shape, Stencil>)
    return ShapeKind::stencil;
  else if constexpr (std::is_same_v<Shape, Reduce>)
    return ShapeKind::reduce;
  else {
    static_assert(std::is_same_v<Shape, Composite>);
    return ShapeKind::composite;
  }
}

inline constexpr std::string_view kInputNames[] = {"image", "with", "with2", "with3"};

template <class Op, class Exec>
concept HasRun = requires(const Op& op, Exec& exec, const Operands& operands, ResultOf<Op>& result) {
  op.template run<float, float>(exec, operands, result);
}
|| requires(const Op& op, Exec& exec, const Operands& operands) { op.template run<float, float>(exec, operands); };

template <class Op, class Cpu>
int halo_of(const Op& op, const PlaneShape& in) {
  if constexpr (requires { op.border; })
    if (op.border == Border::wrap) return -1;
  if constexpr (requires { op.halo(in); })
    return op.halo(in);
  else if constexpr (std::is_same_v<typename Op::Shape, Point>)
    return 0;
  else if constexpr (std::is_same_v<typename Op::Shape, Stencil> && !HasRun<Op, Cpu>)
    return bound(op, in).radius().height;
  else
    return -1;
}

template <Operation Op, class Cpu, class Simulated>
constexpr Row make_row(std::span<const RunFunction> (*cuda_table)(), std::size_t index) {
  using R = ResultOf<Op>;
  Row row;
  row.info = &Op::info;
  row.shape = shape_kind<typename Op::Shape>();
  row.parameters = kParameterRows<Op>;
  if constexpr (!std::is_same_v<R, NoResult>) row.fields = kFieldRows<R>;
  row.cases = Op::cases;
  if constexpr (requires { Op::input_names[0]; })
    row.input_names = Op::input_names;
  else
    row.input_names = std::span(kInputNames).first(std::size_t(Op::info.max_inputs));
  row.create = [] { return static_cast<void*>(new Op()); };
  row.clone = [](const void* op) { return static_cast<void*>(new Op(*static_cast<const Op*>(op))); };
  row.destroy = [](void* op) { delete static_cast<Op*>(op); };
  row.create_result = [] { return static_cast<void*>(new R()); };
  row.destroy_result = [](void* result) { delete static_cast<R*>(result); };
  row.output = [](const void* op, std::span<const PlaneShape> in) {
    return output_shape(*static_cast<const Op*>(op), in);
  };
  row.case_input = [](int k, const PlaneShape& first) {
    if constexpr (requires { Op::case_input(k, first); })
      return Op::case_input(k, first);
    else
      return CaseInput{first, Pattern::picture};
  };
  row.halo = [](const void* op, const PlaneShape& in) { return halo_of<Op, Cpu>(*static_cast<const Op*>(op), in); };
  if constexpr (requires { Op::in_pieces; })
    row.in_pieces = Op::in_pieces;
  else if constexpr (std::is_same_v<typename Op::Shape, Point> && Op::info.max_inputs == 1 && !HasRun<Op, Cpu>)
    row.in_pieces = kAnyFormat;
  row.cpu = &run_on<Op, Cpu>;
  row.simulated = &run_on<Op, Simulated>;
  row.cuda_table = cuda_table;
  row.index = index;
  return row;
}

}  // namespace zp::detail

#endif
