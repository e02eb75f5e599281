// Which device and memory model this process uses, who may copy, and what was counted.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_MEMORY_H
#define ZEROPLANE_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace zp {

/// How CPU and GPU share memory. Asked of the driver at run time.
enum class MemoryModel {
  no_device,  ///< no usable GPU: everything runs on the CPU
  discrete,   ///< the GPU has its own memory behind a bus
  unified,    ///< one DRAM; the GPU reads mapped host memory in place (Xavier, Orin)
  coherent,   ///< the GPU reads any host address in place (Thor, GB10, GH200)
};
std::string_view name_of(MemoryModel model) noexcept;

/// What the process asks for. Every field that is empty is taken from its environment variable, then from the default.
struct Options {
  /// ZEROPLANE_DEVICE: `auto` (default), `none`, `cuda`, `cuda:N`, `simulated:unified`, `simulated:discrete`,
  /// `simulated:coherent`.
  std::string device{};
  /// ZEROPLANE_MEMORY_MODEL: `auto` (default), `unified`, `discrete`, `coherent`; a model that the device cannot
  /// honour is an error that says why.
  std::string memory_model{};
  /// ZEROPLANE_EXECUTOR: `auto` (default), `cpu`, `cuda`, `simulated`.
  std::string executor{};
};

/// Chooses device, model and executor. Called by the first use with empty options; may be called again at any time
/// when no operation runs and no image is alive on another thread (images made before keep working and free
/// themselves the way they were made). Throws invalid_argument for a word it does not know, device if the
/// requested device is not there, unsupported if the model is not legal on the device or the executor has no runtime on
/// it; the choice made before then stays. All words are checked before a device is touched. A child after fork() has no
/// device (model no_device, with the reason) until it calls this itself.
void initialize(const Options& options = {});

/// What was chosen and why.
struct DeviceReport {
  MemoryModel model = MemoryModel::no_device;
  std::string reason;    ///< one sentence: the attributes that decided, or why there is no device
  std::string runtime;   ///< "cuda", "none", "simulated"
  std::string device;    ///< name of the device; empty without one
  std::string executor;  ///< "auto", "cpu", "cuda", "simulated"
  int ordinal = -1;
  int compute_major = 0, compute_minor = 0;
  int driver_version = 0, runtime_version = 0;  ///< 13000 means 13.0; 0 without
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
  bool integrated = false, can_map_host_memory = false, pageable_access = false, uses_host_page_tables = false,
       concurrent_managed = false, host_register_supported = false;
};
/// Thread-safe. Initializes with empty options if that has not happened.
DeviceReport device_report();
MemoryModel memory_model();

/// Runtimes compiled into this binary: "none simulated" or "cuda none simulated".
std::string runtimes_built_in();

// ---- counters -----------------------------------------------------------------------------------------------------

/// Events since the process started, over all threads.
struct Counters {
  std::uint64_t views_in_place = 0, views_staged = 0, views_device_resident = 0;
  std::uint64_t bytes_to_device = 0, bytes_to_host = 0;  ///< staged copies only
  std::uint64_t allocations = 0, frees = 0;              ///< calls that reached the runtime or the system
  std::uint64_t waits = 0, launches = 0;
  friend bool operator==(const Counters&, const Counters&) = default;
};
Counters operator-(const Counters& a, const Counters& b) noexcept;
/// Thread-safe.
Counters counters() noexcept;

/// Counts what happens on this thread between construction and now.
class CounterScope {
 public:
  CounterScope() noexcept;
  Counters counted() const noexcept;

 private:
  Counters start_;
};

/// While one is alive on this thread, any staging throws Error(staging_forbidden) that names the operation, pointer,
/// size, reason and the source line of the guard. Nestable.
class NoStaging {
 public:
  explicit NoStaging(const char* file = __builtin_FILE(), int line = __builtin_LINE()) noexcept;
  ~NoStaging();
  NoStaging(const NoStaging&) = delete;
  NoStaging& operator=(const NoStaging&) = delete;

 private:
  const NoStaging* outer_;
  const char* file_;
  int line_;
  friend struct NoStagingAccess;
};

/// Receives one line per event: each staging when ZEROPLANE_TRACE was 1 at initialization, and what a destructor could
/// not throw. The library never prints. An empty function restores silence. Thread-safe; the callback runs on the
/// thread of the event.
using LogCallback = std::function<void(std::string_view)>;
void set_log_callback(LogCallback callback);

// ---- the caller's own memory --------------------------------------------------------------------------------------

/// Memory of the caller, registered with the device for in-place use until the handle dies.
class Adopted {
 public:
  Adopted() = default;
  Adopted(Adopted&& other) noexcept;
  Adopted& operator=(Adopted&& other) noexcept;
  ~Adopted();
  /// True if the device uses the bytes in place now. False where registering was not possible (see reason()) or not
  /// needed.
  bool registered() const noexcept { return registered_; }
  const std::string& reason() const noexcept { return reason_; }

 private:
  friend Adopted adopt(void*, std::size_t);
  void* pointer_ = nullptr;
  bool registered_ = false;
  std::string reason_;
  std::shared_ptr<void> runtime_;
};
/// Registers [pointer, pointer + bytes). The memory must stay allocated until the handle is gone, because a later
/// allocation at a registered address would look registered. Where the device cannot register (no device, Coherent,
/// hostRegisterSupported = 0) the handle says why and calls stage as before. A view that lies in adopted memory in part
/// only is staged. The handle's destructor waits for the device, because unregistering does. Throws invalid_argument
/// for null or 0 bytes, device if the range overlaps one that is registered.
Adopted adopt(void* pointer, std::size_t bytes);

// ---- pools --------------------------------------------------------------------------------------------------------

struct PoolReport {
  std::size_t bytes_in_use = 0, bytes_idle = 0, limit = 0;
  std::uint64_t hits = 0, misses = 0;
};
PoolReport host_pool_report();
PoolReport scratch_pool_report();
/// Bytes that a pool may keep idle; blocks beyond are given back by the next trim or allocation, never by a destructor
/// on the caller's thread; those given back first go first. Default 1 GiB each. Holds for every later context too.
void set_pool_limits(std::size_t host_bytes, std::size_t scratch_bytes);
/// Gives idle blocks back to the system. Waits for the device where freeing does.
void trim_pools();

}  // namespace zp

#endif
