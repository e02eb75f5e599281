// The messages of file errors, and the one check of a claimed size before anything is allocated.
// SPDX-License-Identifier: Apache-2.0
#include "io/failure.h"

#include <algorithm>
#include <limits>
#include <system_error>

namespace zp::io {

void fail_read(ErrorKind kind, const std::string& path, const std::string& what) {
  throw Error(kind, "cannot read '" + path + "': " + what);
}

void fail_write(ErrorKind kind, const std::string& path, const std::string& what) {
  throw Error(kind, "cannot write '" + path + "': " + what);
}

std::string system_reason(int error_number) { return std::generic_category().message(error_number); }

std::uint64_t claimed_bytes(std::uint64_t width, std::uint64_t height, std::uint64_t channels, Format format) {
  return saturating_product(saturating_product(width, height), channels * bytes_of(format));
}

std::uint64_t justified_bytes(std::uint64_t file_bytes, const ReadOptions& options) {
  // Below this a wrong claim does no harm, and a flat image in a good codec is rightly tiny.
  constexpr std::uint64_t kAlwaysAllowed = std::uint64_t(64) << 20;
  if (options.expansion_limit == 0) return UINT64_MAX;
  return std::max(kAlwaysAllowed, saturating_product(file_bytes, options.expansion_limit));
}

void require_plausible(const std::string& path, std::uint64_t claimed, std::uint64_t file_bytes,
                       const ReadOptions& options, const std::string& where) {
  if (claimed > options.byte_limit) {
    fail_read(ErrorKind::invalid_argument, path,
              where + "the image needs " + std::to_string(claimed) +
                  " bytes, more than ReadOptions::byte_limit = " + std::to_string(options.byte_limit));
  }
  const std::uint64_t justified = justified_bytes(file_bytes, options);
  if (claimed > justified) {
    fail_read(ErrorKind::io, path,
              where + "the image claims " + std::to_string(claimed) + " bytes, but the file has only " +
                  std::to_string(file_bytes) +
                  "; ReadOptions::expansion_limit = " + std::to_string(options.expansion_limit) + " allows " +
                  std::to_string(justified) + " (0 allows any size up to byte_limit)");
  }
}

void require_dimensions(const std::string& path, std::uint64_t width, std::uint64_t height, const std::string& where) {
  constexpr std::uint64_t kLargest = std::numeric_limits<int>::max();
  if (width == 0 || height == 0 || width > kLargest || height > kLargest) {
    fail_read(ErrorKind::io, path,
              where + "the image is " + std::to_string(width) + "x" + std::to_string(height) + ", allowed is 1 to " +
                  std::to_string(kLargest) + " each");
  }
}

}  // namespace zp::io
