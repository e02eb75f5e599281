// Decides the memory model of a device from its attributes.
// SPDX-License-Identifier: Apache-2.0
#include "device/runtime.h"

namespace zp {

std::string_view name_of(MemoryModel model) noexcept {
  switch (model) {
    case MemoryModel::no_device:
      return "no_device";
    case MemoryModel::discrete:
      return "discrete";
    case MemoryModel::unified:
      return "unified";
    case MemoryModel::coherent:
      return "coherent";
  }
  return "?";
}

namespace device {

std::string_view name_of(MemoryKind kind) noexcept {
  switch (kind) {
    case MemoryKind::ordinary:
      return "ordinary";
    case MemoryKind::pinned:
      return "pinned";
    case MemoryKind::mapped:
      return "mapped";
    case MemoryKind::device:
      return "device";
  }
  return "?";
}

MemoryModel classify(const Traits& traits, std::string& reason) {
  if (traits.ordinal < 0 && traits.compute_major == 0) {
    reason = "there is no device";
    return MemoryModel::no_device;
  }
  if (traits.pageable_access && traits.uses_host_page_tables) {
    reason = traits.integrated ? "the GPU reads any host address through the host's page tables, in one memory"
                               : "the GPU reads any host address through the host's page tables; it has its own memory "
                                 "besides";
    return MemoryModel::coherent;
  }
  if (traits.integrated && traits.can_map_host_memory) {
    reason = "the GPU is integrated and reads mapped host memory in place";
    return MemoryModel::unified;
  }
  if (traits.pageable_access) {
    reason = "the GPU has its own memory and reaches pageable host memory only through page faults";
  } else if (traits.integrated) {
    reason = "the GPU is integrated but cannot map host memory";
  } else {
    reason = "the GPU has its own memory and cannot read pageable host memory";
  }
  return MemoryModel::discrete;
}

}  // namespace device
}  // namespace zp
