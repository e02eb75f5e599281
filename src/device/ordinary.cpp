// Allocates ordinary host memory.
// SPDX-License-Identifier: Apache-2.0
#include "device/ordinary.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "zeroplane/error.h"

namespace zp::device {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kHugeFrom = std::size_t{4} << 20;

// The GPU's first touch of a fresh page is hundreds of times slower than the CPU's, where it is possible at all.
void make_resident(void* pointer, std::size_t bytes) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#ifdef MADV_POPULATE_WRITE
  if (reinterpret_cast<std::uintptr_t>(pointer) % page == 0 && madvise(pointer, bytes, MADV_POPULATE_WRITE) == 0) {
    return;
  }
#endif
  volatile char* bytes_of_block = static_cast<char*>(pointer);
  for (std::size_t i = 0; i < bytes; i += page) bytes_of_block[i] = 0;
  if (bytes > 0) bytes_of_block[bytes - 1] = 0;
}

}  // namespace

void* allocate_ordinary(std::size_t bytes) {
  const std::size_t alignment = bytes >= kHugeFrom ? kHugePage : kAlignment;
  void* pointer = nullptr;
  const bool too_big = bytes > std::numeric_limits<std::size_t>::max() / 2;
  if (too_big || posix_memalign(&pointer, alignment, bytes > 0 ? bytes : 1) != 0) {
    throw Error(ErrorKind::out_of_memory, "host memory ran out: " + std::to_string(bytes) + " bytes asked for");
  }
  if (bytes >= kHugeFrom) madvise(pointer, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  make_resident(pointer, bytes);
  return pointer;
}

void free_ordinary(void* pointer) noexcept { std::free(pointer); }

}  // namespace zp::device
