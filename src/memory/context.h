// The chosen device of this process: runtime, model, executor preference, and each thread's stream.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_CONTEXT_H
#define ZP_MEMORY_CONTEXT_H

#include <memory>

#include "device/runtime.h"
#include "zeroplane/memory.h"

namespace zp::memory {

enum class ExecutorChoice { automatic, cpu, cuda, simulated };

struct Context {
  std::shared_ptr<device::Runtime> runtime;
  MemoryModel model = MemoryModel::no_device;
  std::string reason;
  ExecutorChoice executor = ExecutorChoice::automatic;
};

/// The current context; the first call initializes from the environment. Thread-safe. After fork() the child gets a
/// no_device context.
std::shared_ptr<const Context> context();

/// This thread's stream on the context's runtime; made on first use, kept for the thread's life.
device::Stream thread_stream(const Context& context);

/// Waits and counts.
void wait_stream(const Context& context, device::Stream stream);

/// Counters of this thread and of the process.
void count_launch() noexcept;
void log(std::string_view line) noexcept;
bool trace_enabled() noexcept;

}  // namespace zp::memory

#endif
