// Operations by name.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/registry.h"

#include <algorithm>
#include <numeric>

#include "registry/arguments.h"
#include "zeroplane/apply.h"

namespace zp {
namespace {

const detail::Row& require_row(std::string_view name) {
  if (const detail::Row* row = detail::find_row(name)) return *row;
  const auto names = operation_names();
  const std::string near = nearest(name, names);
  throw Error(ErrorKind::invalid_argument,
              "no operation '" + std::string(name) + "'" +
                  (near.empty() ? "; `zeroplane ops` lists them" : "; did you mean " + near + "?"));
}

Value field_value(const detail::FieldRow& f, const void* result) {
  const void* v = f.locate(result);
  using detail::ValueType;
  switch (f.type) {
    case ValueType::real:
      return double(*static_cast<const float*>(v));
    case ValueType::real64:
      return *static_cast<const double*>(v);
    case ValueType::integer:
      return std::int64_t(*static_cast<const int*>(v));
    case ValueType::integer64:
      return *static_cast<const std::int64_t*>(v);
    case ValueType::unsigned64:
      return *static_cast<const std::uint64_t*>(v);
    case ValueType::boolean:
      return *static_cast<const bool*>(v);
    case ValueType::choice:
      return std::int64_t(*static_cast<const int*>(v));
    case ValueType::text:
      return *static_cast<const std::string*>(v);
    case ValueType::reals64:
      return *static_cast<const std::vector<double>*>(v);
    case ValueType::integers64:
      return *static_cast<const std::vector<std::int64_t>*>(v);
    case ValueType::list: {
      const auto& list = *static_cast<const std::vector<float>*>(v);
      return std::vector<double>(list.begin(), list.end());
    }
    case ValueType::extent: {
      const Extent e = *static_cast<const Extent*>(v);
      return std::vector<std::int64_t>{e.width, e.height};
    }
  }
  return 0.0;
}

/// Edits (insert, delete, replace, swap of neighbours) from a to b.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string_view> words) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view w : words) {
    std::size_t d = distance(word, w);
    // Half a name is as good as a slip of the finger.
    if (word.size() >= 3 && w.starts_with(word)) d = std::min<std::size_t>(d, 2);
    if (d < least) {
      least = d;
      best = w;
    }
  }
  return std::string(best);
}

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (const detail::Row* row : detail::all_rows()) names.push_back(row->info->name);
  return names;
}

const Info* find_operation(std::string_view name) noexcept {
  const detail::Row* row = detail::find_row(name);
  return row ? row->info : nullptr;
}

AnyOperation::AnyOperation(std::string_view name, std::string_view arguments)
    : row_(&require_row(name)), op_(row_->create()) {
  try {
    if (arguments.empty()) return;
    for (const std::string& part : registry::split(arguments, ',')) {
      const std::size_t equals = part.find('=');
      if (equals == std::string::npos) refuse(name, "'" + registry::unescape(part) + "' is not of the form key=value");
      set(registry::unescape(std::string_view(part).substr(0, equals)),
          registry::unescape(std::string_view(part).substr(equals + 1)));
    }
  } catch (...) {
    row_->destroy(op_);
    throw;
  }
}

AnyOperation AnyOperation::parse(std::string_view step) {
  const auto parts = registry::split(step, ':');
  if (parts.size() > 2)
    throw Error(ErrorKind::invalid_argument,
                "'" + std::string(step) + "': one colon between a name and its parameters; write \\: in a value");
  return AnyOperation(registry::unescape(parts[0]),
                      parts.size() == 2 ? std::string_view(parts[1]) : std::string_view());
}

AnyOperation::AnyOperation(const AnyOperation& other) : row_(other.row_), op_(other.row_->clone(other.op_)) {}
AnyOperation::AnyOperation(AnyOperation&& other) noexcept : row_(other.row_), op_(std::exchange(other.op_, nullptr)) {}
AnyOperation& AnyOperation::operator=(AnyOperation other) noexcept {
  std::swap(row_, other.row_);
  std::swap(op_, other.op_);
  return *this;
}
AnyOperation::~AnyOperation() {
  if (op_) row_->destroy(op_);
}

void AnyOperation::set(std::string_view key, std::string_view value) {
  registry::set_parameter(*row_, op_, key, value);
}
std::string_view AnyOperation::name() const noexcept { return row_->info->name; }
const Info& AnyOperation::info() const noexcept { return *row_->info; }
bool AnyOperation::makes_image() const noexcept { return row_->info->output != Output::none; }

std::string AnyOperation::arguments() const {
  const std::unique_ptr<void, void (*)(void*)> fresh(row_->create(), row_->destroy);
  std::string text;
  for (const detail::ParameterRow& p : row_->parameters) {
    const std::string mine = registry::parameter_text(p, op_);
    if (mine != registry::parameter_text(p, fresh.get()))
      text += (text.empty() ? "" : ",") + std::string(p.name) + "=" + mine;
  }
  return text;
}

PlaneShape AnyOperation::output(std::span<const ConstPlaneView> in) const { return detail::output_of(*row_, op_, in); }

Values AnyOperation::run(std::span<const ConstPlaneView> in, const PlaneView* out) const {
  const std::unique_ptr<void, void (*)(void*)> result(row_->create_result(), row_->destroy_result);
  if (makes_image() && !out) refuse(name(), "makes an image, but no output was given");
  detail::run(*row_, op_, in, out, result.get());
  Values values;
  for (const detail::FieldRow& f : row_->fields) values.emplace_back(std::string(f.name), field_value(f, result.get()));
  return values;
}

Image AnyOperation::evaluate(std::span<const ConstPlaneView> in, Values* values) const {
  Image out;
  Values found;
  if (makes_image()) {
    out = Image(output(in));
    const PlaneView view = out.view();
    found = run(in, &view);
  } else {
    found = run(in, nullptr);
  }
  if (values) *values = std::move(found);
  return out;
}

}  // namespace zp
