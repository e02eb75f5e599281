// Names of the enumerations of floor 0.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/error.h"
#include "zeroplane/view.h"

namespace zp {

std::string_view name_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return "invalid_argument";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::device:
      return "device";
    case ErrorKind::io:
      return "io";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::staging_forbidden:
      return "staging_forbidden";
  }
  return "?";
}

std::string_view name_of(Format format) noexcept {
  switch (format) {
    case Format::u8:
      return "u8";
    case Format::u16:
      return "u16";
    case Format::f32:
      return "f32";
    case Format::u32:
      return "u32";
  }
  return "?";
}

}  // namespace zp
