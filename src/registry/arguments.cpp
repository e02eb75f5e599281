// Parsing and printing of parameters by their type.
// SPDX-License-Identifier: Apache-2.0
#include "registry/arguments.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "zeroplane/registry.h"

namespace zp::registry {

using detail::ParameterRow;
using detail::ValueType;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text[i];
      parts.back() += text[++i];
    } else if (text[i] == separator) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

std::string number_text(double v) {
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  if (std::isnan(v)) return "nan";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), v);
  return std::string(buffer, end.ptr);
}

namespace {

std::string float_text(float v) {
  if (std::isinf(v) || std::isnan(v)) return number_text(double(v));
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), v);
  return std::string(buffer, end.ptr);
}

[[noreturn]] void bad_value(const detail::Row& row, const ParameterRow& p, std::string_view value,
                            const std::string& wanted) {
  refuse(row.info->name, std::string(p.name) + " = '" + std::string(value) + "' is not " + wanted);
}

template <class T>
T number(const detail::Row& row, const ParameterRow& p, std::string_view text, std::string_view whole) {
  T v{};
  const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), v);
  if (end.ec == std::errc::result_out_of_range) bad_value(row, p, whole, "a number in range");
  if (end.ec != std::errc() || end.ptr != digits.data() + digits.size() || digits.empty())
    bad_value(row, p, whole, std::is_integral_v<T> ? "a whole number" : "a number");
  return v;
}

bool truth(const detail::Row& row, const ParameterRow& p, std::string_view text) {
  for (const std::string_view yes : {"true", "1", "yes", "on"})
    if (text == yes) return true;
  for (const std::string_view no : {"false", "0", "no", "off"})
    if (text == no) return false;
  bad_value(row, p, text, "true or false");
}

int choice(const detail::Row& row, const ParameterRow& p, std::string_view text) {
  std::string words;
  for (std::size_t i = 0; i < p.facts.choices.size(); ++i) {
    if (p.facts.choices[i] == text) return int(i);
    words += (i ? ", " : "") + std::string(p.facts.choices[i]);
  }
  const std::string near = nearest(text, p.facts.choices);
  bad_value(row, p, text, "one of " + words + (near.empty() ? "" : "; did you mean " + near + "?"));
}

std::vector<float> list(const detail::Row& row, const ParameterRow& p, std::string_view text) {
  std::vector<float> numbers;
  if (text.empty()) return numbers;
  for (const std::string& part : split(text, '/')) numbers.push_back(number<float>(row, p, part, text));
  return numbers;
}

Extent extent(const detail::Row& row, const ParameterRow& p, std::string_view text) {
  const auto parts = split(text, 'x');
  if (parts.size() > 2) bad_value(row, p, text, "a size like 8x8");
  const int width = number<int>(row, p, parts[0], text);
  return {width, parts.size() == 2 ? number<int>(row, p, parts[1], text) : width};
}

void assign(const detail::Row& row, const ParameterRow& p, void* to, std::string_view text) {
  switch (p.type) {
    case ValueType::real:
      *static_cast<float*>(to) = number<float>(row, p, text, text);
      break;
    case ValueType::real64:
      *static_cast<double*>(to) = number<double>(row, p, text, text);
      break;
    case ValueType::integer:
      *static_cast<int*>(to) = number<int>(row, p, text, text);
      break;
    case ValueType::integer64:
      *static_cast<std::int64_t*>(to) = number<std::int64_t>(row, p, text, text);
      break;
    case ValueType::unsigned64:
      *static_cast<std::uint64_t*>(to) = number<std::uint64_t>(row, p, text, text);
      break;
    case ValueType::boolean:
      *static_cast<bool*>(to) = truth(row, p, text);
      break;
    case ValueType::choice:
      *static_cast<int*>(to) = choice(row, p, text);
      break;
    case ValueType::list:
      *static_cast<std::vector<float>*>(to) = list(row, p, text);
      break;
    case ValueType::text:
      *static_cast<std::string*>(to) = std::string(text);
      break;
    case ValueType::extent:
      *static_cast<Extent*>(to) = extent(row, p, text);
      break;
    case ValueType::reals64:
    case ValueType::integers64:
      refuse(row.info->name, std::string(p.name) + " cannot be set from text");
  }
}

}  // namespace

void set_parameter(const detail::Row& row, void* op, std::string_view key, std::string_view value) {
  std::vector<std::string_view> names;
  for (const ParameterRow& p : row.parameters) {
    names.push_back(p.name);
    if (p.name != key) continue;
    if (value == "auto") {
      const std::unique_ptr<void, void (*)(void*)> fresh(row.create(), row.destroy);
      assign(row, p, p.locate(op),
             parameter_text(p, fresh.get()) == "auto" && p.type == ValueType::real ? "nan"
                                                                                   : parameter_text(p, fresh.get()));
    } else {
      assign(row, p, p.locate(op), value);
    }
    detail::check_parameters(row, op);
    return;
  }
  std::string all;
  for (const std::string_view n : names) all += (all.empty() ? "" : ", ") + std::string(n);
  const std::string near = nearest(key, names);
  refuse(row.info->name,
         "has no parameter '" + std::string(key) + "'" +
             (near.empty() ? (all.empty() ? "; it takes none" : "; it takes " + all) : "; did you mean " + near + "?"));
}

std::string parameter_text(const ParameterRow& p, const void* op) {
  const void* v = p.locate(const_cast<void*>(op));
  switch (p.type) {
    case ValueType::real: {
      const float x = *static_cast<const float*>(v);
      return std::isnan(x) && !p.facts.automatic.empty() ? "auto" : float_text(x);
    }
    case ValueType::real64: {
      const double x = *static_cast<const double*>(v);
      return std::isnan(x) && !p.facts.automatic.empty() ? "auto" : number_text(x);
    }
    case ValueType::integer:
      return std::to_string(*static_cast<const int*>(v));
    case ValueType::integer64:
      return std::to_string(*static_cast<const std::int64_t*>(v));
    case ValueType::unsigned64:
      return std::to_string(*static_cast<const std::uint64_t*>(v));
    case ValueType::boolean:
      return *static_cast<const bool*>(v) ? "true" : "false";
    case ValueType::choice: {
      const int k = *static_cast<const int*>(v);
      return k >= 0 && std::size_t(k) < p.facts.choices.size() ? std::string(p.facts.choices[std::size_t(k)])
                                                               : std::to_string(k);
    }
    case ValueType::list: {
      std::string text;
      for (const float x : *static_cast<const std::vector<float>*>(v))
        text += (text.empty() ? "" : "/") + float_text(x);
      return text;
    }
    case ValueType::text: {
      std::string text;
      for (const char c : *static_cast<const std::string*>(v)) {
        if (c == ',' || c == ':' || c == '\\') text += '\\';
        text += c;
      }
      return text;
    }
    case ValueType::extent: {
      const Extent e = *static_cast<const Extent*>(v);
      return std::to_string(e.width) + "x" + std::to_string(e.height);
    }
    case ValueType::reals64:
    case ValueType::integers64:
      return "";
  }
  return "";
}

}  // namespace zp::registry
