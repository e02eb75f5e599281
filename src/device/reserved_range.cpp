// Reserves the simulated device's addresses.
// SPDX-License-Identifier: Apache-2.0
#include "device/reserved_range.h"

#include <sys/mman.h>

#include <string>

#include "zeroplane/error.h"

namespace zp::device {
namespace {

constexpr std::size_t kWanted = std::size_t{1} << 40;
constexpr std::size_t kEnough = std::size_t{1} << 30;

}  // namespace

ReservedRange::ReservedRange() {
  for (std::size_t bytes = kWanted; bytes >= kEnough; bytes /= 2) {
    void* range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    madvise(range, bytes, MADV_DONTDUMP);
    begin_ = reinterpret_cast<std::uintptr_t>(range);
    bytes_ = bytes;
    return;
  }
  throw Error(ErrorKind::device,
              "the simulated device found no free address range of " + std::to_string(kEnough) + " bytes");
}

ReservedRange::~ReservedRange() { munmap(reinterpret_cast<void*>(begin_), bytes_); }

}  // namespace zp::device
