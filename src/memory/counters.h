// Counting per thread and process, the log callback, and the innermost NoStaging guard.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_COUNTERS_H
#define ZP_MEMORY_COUNTERS_H

#include <cstdint>
#include <string>
#include <string_view>

#include "zeroplane/memory.h"

namespace zp::memory {

/// Adds to this thread's and to the process's counter: `count(&Counters::waits)`.
void count(std::uint64_t Counters::*what, std::uint64_t amount = 1) noexcept;
/// A kernel launch.
void count_launch() noexcept;

/// Hands one line to the log callback. What the callback throws is dropped.
void log(std::string_view line) noexcept;
/// True if ZEROPLANE_TRACE was 1 when the context was last initialized.
bool trace_enabled() noexcept;
void read_trace_variable() noexcept;

/// "file:line" of the innermost NoStaging guard on this thread; empty without one.
std::string staging_guard();

/// Around fork(), so that the child does not inherit a locked log.
void lock_log() noexcept;
void unlock_log() noexcept;

}  // namespace zp::memory

#endif
