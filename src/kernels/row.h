// A row of the table of operations: everything the struct says of itself, with its types erased.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_ROW_H
#define ZP_KERNELS_ROW_H

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/op.h"
#include "exec/workspace.h"

namespace zp::detail {

enum class ShapeKind { point, gather, stencil, reduce, composite };
enum class ValueType {
  real,
  real64,
  integer,
  integer64,
  unsigned64,
  boolean,
  choice,
  list,
  text,
  extent,
  reals64,
  integers64
};

struct ParameterRow {
  std::string_view name, help;
  Facts facts;
  ValueType type = ValueType::real;
  void* (*locate)(void*) = nullptr;
};
struct FieldRow {
  std::string_view name;
  ValueType type = ValueType::real64;
  const void* (*locate)(const void*) = nullptr;
};

using RunFunction = void (*)(const void* op, const Operands& operands, void* result, exec::Workspace& workspace);

struct Row {
  const Info* info = nullptr;
  ShapeKind shape = ShapeKind::point;
  std::span<const ParameterRow> parameters;
  std::span<const FieldRow> fields;
  std::span<const Case> cases;
  std::span<const std::string_view> input_names;
  void* (*create)() = nullptr;
  void* (*clone)(const void*) = nullptr;
  void (*destroy)(void*) = nullptr;
  void* (*create_result)() = nullptr;
  void (*destroy_result)(void*) = nullptr;
  PlaneShape (*output)(const void*, std::span<const PlaneShape>) = nullptr;
  CaseInput (*case_input)(int, const PlaneShape&) = nullptr;
  /// How many rows away the input rows of an output row are; negative where it may depend on all of them.
  int (*halo)(const void*, const PlaneShape& in) = nullptr;
  FormatSet in_pieces =
      0;  ///< formats of the one input whose pixels the CPU may do in any pieces, from several threads
  RunFunction cpu = nullptr, simulated = nullptr;
  std::span<const RunFunction> (*cuda_table)() = nullptr;  ///< null in a build without CUDA
  std::size_t index = 0;                                   ///< in the family
};

/// Throws invalid_argument for the first parameter outside its range.
void check_parameters(const Row& row, const void* op);

/// Every row of every family, in the order of the include lists.
std::span<const Row* const> all_rows();
/// Null if there is none of that name.
const Row* find_row(std::string_view name);

}  // namespace zp::detail

#endif
