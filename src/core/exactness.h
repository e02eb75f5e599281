// The self-test of this process's arithmetic.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_EXACTNESS_H
#define ZP_CORE_EXACTNESS_H

#include <string>

namespace zp {

/// Empty if f32 and f64 on this thread round as IEEE 754 says (half to even, subnormals kept) and a * b + c is two
/// roundings; else what is wrong. Fails where a program was linked with fast-math start-up code, or the library built
/// without its flags.
std::string arithmetic_fault();

/// Throws Error(unsupported) once something is wrong; the first operation of a process calls it.
void require_exact_arithmetic();

}  // namespace zp

#endif
