// Operations by name: what the command, bindings and documentation ask.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_REGISTRY_H
#define ZEROPLANE_REGISTRY_H

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/op.h"
#include "zeroplane/image.h"

namespace zp {

/// One value that an operation found.
using Value = std::variant<double, std::int64_t, std::uint64_t, bool, std::string, std::vector<double>,
                           std::vector<std::int64_t>>;
using Values = std::vector<std::pair<std::string, Value>>;
/// As a JSON object; infinities and NaN as strings.
std::string to_json(const Values& values, int indent = 2);

/// Names in the order of the families' lists.
std::vector<std::string_view> operation_names();
/// Null if there is none of that name.
const Info* find_operation(std::string_view name) noexcept;

/// An operation chosen at run time with its parameters. A value: copies are independent. Reading is thread-safe.
class AnyOperation {
 public:
  /// `arguments` in the command's syntax: key=value,key=value. Throws invalid_argument: an unknown name or key gets the
  /// nearest right one, a value its allowed range or words.
  explicit AnyOperation(std::string_view name, std::string_view arguments = {});
  /// name[:key=value,...]; a backslash keeps a following comma, colon or backslash.
  static AnyOperation parse(std::string_view step);

  AnyOperation(const AnyOperation& other);
  AnyOperation(AnyOperation&& other) noexcept;
  AnyOperation& operator=(AnyOperation other) noexcept;
  ~AnyOperation();

  void set(std::string_view key, std::string_view value);
  std::string_view name() const noexcept;
  const Info& info() const noexcept;
  /// The parameters that differ from their defaults, in the command's syntax.
  std::string arguments() const;
  bool makes_image() const noexcept;

  /// Shape of the result; throws as run() would for wrong inputs.
  PlaneShape output(std::span<const ConstPlaneView> in) const;
  /// As zp::apply. `out` is null for an operation that makes no image.
  Values run(std::span<const ConstPlaneView> in, const PlaneView* out) const;
  /// A new image (empty for an operation that makes none); values into `values` if not null.
  Image evaluate(std::span<const ConstPlaneView> in, Values* values = nullptr) const;

  const detail::Row& row() const noexcept { return *row_; }
  const void* parameters() const noexcept { return op_; }  ///< the operation's struct

 private:
  const detail::Row* row_;
  void* op_;
};

/// Help of one operation as text for a terminal.
std::string help_text(std::string_view name);
/// The table: one line per operation.
std::string list_text();
/// The table, or one operation, as JSON.
std::string describe_json(std::string_view name = {});
/// The page docs/operations.md.
std::string describe_markdown();

/// The nearest of `words` to `word`, empty if none is near.
std::string nearest(std::string_view word, std::span<const std::string_view> words);

}  // namespace zp

#endif
