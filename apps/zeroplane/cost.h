// What operations cost, measured for verify --time.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_ZEROPLANE_COST_H
#define ZP_ZEROPLANE_COST_H

#include <string_view>

#include "core/op.h"

namespace zp::command {

/// Prints, for the first case of each operation whose name starts with `filter` and each of its formats, the time and
/// how many copies of its first input take as long: on the CPU, and on the GPU with all planes in its own
/// memory; `where` (cpu, cuda) takes one of the two.
void print_costs(std::string_view filter, std::string_view where, Extent size, std::string_view json_file);

}  // namespace zp::command

#endif
