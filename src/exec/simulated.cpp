// Shuffles and checks of the simulated executor.
// SPDX-License-Identifier: Apache-2.0
#include "exec/simulated.h"

#include <algorithm>
#include <random>

namespace zp::exec::detail {

std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed, bool shuffle) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t(0));
  if (shuffle) std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

void require_no_hidden_addresses(device::Runtime& runtime, const void* body, std::size_t bytes,
                                 std::string_view label) {
  const char* p = static_cast<const char*>(body);
  for (std::size_t i = 0; i + sizeof(void*) <= bytes; i += alignof(void*)) {
    void* word;
    std::memcpy(&word, p + i, sizeof(word));
    // Numbers may look like addresses of the reserved range; those of a block that lives are no accident.
    if (runtime.is_device_address(word) && runtime.reachable(word) > 0)
      throw Error(
          ErrorKind::device,
          std::string(label) + ": a kernel's argument holds a device address that it does not list in `pointers`");
  }
}

}  // namespace zp::exec::detail
