// The one exception type of the library.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_ERROR_H
#define ZEROPLANE_ERROR_H

#include <stdexcept>
#include <string>
#include <string_view>

namespace zp {

enum class ErrorKind {
  invalid_argument,   ///< a parameter, size, format or name that the call does not take
  unsupported,        ///< legal, but not on this device, build or file variety
  device,             ///< a CUDA call failed, or the requested device is not there
  io,                 ///< a file could not be read or written
  out_of_memory,      ///< host or device memory ran out
  staging_forbidden,  ///< a NoStaging guard is alive and a copy would have been needed
};

/// "invalid_argument", "unsupported", ...
std::string_view name_of(ErrorKind kind) noexcept;

/// Thrown by every function of the library that fails. The message is written where the fault is seen and names the
/// operation, parameter, value and allowed range, or the call, the CUDA error and the bytes asked for.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace zp

#endif
