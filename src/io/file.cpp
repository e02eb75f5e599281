// An open input file, and an output file that appears whole under its name or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>

#include "io/failure.h"

namespace zp::io {
namespace {

// Linux moves at most 0x7ffff000 bytes in one call.
constexpr std::size_t kLargestTransfer = std::size_t(1) << 30;

std::size_t read_fully(int handle, void* target, std::size_t count, std::uint64_t position, int& error_number) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(handle, static_cast<char*>(target) + done, std::min(count - done, kLargestTransfer),
                                off_t(position + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error_number = errno;
    if (got <= 0) break;
    done += std::size_t(got);
  }
  return done;
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path) {
  // O_NONBLOCK: a pipe without a writer must not block the open.
  handle_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (handle_ < 0) fail_read(ErrorKind::io, path, system_reason(errno));
  struct stat status {};
  const bool known = ::fstat(handle_, &status) == 0;
  const int reason = errno;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(handle_);
    if (!known) fail_read(ErrorKind::io, path, system_reason(reason));
    fail_read(ErrorKind::io, path, S_ISDIR(status.st_mode) ? system_reason(EISDIR) : "Not a regular file");
  }
  bytes_ = std::uint64_t(status.st_size);
}

InputFile::~InputFile() { ::close(handle_); }

std::size_t InputFile::read(void* target, std::size_t count) noexcept {
  if (position_ >= bytes_) return 0;
  const std::size_t got = read_fully(handle_, target, count, position_, error_number_);
  position_ += got;
  return got;
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(path, ignored))) {
    const fs::path resolved = fs::weakly_canonical(path, ignored);
    if (!resolved.empty()) target_ = resolved.string();
  }
  struct stat status {};
  const bool replaces = ::stat(target_.c_str(), &status) == 0;
  if (replaces) {
    if (S_ISDIR(status.st_mode)) fail_write(ErrorKind::io, path, system_reason(EISDIR));
    if (!S_ISREG(status.st_mode)) fail_write(ErrorKind::io, path, "Not a regular file");
    // A rename would replace even a file that its owner protected.
    if (::access(target_.c_str(), W_OK) != 0) fail_write(ErrorKind::io, path, system_reason(errno));
  }
  const fs::path folder = fs::path(target_).parent_path();
  static std::atomic<unsigned> serial{0};
  do {
    // The name does not contain the target's, which may already be as long as a name can be.
    const std::string name =
        ".zeroplane-" + std::to_string(::getpid()) + "-" + std::to_string(serial.fetch_add(1)) + ".part";
    part_ = (folder / name).string();
    handle_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (handle_ < 0 && errno == EEXIST);
  if (handle_ < 0) fail_write(ErrorKind::io, path, system_reason(errno));
  if (replaces) {
    // Best effort: on a file system without permissions there is nothing to keep.
    [[maybe_unused]] const int kept = ::fchmod(handle_, status.st_mode & 07777);
  }
}

OutputFile::~OutputFile() {
  if (handle_ >= 0) ::close(handle_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

bool OutputFile::write(const void* source, std::size_t count) noexcept {
  std::size_t done = 0;
  while (error_number_ == 0 && done < count) {
    const ssize_t put = ::pwrite(handle_, static_cast<const char*>(source) + done,
                                 std::min(count - done, kLargestTransfer), off_t(position_ + done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      error_number_ = put < 0 ? errno : EIO;
      break;
    }
    done += std::size_t(put);
  }
  position_ += done;
  bytes_ = std::max(bytes_, position_);
  return error_number_ == 0;
}

std::size_t OutputFile::read(void* target, std::size_t count) noexcept {
  if (error_number_ != 0) return 0;
  const std::size_t got = read_fully(handle_, target, count, position_, error_number_);
  position_ += got;
  return got;
}

void OutputFile::commit() {
  if (error_number_ != 0) fail_write(ErrorKind::io, path_, system_reason(error_number_));
  // Some file systems report a full disk only here.
  const int closed = ::close(handle_);
  handle_ = -1;
  if (closed != 0) fail_write(ErrorKind::io, path_, system_reason(errno));
  if (::rename(part_.c_str(), target_.c_str()) != 0) fail_write(ErrorKind::io, path_, system_reason(errno));
  part_.clear();
}

}  // namespace zp::io
