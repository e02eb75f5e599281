// An open input file, and an output file that appears whole under its name or not at all.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_FILE_H
#define ZP_IO_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace zp::io {

/// A regular file open for reading. Not mapped: a file that shrinks while it is read gives a short read, no fault.
class InputFile {
 public:
  /// Throws Error(io) with the system's reason.
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }

  /// Reads up to `count` bytes at the position and moves it. Returns fewer at the end of the file or on an error, which
  /// error_number() then names. Never throws: C libraries call it.
  std::size_t read(void* target, std::size_t count) noexcept;
  std::uint64_t position() const noexcept { return position_; }
  void seek(std::uint64_t position) noexcept { position_ = position; }
  int error_number() const noexcept { return error_number_; }

 private:
  std::string path_;
  int handle_ = -1;
  std::uint64_t bytes_ = 0;
  std::uint64_t position_ = 0;
  int error_number_ = 0;
};

/// Bytes on their way to `path`: a file beside it that takes its name on commit() and is removed otherwise. A symbolic
/// link keeps pointing where it does, and an older file keeps its permissions.
class OutputFile {
 public:
  /// Throws Error(io) where the place is not writable or is no regular file.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  const std::string& path() const { return path_; }

  /// After the first failure nothing more is written and error_number() names it. These never throw: C libraries call
  /// them.
  bool write(const void* source, std::size_t count) noexcept;
  std::size_t read(void* target, std::size_t count) noexcept;
  std::uint64_t position() const noexcept { return position_; }
  void seek(std::uint64_t position) noexcept { position_ = position; }
  std::uint64_t bytes() const noexcept { return bytes_; }
  int error_number() const noexcept { return error_number_; }

  /// Closes and renames; throws Error(io) if anything failed since the start.
  void commit();

 private:
  std::string path_;
  std::string target_;  // where a symbolic link leads
  std::string part_;
  int handle_ = -1;
  std::uint64_t position_ = 0;
  std::uint64_t bytes_ = 0;
  int error_number_ = 0;
};

}  // namespace zp::io

#endif
