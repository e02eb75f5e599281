// Chooses runtime, memory model and executor from options and environment, and keeps the process's context.
// SPDX-License-Identifier: Apache-2.0
#include "memory/context.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "memory/counters.h"
#include "memory/home.h"
#include "zeroplane/error.h"

namespace zp {
namespace memory {

namespace {

// ---- the words ----------------------------------------------------------------------------------------------------

/// A word that somebody said, and where.
struct Word {
  std::string value = "auto";
  std::string said;
};

Word word_of(const std::string& option, const char* field, const char* variable) {
  if (!option.empty()) return {option, std::string("Options::") + field + " = \"" + option + "\""};
  const char* value = std::getenv(variable);
  if (value != nullptr && *value != '\0') return {value, std::string(variable) + "=" + value};
  return {"auto", std::string(variable) + " is not set"};
}

[[noreturn]] void unknown_word(const Word& word, const char* legal) {
  throw Error(ErrorKind::invalid_argument, word.said + ": unknown word; legal: " + legal);
}

enum class DeviceWord { automatic, none, cuda, simulated };
struct DeviceChoice {
  DeviceWord word = DeviceWord::automatic;
  int ordinal = -1;                            // cuda; -1 is the first
  MemoryModel model = MemoryModel::no_device;  // simulated
};

DeviceChoice parse_device(const Word& word) {
  constexpr const char* legal =
      "auto, none, cuda, cuda:N (N from 0), simulated:unified, simulated:discrete, simulated:coherent";
  const std::string& value = word.value;
  if (value == "auto") return {};
  if (value == "none") return {DeviceWord::none};
  if (value == "cuda") return {DeviceWord::cuda};
  if (value == "simulated:unified") return {DeviceWord::simulated, -1, MemoryModel::unified};
  if (value == "simulated:discrete") return {DeviceWord::simulated, -1, MemoryModel::discrete};
  if (value == "simulated:coherent") return {DeviceWord::simulated, -1, MemoryModel::coherent};
  if (value.starts_with("cuda:") && value.size() > 5 && value[5] != '-') {
    int ordinal = -1;
    const char* end = value.data() + value.size();
    const auto [stop, code] = std::from_chars(value.data() + 5, end, ordinal);
    if (code == std::errc() && stop == end) return {DeviceWord::cuda, ordinal};
  }
  unknown_word(word, legal);
}

/// no_device stands for auto.
MemoryModel parse_model(const Word& word) {
  if (word.value == "auto") return MemoryModel::no_device;
  for (MemoryModel model : {MemoryModel::unified, MemoryModel::discrete, MemoryModel::coherent})
    if (word.value == name_of(model)) return model;
  unknown_word(word, "auto, unified, discrete, coherent");
}

ExecutorChoice parse_executor(const Word& word) {
  for (ExecutorChoice executor :
       {ExecutorChoice::automatic, ExecutorChoice::cpu, ExecutorChoice::cuda, ExecutorChoice::simulated})
    if (word.value == name_of(executor)) return executor;
  unknown_word(word, "auto, cpu, cuda, simulated");
}

// ---- the choice ---------------------------------------------------------------------------------------------------

std::shared_ptr<device::Runtime> make_runtime(const DeviceChoice& choice, const Word& word) {
  switch (choice.word) {
    case DeviceWord::none:
      return device::make_none("switched off by " + word.said);
    case DeviceWord::simulated: {
      device::SimulatedOptions options;
      options.model = choice.model;
      return device::make_simulated(options);
    }
    case DeviceWord::cuda: {
      auto runtime = device::make_cuda(choice.ordinal);
      if (const std::string absence = runtime->absence(); !absence.empty())
        throw Error(ErrorKind::device, word.said + ": " + absence);
      return runtime;
    }
    case DeviceWord::automatic:
      break;
  }
  auto runtime = device::make_cuda(-1);
  const std::string absence = runtime->absence();
  return absence.empty() ? runtime : device::make_none(absence);
}

void choose_model(Context& context, MemoryModel forced, const Word& word) {
  const device::Traits& traits = context.runtime->traits();
  const bool no_device = context.runtime->name() == "none";
  if (no_device) {
    context.reason = context.runtime->absence();
  } else {
    context.model = device::classify(traits, context.reason);
  }
  if (forced == MemoryModel::no_device) return;
  const auto refuse = [&](const std::string& why) { throw Error(ErrorKind::unsupported, word.said + ": " + why); };
  if (no_device) refuse("there is no device whose memory could be used so: " + context.reason);
  if (forced == MemoryModel::unified && !traits.can_map_host_memory)
    refuse(traits.name + " cannot map host memory (canMapHostMemory is 0)");
  if (forced == MemoryModel::coherent && !traits.pageable_access)
    refuse(traits.name + " cannot read pageable host memory (pageableMemoryAccess is 0)");
  context.reason = "asked for by " + word.said + "; the device itself is " + std::string(name_of(context.model)) +
                   ": " + context.reason;
  context.model = forced;
}

void choose_executor(Context& context, ExecutorChoice executor, const Word& word) {
  const std::string_view needed = executor == ExecutorChoice::cuda        ? "cuda"
                                  : executor == ExecutorChoice::simulated ? "simulated"
                                                                          : std::string_view();
  const std::string_view runtime = context.runtime->name();
  if (!needed.empty() && runtime != needed) {
    std::string why = word.said + ": the " + std::string(needed) + " executor needs the " + std::string(needed) +
                      " runtime, but the device is " + std::string(runtime);
    if (runtime == "none") why += " (" + context.reason + ")";
    if (executor == ExecutorChoice::simulated) why += "; ask for a device such as simulated:unified";
    // A GPU that is missing is a device error, two choices that contradict each other are not.
    throw Error(runtime == "none" && needed == "cuda" ? ErrorKind::device : ErrorKind::unsupported, why);
  }
  context.executor = executor;
}

std::shared_ptr<const Context> make_context(const Options& options) {
  const Word device = word_of(options.device, "device", "ZEROPLANE_DEVICE");
  const Word model = word_of(options.memory_model, "memory_model", "ZEROPLANE_MEMORY_MODEL");
  const Word executor = word_of(options.executor, "executor", "ZEROPLANE_EXECUTOR");
  // All words are checked before any device is touched.
  const DeviceChoice device_choice = parse_device(device);
  const MemoryModel forced = parse_model(model);
  const ExecutorChoice executor_choice = parse_executor(executor);

  auto made = std::make_shared<Context>();
  made->runtime = make_runtime(device_choice, device);
  choose_model(*made, forced, model);
  choose_executor(*made, executor_choice, executor);
  made->home = std::make_shared<Home>(made->runtime);
  return made;
}

std::shared_ptr<const Context> make_context_after_fork() {
  auto made = std::make_shared<Context>();
  made->reason = "after fork(): the device belongs to the parent process; start a new process to use it";
  made->runtime = device::make_none(made->reason);
  made->home = std::make_shared<Home>(made->runtime);
  return made;
}

// ---- the process --------------------------------------------------------------------------------------------------

struct Process {
  std::mutex mutex;
  std::shared_ptr<const Context> current;
  std::vector<std::shared_ptr<Home>> retired;
};

// Leaked on purpose: at the end of the process nothing may call a runtime that is being unloaded. A child after fork()
// leaves its parent's alone, whose locks another thread may have held, and makes its own.
constinit std::atomic<Process*> the_process{nullptr};
constinit std::atomic<unsigned> forks{0};

void in_child() {
  unlock_log();
  the_process.store(nullptr);
  forks.fetch_add(1);
}

Process& process() {
  Process* existing = the_process.load(std::memory_order_acquire);
  if (existing != nullptr) return *existing;
  auto made = std::make_unique<Process>();
  if (!the_process.compare_exchange_strong(existing, made.get())) return *existing;
  static const int registered = pthread_atfork(lock_log, unlock_log, in_child);
  (void)registered;
  return *made.release();
}

/// Drops the homes in which nothing lives. The lock is held; the homes are destroyed after it.
std::vector<std::shared_ptr<Home>> take_empty(Process& process) {
  std::vector<std::shared_ptr<Home>> empty;
  const auto keep = std::partition(process.retired.begin(), process.retired.end(),
                                   [](const auto& home) { return home->host.has_lent() || home->scratch.has_lent(); });
  empty.assign(std::make_move_iterator(keep), std::make_move_iterator(process.retired.end()));
  process.retired.erase(keep, process.retired.end());
  return empty;
}

std::vector<std::shared_ptr<Home>> retired_homes() {
  std::lock_guard lock(process().mutex);
  return process().retired;
}

void release(Home& home) noexcept {
  destroy_streams_of_thread(home);
  home.release();
}

}  // namespace

unsigned fork_generation() noexcept { return forks.load(std::memory_order_relaxed); }

std::string_view name_of(ExecutorChoice executor) noexcept {
  switch (executor) {
    case ExecutorChoice::automatic:
      return "auto";
    case ExecutorChoice::cpu:
      return "cpu";
    case ExecutorChoice::cuda:
      return "cuda";
    case ExecutorChoice::simulated:
      return "simulated";
  }
  return "?";
}

std::shared_ptr<const Context> context() {
  Process& process = memory::process();
  std::lock_guard lock(process.mutex);
  if (process.current == nullptr) {
    read_trace_variable();
    process.current = fork_generation() > 0 ? make_context_after_fork() : make_context({});
  }
  return process.current;
}

device::Stream thread_stream(const Context& context) {
  if (context.model == MemoryModel::no_device)
    throw Error(ErrorKind::device, "there is no device to work on: " + context.reason);
  return stream_of_thread(context.home);
}

void wait_stream(const Context& context, device::Stream stream) {
  count(&Counters::waits);
  context.runtime->wait_stream(stream);
}

std::size_t sweep_retired() noexcept {
  std::size_t freed = 0;
  try {
    for (const auto& home : retired_homes()) freed += home->host.free_idle(0) + home->scratch.free_idle(0);
    std::vector<std::shared_ptr<Home>> empty;
    std::lock_guard lock(process().mutex);
    empty = take_empty(process());
  } catch (const std::exception&) {  // no memory for the lists: the next sweep does it
  }
  return freed;
}

void release_context() noexcept {
  try {
    for (const auto& home : retired_homes()) release(*home);
    std::shared_ptr<const Context> current;
    {
      std::lock_guard lock(process().mutex);
      current = process().current;
    }
    if (current != nullptr) release(*current->home);
    sweep_retired();
  } catch (const std::exception& error) {
    log(std::string("zeroplane: releasing the context: ") + error.what());
  }
}

}  // namespace memory

void initialize(const Options& options) {
  memory::read_trace_variable();
  auto made = memory::make_context(options);
  memory::Process& process = memory::process();
  std::shared_ptr<const memory::Context> replaced;
  {
    std::lock_guard lock(process.mutex);
    process.retired.reserve(process.retired.size() + 1);
    replaced = std::exchange(process.current, std::move(made));
    if (replaced != nullptr) process.retired.push_back(replaced->home);
  }
  if (replaced == nullptr) return;
  replaced->home->retire();
  memory::release(*replaced->home);
  memory::sweep_retired();
}

DeviceReport device_report() {
  const auto context = memory::context();
  const device::Traits& traits = context->runtime->traits();
  DeviceReport report;
  report.model = context->model;
  report.reason = context->reason;
  report.runtime = context->runtime->name();
  report.device = traits.name;
  report.executor = memory::name_of(context->executor);
  report.ordinal = traits.ordinal;
  report.compute_major = traits.compute_major;
  report.compute_minor = traits.compute_minor;
  report.driver_version = traits.driver_version;
  report.runtime_version = traits.runtime_version;
  report.multiprocessors = traits.multiprocessors;
  report.memory_bytes = traits.memory_bytes;
  report.integrated = traits.integrated;
  report.can_map_host_memory = traits.can_map_host_memory;
  report.pageable_access = traits.pageable_access;
  report.uses_host_page_tables = traits.uses_host_page_tables;
  report.concurrent_managed = traits.concurrent_managed;
  report.host_register_supported = traits.host_register_supported;
  return report;
}

MemoryModel memory_model() { return memory::context()->model; }

std::string runtimes_built_in() { return device::cuda_built_in() ? "cuda none simulated" : "none simulated"; }

PoolReport host_pool_report() { return memory::context()->home->host.report(); }
PoolReport scratch_pool_report() { return memory::context()->home->scratch.report(); }

void trim_pools() {
  const auto context = memory::context();
  context->home->host.free_idle(0);
  context->home->scratch.free_idle(0);
  memory::sweep_retired();
}

}  // namespace zp
