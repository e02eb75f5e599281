// CPU threads on oneTBB.
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>

namespace zp {
namespace {

std::mutex mutex;
std::shared_ptr<oneapi::tbb::task_arena> limited_arena;  // null: the caller's arena, all cores
// Of more threads than cores oneTBB would otherwise make fewer, and say so on stderr.
std::unique_ptr<oneapi::tbb::global_control> raised_limit;
std::atomic<int> thread_count{-1};

int from_environment() {
  const char* text = std::getenv("ZEROPLANE_THREADS");
  const int n = text ? std::atoi(text) : 0;
  return n > 0 ? n : 0;
}

std::shared_ptr<oneapi::tbb::task_arena> arena() {
  if (thread_count.load(std::memory_order_acquire) < 0) set_threads(from_environment());
  if (thread_count.load(std::memory_order_relaxed) == 0) return nullptr;
  std::lock_guard lock(mutex);
  return limited_arena;
}

CpuLevel detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return CpuLevel::avx512;
  if (__builtin_cpu_supports("avx2")) return CpuLevel::avx2;
#endif
  return CpuLevel::baseline;
}

CpuLevel initial_level() {
  const CpuLevel best = best_cpu_level();
  const char* text = std::getenv("ZEROPLANE_CPU");
  const std::string_view word = text ? text : "";
  const CpuLevel asked = word == "baseline" ? CpuLevel::baseline : word == "avx2" ? CpuLevel::avx2 : best;
  return asked < best ? asked : best;
}

std::atomic<int> level{-1};

}  // namespace

void set_threads(int count) {
  std::lock_guard lock(mutex);
  using oneapi::tbb::global_control;
  raised_limit.reset();
  if (count > oneapi::tbb::info::default_concurrency())
    raised_limit = std::make_unique<global_control>(global_control::max_allowed_parallelism, std::size_t(count));
  limited_arena = count > 0 ? std::make_shared<oneapi::tbb::task_arena>(count) : nullptr;
  thread_count.store(count > 0 ? count : 0, std::memory_order_release);
}

int threads() {
  (void)arena();
  const int n = thread_count.load();
  return n > 0 ? n : oneapi::tbb::info::default_concurrency();
}

CpuLevel best_cpu_level() {
  static const CpuLevel best = detect();
  return best;
}

CpuLevel cpu_level() {
  int l = level.load(std::memory_order_relaxed);
  if (l < 0) {
    l = static_cast<int>(initial_level());
    level.store(l, std::memory_order_relaxed);
  }
  return static_cast<CpuLevel>(l);
}

void set_cpu_level(CpuLevel asked) {
  level.store(static_cast<int>(asked < best_cpu_level() ? asked : best_cpu_level()), std::memory_order_relaxed);
}

namespace detail {

void parallel_for(std::int64_t count, std::int64_t grain, void (*call)(void*, std::int64_t, std::int64_t), void* body) {
  if (count <= 0) return;
  if (count <= grain) {
    call(body, 0, count);
    return;
  }
  const auto loop = [&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<std::int64_t>(0, count, grain),
        [&](const oneapi::tbb::blocked_range<std::int64_t>& r) { call(body, r.begin(), r.end()); });
  };
  if (const auto a = arena())
    a->execute(loop);
  else
    loop();
}

}  // namespace detail
}  // namespace zp
