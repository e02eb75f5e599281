// The runtime seam: everything the library asks of a device, implemented by the cuda, none and simulated runtimes.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_DEVICE_RUNTIME_H
#define ZP_DEVICE_RUNTIME_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "zeroplane/memory.h"

namespace zp::device {

enum class MemoryKind { ordinary, pinned, mapped, device };
std::string_view name_of(MemoryKind kind) noexcept;

using Stream = void*;  ///< a cudaStream_t with the cuda runtime; null is never used
using Event = void*;

/// What a pointer is, to this runtime's device.
struct PointerInfo {
  enum class Kind { foreign, host, device, managed, other_device } kind = Kind::foreign;
  void* device_address = nullptr;  ///< as the driver reports it; null if the device cannot reach it
};

/// Device attributes, as the classifier reads them.
struct Traits {
  std::string name;
  int ordinal = -1, compute_major = 0, compute_minor = 0, driver_version = 0, runtime_version = 0, multiprocessors = 0;
  std::size_t memory_bytes = 0;
  bool integrated = false, can_map_host_memory = false, pageable_access = false, uses_host_page_tables = false,
       concurrent_managed = false, host_register_supported = false;
};

/// Order of the test: pageable_access and uses_host_page_tables -> coherent; integrated and can_map_host_memory ->
/// unified; else discrete. `reason` receives one sentence.
MemoryModel classify(const Traits& traits, std::string& reason);

/// One device. Thread-safe. Every function that fails throws zp::Error naming the call, the error and the bytes, and
/// leaves the thread's last CUDA error and current device as it found them.
class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual std::string_view name() const noexcept = 0;  ///< "cuda", "none", "simulated"
  virtual const Traits& traits() const noexcept = 0;
  /// Why there is no device ("no driver", ...); empty when there is one. Re-evaluated: after fork() it says so.
  virtual std::string absence() const = 0;

  virtual void* allocate(MemoryKind kind, std::size_t bytes) = 0;
  /// False where the memory could not be freed (the runtime is gone, another process, not such a block): the caller
  /// logs and leaks it. Memory that the device knows waits for all work of the device.
  virtual bool free(MemoryKind kind, void* pointer) noexcept = 0;
  /// A foreign pointer (pageable, freed, one past the end, null) is no error, its device_address is null.
  virtual PointerInfo query(const void* pointer) = 0;
  virtual void register_host(void* pointer, std::size_t bytes) = 0;
  virtual void unregister_host(void* pointer) = 0;

  /// Asynchronous on the stream; the direction is found from the addresses. Pageable host memory is allowed on either
  /// side; whether the call or the stream touches it differs by device, so leave it alone until the stream was waited
  /// for. Pitches may be negative.
  virtual void copy(void* to, const void* from, std::size_t bytes, Stream stream) = 0;
  virtual void copy_2d(void* to, std::ptrdiff_t to_pitch, const void* from, std::ptrdiff_t from_pitch,
                       std::size_t row_bytes, std::size_t rows, Stream stream) = 0;
  virtual void fill(void* to, int byte, std::size_t bytes, Stream stream) = 0;

  virtual Stream create_stream() = 0;
  virtual void destroy_stream(Stream stream) noexcept = 0;
  virtual void wait_stream(Stream stream) = 0;
  /// True while the stream is being captured into a graph. Throws for a stream that is none.
  virtual bool capturing(Stream stream) = 0;
  virtual Event create_event() = 0;
  virtual void destroy_event(Event event) noexcept = 0;
  virtual void record(Event event, Stream stream) = 0;
  virtual bool finished(Event event) = 0;
  virtual void wait_event(Event event) = 0;
  virtual void stream_waits(Stream stream, Event event) = 0;

  /// Called with every kernel launch. The cuda runtime with a body makes its device current, calls the body at once on
  /// this thread, and makes the caller's device current again; without one it makes its device current and returns,
  /// the launch follows, and the caller of launch() restores the device.
  /// The simulated runtime runs `body` on the stream's thread, later; its body addresses were translated by
  /// translate().
  virtual void launch(Stream stream, std::string_view label, std::function<void()> body) = 0;
  /// The host bytes behind a device address range (simulated runtime only); throws Error(device) naming the address if
  /// the imitated device could not reach all of [address, address + bytes).
  virtual void* translate(const void* address, std::size_t bytes) = 0;
  /// Bytes from `address` to the end of the block that holds it as the device sees it (simulated runtime only).
  /// 0 where the device reaches nothing.
  virtual std::size_t reachable(const void* address) = 0;
  /// True if the address lies in the simulated device's reserved range.
  virtual bool is_device_address(const void* address) const noexcept = 0;
};

/// Static facts about the build.
bool cuda_built_in() noexcept;

/// `ordinal` -1 means the first. Never throws for a missing device: returns a runtime whose absence() says why.
std::shared_ptr<Runtime> make_cuda(int ordinal);
std::shared_ptr<Runtime> make_none(std::string reason);

/// Knobs of the simulated device.
struct SimulatedOptions {
  MemoryModel model = MemoryModel::unified;
  int stream_delay_microseconds = 50;  ///< every queued item waits this long before it runs
  bool shuffle = true;                 ///< executor runs blocks in shuffled order
  std::uint64_t seed = 1;
};
std::shared_ptr<Runtime> make_simulated(const SimulatedOptions& options);

/// Test access to a simulated runtime; null for another runtime.
class SimulatedControl {
 public:
  virtual ~SimulatedControl() = default;
  enum class Call { allocate, copy, launch, wait, register_host, query, create };
  /// The n-th following call of that kind (1 = the next) fails with Error(device) or out_of_memory; 0 clears.
  virtual void fail(Call call, int nth) = 0;
  virtual void set_delay(int microseconds) = 0;
  struct Ledger {
    std::size_t live_blocks = 0, live_bytes = 0, live_streams = 0, live_events = 0, registered_ranges = 0;
    std::uint64_t allocated = 0, freed = 0;
  };
  virtual Ledger ledger() const = 0;
  virtual std::uint64_t calls(Call call) const = 0;
  virtual const SimulatedOptions& options() const = 0;
  virtual std::uint64_t next_seed() = 0;  ///< for the executor's shuffles
};
SimulatedControl* simulated_control(Runtime& runtime) noexcept;

}  // namespace zp::device

#endif
