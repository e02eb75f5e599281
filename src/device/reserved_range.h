// The simulated device's address range: never readable, so that a host that touches device memory faults.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_DEVICE_RESERVED_RANGE_H
#define ZP_DEVICE_RESERVED_RANGE_H

#include <cstddef>
#include <cstdint>

namespace zp::device {

/// Addresses without memory behind them. Not thread-safe but for contains().
class ReservedRange {
 public:
  /// Throws Error(device) if the system grants no range.
  ReservedRange();
  ~ReservedRange();
  ReservedRange(const ReservedRange&) = delete;
  ReservedRange& operator=(const ReservedRange&) = delete;

  std::uintptr_t begin() const noexcept { return begin_; }
  std::uintptr_t end() const noexcept { return begin_ + bytes_; }
  bool contains(std::uintptr_t address) const noexcept { return address - begin_ < bytes_; }

 private:
  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace zp::device

#endif
