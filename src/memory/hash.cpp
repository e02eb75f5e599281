// Hash of the visible pixels.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "memory/residents.h"

namespace zp {
namespace {

using State = std::unique_ptr<XXH3_state_t, decltype([](XXH3_state_t* s) { XXH3_freeState(s); })>;

void add_floats(XXH3_state_t* state, const float* p, std::size_t count) {
  std::uint32_t block[1024];
  for (std::size_t first = 0; first < count; first += 1024) {
    const std::size_t n = std::min<std::size_t>(1024, count - first);
    for (std::size_t i = 0; i < n; ++i) {
      const float v = p[first + i];
      std::memcpy(&block[i], &v, 4);
      if (v != v) block[i] = 0x7fc00000u;
    }
    XXH3_64bits_update(state, block, n * 4);
  }
}

}  // namespace

std::uint64_t hash(const ConstPlaneView& view) {
  const State state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  memory::host_reads(view);
  const PlaneShape& s = view.shape;
  const std::uint32_t head[4] = {std::uint32_t(s.width), std::uint32_t(s.height), std::uint32_t(s.channels),
                                 std::uint32_t(s.format)};
  XXH3_64bits_update(state.get(), head, sizeof(head));
  if (!s.empty()) {
    for (int y = 0; y < s.height; ++y) {
      const char* row = static_cast<const char*>(view.data) + std::ptrdiff_t(y) * view.pitch;
      if (s.format == Format::f32)
        add_floats(state.get(), reinterpret_cast<const float*>(row), std::size_t(s.width) * std::size_t(s.channels));
      else
        XXH3_64bits_update(state.get(), row, s.row_bytes());
    }
  }
  return XXH3_64bits_digest(state.get());
}

std::string hash_text(std::uint64_t h) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(h));
  return text;
}

}  // namespace zp
