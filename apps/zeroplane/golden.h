// The golden tables, built into the command.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_ZEROPLANE_GOLDEN_H
#define ZP_ZEROPLANE_GOLDEN_H

#include <string_view>

namespace zp::command {
/// Every line of tests/golden/*.tsv.
std::string_view golden_tables();
}  // namespace zp::command

#endif
