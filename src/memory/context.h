// The chosen device of this process: runtime, model, executor preference, and each thread's stream.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_MEMORY_CONTEXT_H
#define ZP_MEMORY_CONTEXT_H

#include <memory>
#include <string>
#include <string_view>

#include "device/runtime.h"
#include "zeroplane/memory.h"

namespace zp::memory {

enum class ExecutorChoice { automatic, cpu, cuda, simulated };
/// "auto", "cpu", "cuda", "simulated".
std::string_view name_of(ExecutorChoice executor) noexcept;

class Home;

struct Context {
  std::shared_ptr<device::Runtime> runtime;  ///< never null
  MemoryModel model = MemoryModel::no_device;
  std::string reason;  ///< one sentence: the attributes that decided, or why there is no device
  ExecutorChoice executor = ExecutorChoice::automatic;
  std::shared_ptr<Home> home;  ///< pools and streams of the runtime
};

/// The current context; the first call initializes from the environment and throws what initialize() throws.
/// Thread-safe. After fork() the child gets a no_device context until it calls initialize() itself.
std::shared_ptr<const Context> context();

/// This thread's stream on the context's runtime; made on first use, kept for the thread's life, then handed to the
/// next thread that needs one. Throws Error(device) with the reason where there is no device.
device::Stream thread_stream(const Context& context);

/// The stream of this thread's Sequence, or the thread's own.
device::Stream current_stream(const Context& context);

/// Waits and counts.
void wait_stream(const Context& context, device::Stream stream);

/// Counters of this thread and of the process.
void count_launch() noexcept;
void log(std::string_view line) noexcept;
/// True if ZEROPLANE_TRACE was 1 when the context was last initialized.
bool trace_enabled() noexcept;

/// Frees what contexts that were replaced still hold idle. Returns the bytes freed.
std::size_t sweep_retired() noexcept;
/// Frees everything idle of the current and of replaced contexts, and this thread's streams. The context stays in use.
/// With no block, view or other thread alive, the simulated device's ledger reads zero after it.
void release_context() noexcept;

}  // namespace zp::memory

#endif
