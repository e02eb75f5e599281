// CPU threads: loops over bands on oneTBB, and the instruction set that this CPU has.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_THREADS_H
#define ZP_CORE_THREADS_H

#include <cstdint>
#include <type_traits>

namespace zp {

namespace detail {
void parallel_for(std::int64_t count, std::int64_t grain, void (*call)(void*, std::int64_t, std::int64_t), void* body);
}

/// body(begin, end) over [0, count) in bands of at least `grain`, on the threads of set_threads(). Joins a caller's own
/// use of oneTBB. Exceptions reach the caller.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, Body&& body) {
  using B = std::remove_reference_t<Body>;
  detail::parallel_for(
      count, grain, [](void* b, std::int64_t begin, std::int64_t end) { (*static_cast<B*>(b))(begin, end); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

/// Threads that the CPU executor may use; 0 (the default, or ZEROPLANE_THREADS) means one per core.
void set_threads(int count);
int threads();

/// Instruction sets for which inner loops are cloned.
enum class CpuLevel { baseline, avx2, avx512 };
/// What this CPU has, or less where ZEROPLANE_CPU (baseline, avx2, avx512) or set_cpu_level() says so.
CpuLevel cpu_level();
void set_cpu_level(CpuLevel level);
CpuLevel best_cpu_level();

}  // namespace zp

#endif
