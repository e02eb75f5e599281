// Text to parameters and back.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_REGISTRY_ARGUMENTS_H
#define ZP_REGISTRY_ARGUMENTS_H

#include <string>
#include <string_view>
#include <vector>

#include "kernels/row.h"

namespace zp::registry {

/// Splits at unescaped separators; escapes stay.
std::vector<std::string> split(std::string_view text, char separator);
std::string unescape(std::string_view text);

/// Sets one parameter of `op`; "auto" restores its default. Throws invalid_argument.
void set_parameter(const detail::Row& row, void* op, std::string_view key, std::string_view value);
/// The value as set_parameter() reads it; "auto" for an automatic one.
std::string parameter_text(const detail::ParameterRow& parameter, const void* op);

std::string number_text(double v);

}  // namespace zp::registry

#endif
