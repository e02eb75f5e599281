// Atomic integer updates that exist on the host and on the device. Order-free operations: minimum, maximum, add, or;
// and compare-exchange, whose user sees to that.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_ATOMIC_H
#define ZP_CORE_ATOMIC_H

#include <cstdint>

#include "zeroplane/config.h"

namespace zp {

// "shared" means the tile's own memory: on the CPU a tile has one thread, so a plain update is enough.

ZP_HD std::uint32_t atomic_add_shared(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicAdd(p, v);
#else
  const std::uint32_t old = *p;
  *p = old + v;
  return old;
#endif
}

ZP_HD std::uint32_t atomic_min_shared(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicMin(p, v);
#else
  const std::uint32_t old = *p;
  if (v < old) *p = v;
  return old;
#endif
}

ZP_HD std::uint32_t atomic_max_shared(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicMax(p, v);
#else
  const std::uint32_t old = *p;
  if (v > old) *p = v;
  return old;
#endif
}

/// Stores v where *p is `expected`; returns what was there.
ZP_HD std::uint32_t atomic_compare_exchange_shared(std::uint32_t* p, std::uint32_t expected, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicCAS(p, expected, v);
#else
  const std::uint32_t old = *p;
  if (old == expected) *p = v;
  return old;
#endif
}

ZP_HD std::uint32_t atomic_add(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicAdd(p, v);
#else
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
#endif
}

ZP_HD std::uint64_t atomic_add(std::uint64_t* p, std::uint64_t v) {
#if ZP_ON_DEVICE
  return atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(v));
#else
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
#endif
}

ZP_HD std::uint32_t atomic_or(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicOr(p, v);
#else
  return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
#endif
}

ZP_HD std::uint32_t atomic_min(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicMin(p, v);
#else
  std::uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (v < old && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
#endif
}

ZP_HD std::uint32_t atomic_max(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicMax(p, v);
#else
  std::uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (v > old && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
#endif
}

/// Stores v where *p is `expected`; returns what was there.
ZP_HD std::uint32_t atomic_compare_exchange(std::uint32_t* p, std::uint32_t expected, std::uint32_t v) {
#if ZP_ON_DEVICE
  return atomicCAS(p, expected, v);
#else
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
#endif
}

/// A load that another block may be writing: never torn, never cached in a register.
ZP_HD std::uint32_t atomic_load(const std::uint32_t* p) {
#if ZP_ON_DEVICE
  return *const_cast<const volatile std::uint32_t*>(p);
#else
  return __atomic_load_n(p, __ATOMIC_RELAXED);
#endif
}

ZP_HD void atomic_store(std::uint32_t* p, std::uint32_t v) {
#if ZP_ON_DEVICE
  *const_cast<volatile std::uint32_t*>(p) = v;
#else
  __atomic_store_n(p, v, __ATOMIC_RELAXED);
#endif
}

}  // namespace zp

#endif
