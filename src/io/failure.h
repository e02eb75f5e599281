// The messages of file errors, and the one check of a claimed size before anything is allocated.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_FAILURE_H
#define ZP_IO_FAILURE_H

#include <cstdint>
#include <string>

#include "zeroplane/error.h"
#include "zeroplane/io.h"

namespace zp::io {

[[noreturn]] void fail_read(ErrorKind kind, const std::string& path, const std::string& what);
[[noreturn]] void fail_write(ErrorKind kind, const std::string& path, const std::string& what);

/// The system's words for an errno value.
std::string system_reason(int error_number);

/// Product that sticks at the largest value instead of wrapping.
constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/// Bytes of a plane of this size, without wrapping.
std::uint64_t claimed_bytes(std::uint64_t width, std::uint64_t height, std::uint64_t channels, Format format);

/// The most bytes that a file of `file_bytes` can justify under options.expansion_limit.
std::uint64_t justified_bytes(std::uint64_t file_bytes, const ReadOptions& options);

/// Throws where `claimed` bytes exceed options.byte_limit or justified_bytes(). `where` begins the message ("page 3:
/// ").
void require_plausible(const std::string& path, std::uint64_t claimed, std::uint64_t file_bytes,
                       const ReadOptions& options, const std::string& where = {});

/// Throws where a file says that its image is `width` x `height` and no PlaneShape can hold that.
void require_dimensions(const std::string& path, std::uint64_t width, std::uint64_t height,
                        const std::string& where = {});

}  // namespace zp::io

#endif
