// The families of operations; each has a table for the host executors and one for CUDA.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_FAMILIES_H
#define ZP_KERNELS_FAMILIES_H

#include "kernels/row.h"

namespace zp::detail {

namespace family {
#define ZP_FAMILY_ROW(name) struct name;
#include "kernels/families.inc"
#undef ZP_FAMILY_ROW
}  // namespace family

template <class Family>
struct Tables {
  static std::span<const Row> host();
  static std::span<const RunFunction> cuda();
};

#define ZP_FAMILY_ROW(name)                          \
  template <>                                        \
  std::span<const Row> Tables<family::name>::host(); \
  template <>                                        \
  std::span<const RunFunction> Tables<family::name>::cuda();
#include "kernels/families.inc"
#undef ZP_FAMILY_ROW

}  // namespace zp::detail

#endif
