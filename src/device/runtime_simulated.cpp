// The simulated device: CPU threads behind the runtime seam, as strict as the device it imitates or stricter.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "device/absence.h"
#include "device/runtime.h"
#include "device/simulated_memory.h"
#include "device/simulated_streams.h"
#include "zeroplane/error.h"

namespace zp::device {
namespace {

constexpr std::size_t kGibibyte = std::size_t{1} << 30;

Traits traits_like(MemoryModel model) {
  Traits traits;
  traits.ordinal = 0;
  traits.can_map_host_memory = true;
  traits.host_register_supported = true;
  switch (model) {
    case MemoryModel::unified:  // Orin
      traits.name = "simulated unified device";
      traits.compute_major = 8;
      traits.compute_minor = 7;
      traits.multiprocessors = 16;
      traits.memory_bytes = 32 * kGibibyte;
      traits.integrated = true;
      break;
    case MemoryModel::discrete:  // a GPU behind PCIe
      traits.name = "simulated discrete device";
      traits.compute_major = 9;
      traits.multiprocessors = 132;
      traits.memory_bytes = 80 * kGibibyte;
      traits.concurrent_managed = true;
      break;
    case MemoryModel::coherent:  // Thor
      traits.name = "simulated coherent device";
      traits.compute_major = 11;
      traits.multiprocessors = 20;
      traits.memory_bytes = 64 * kGibibyte;
      traits.integrated = true;
      traits.pageable_access = true;
      traits.uses_host_page_tables = true;
      traits.concurrent_managed = true;
      break;
    case MemoryModel::no_device:
      throw Error(ErrorKind::invalid_argument, "a simulated device needs a memory model");
  }
  return traits;
}

const char* name_of_call(SimulatedControl::Call call) {
  using Call = SimulatedControl::Call;
  switch (call) {
    case Call::allocate:
      return "allocation";
    case Call::copy:
      return "copy";
    case Call::launch:
      return "launch";
    case Call::wait:
      return "wait";
    case Call::register_host:
      return "registration";
    case Call::query:
      return "query";
    case Call::create:
      return "creation";
  }
  return "call";
}

// First byte and length of rows that may run downwards in memory.
struct Extent {
  std::ptrdiff_t from = 0;
  std::size_t bytes = 0;
};

Extent extent_of(std::ptrdiff_t pitch, std::size_t row_bytes, std::size_t rows) {
  std::ptrdiff_t last = 0;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(pitch, rows - 1, &last) ||
      __builtin_add_overflow(static_cast<std::size_t>(last < 0 ? -last : last), row_bytes, &bytes)) {
    throw Error(ErrorKind::device, "simulated cudaMemcpy2DAsync failed: cudaErrorInvalidValue, " +
                                       std::to_string(rows) + " rows of pitch " + std::to_string(pitch));
  }
  return {std::min<std::ptrdiff_t>(last, 0), bytes};
}

void copy_rows(char* to, std::ptrdiff_t to_pitch, const char* from, std::ptrdiff_t from_pitch, std::size_t row_bytes,
               std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    const auto y = static_cast<std::ptrdiff_t>(row);
    std::memmove(to + y * to_pitch, from + y * from_pitch, row_bytes);
  }
}

class SimulatedRuntime final : public Runtime, public SimulatedControl {
 public:
  explicit SimulatedRuntime(const SimulatedOptions& options)
      : options_(options), traits_(traits_like(options.model)), device_(std::make_unique<Device>(options, traits_)) {}

  ~SimulatedRuntime() override {
    // In a child of fork the threads are gone and any lock may be held by one of them: nothing can be ended there.
    if (process_.forked()) static_cast<void>(device_.release());
  }
  SimulatedRuntime(const SimulatedRuntime&) = delete;
  SimulatedRuntime& operator=(const SimulatedRuntime&) = delete;

  std::string_view name() const noexcept override { return "simulated"; }
  const Traits& traits() const noexcept override { return traits_; }
  std::string absence() const override {
    if (!process_.forked()) return {};
    return "after fork: the simulated device was made in the parent process and has no threads in its child";
  }

  void* allocate(MemoryKind kind, std::size_t bytes) override {
    enter(Call::allocate, std::to_string(bytes) + " bytes of " + std::string(name_of(kind)) + " memory asked for");
    const std::lock_guard lock(device_->mutex);
    return device_->memory.allocate(kind, bytes);
  }

  bool free(MemoryKind kind, void* pointer) noexcept override {
    if (pointer == nullptr) return true;
    if (process_.forked()) return false;
    // As cudaFree and cudaFreeHost do, so that a free on a hot path shows as time.
    if (kind != MemoryKind::ordinary) device_->streams.drain_all();
    const std::lock_guard lock(device_->mutex);
    return device_->memory.free(kind, pointer);
  }

  PointerInfo query(const void* pointer) override {
    enter(Call::query, "a pointer asked about");
    const std::lock_guard lock(device_->mutex);
    return device_->memory.query(pointer);
  }

  void register_host(void* pointer, std::size_t bytes) override {
    enter(Call::register_host, std::to_string(bytes) + " bytes asked for");
    const std::lock_guard lock(device_->mutex);
    device_->memory.register_host(pointer, bytes);
  }
  void unregister_host(void* pointer) override {
    refuse_after_fork("cudaHostUnregister");
    device_->streams.drain_all();
    const std::lock_guard lock(device_->mutex);
    device_->memory.unregister_host(pointer);
  }

  void copy(void* to, const void* from, std::size_t bytes, Stream stream) override {
    enter(Call::copy, std::to_string(bytes) + " bytes asked for");
    copy_queued("cudaMemcpyAsync", to, 0, from, 0, bytes, bytes > 0 ? 1 : 0, stream);
  }
  void copy_2d(void* to, std::ptrdiff_t to_pitch, const void* from, std::ptrdiff_t from_pitch, std::size_t row_bytes,
               std::size_t rows, Stream stream) override {
    enter(Call::copy, std::to_string(rows) + " rows of " + std::to_string(row_bytes) + " bytes asked for");
    copy_queued("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, row_bytes, row_bytes > 0 ? rows : 0, stream);
  }
  void fill(void* to, int byte, std::size_t bytes, Stream stream) override {
    enter(Call::copy, std::to_string(bytes) + " bytes to fill");
    if (bytes == 0) return;
    SimulatedMemory::Side side;
    {
      const std::lock_guard lock(device_->mutex);
      side = device_->memory.copy_side("cudaMemsetAsync", to, bytes);
      if (side.pageable) side.host = device_->memory.translate(to, bytes);
    }
    device_->streams.enqueue(stream, "cudaMemsetAsync",
                             [host = side.host, byte, bytes] { std::memset(host, byte, bytes); });
  }

  Stream create_stream() override {
    enter(Call::create, "a stream asked for");
    return device_->streams.create_stream();
  }
  void destroy_stream(Stream stream) noexcept override {
    if (!process_.forked()) device_->streams.destroy_stream(stream);
  }
  void wait_stream(Stream stream) override {
    refuse_after_fork("cudaStreamSynchronize");
    if (fails_now(Call::wait)) {
      // A device that failed writes nothing any more: what is queued must not reach memory the caller now gives up.
      device_->streams.drain(stream);
      fail_as_asked(Call::wait, "a stream waited for");
    }
    device_->streams.wait_stream(stream);
  }

  bool capturing(Stream stream) override {
    refuse_after_fork("cudaStreamIsCapturing");
    device_->streams.require(stream);
    return false;
  }

  Event create_event() override {
    enter(Call::create, "an event asked for");
    return device_->streams.create_event();
  }
  void destroy_event(Event event) noexcept override {
    if (!process_.forked()) device_->streams.destroy_event(event);
  }
  void record(Event event, Stream stream) override {
    refuse_after_fork("cudaEventRecord");
    device_->streams.record(event, stream);
  }
  bool finished(Event event) override {
    refuse_after_fork("cudaEventQuery");
    return device_->streams.finished(event);
  }
  void wait_event(Event event) override {
    refuse_after_fork("cudaEventSynchronize");
    if (fails_now(Call::wait)) {
      device_->streams.drain_all();
      fail_as_asked(Call::wait, "an event waited for");
    }
    device_->streams.wait_event(event);
  }
  void stream_waits(Stream stream, Event event) override {
    refuse_after_fork("cudaStreamWaitEvent");
    device_->streams.stream_waits(stream, event);
  }

  void launch(Stream stream, std::string_view label, std::function<void()> body) override {
    enter(Call::launch, std::string(label));
    device_->streams.enqueue(stream, std::string(label), std::move(body));
  }
  void* translate(const void* address, std::size_t bytes) override {
    refuse_after_fork("translate");
    const std::lock_guard lock(device_->mutex);
    return device_->memory.translate(address, bytes);
  }
  std::size_t reachable(const void* address) override {
    refuse_after_fork("reachable");
    const std::lock_guard lock(device_->mutex);
    return device_->memory.reachable(address);
  }
  bool is_device_address(const void* address) const noexcept override {
    return device_->memory.is_device_address(address);
  }

  void fail(Call call, int nth) override { slot(call).fails_in = nth; }
  void set_delay(int microseconds) override { device_->streams.set_delay(microseconds); }
  Ledger ledger() const override {
    refuse_after_fork("ledger");
    Ledger ledger;
    {
      const std::lock_guard lock(device_->mutex);
      ledger = device_->memory.ledger();
    }
    ledger.live_streams = device_->streams.live_streams();
    ledger.live_events = device_->streams.live_events();
    return ledger;
  }
  std::uint64_t calls(Call call) const override { return device_->slots[static_cast<std::size_t>(call)].count; }
  const SimulatedOptions& options() const override { return options_; }
  std::uint64_t next_seed() override {
    // splitmix64: neighbouring inputs give unrelated seeds.
    std::uint64_t z = options_.seed + 0x9e3779b97f4a7c15u * ++seeds_given_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  struct Slot {
    std::atomic<std::uint64_t> count{0};
    std::atomic<int> fails_in{0};
  };
  struct Device {
    Device(const SimulatedOptions& options, const Traits& traits)
        : memory(options.model, traits.memory_bytes), streams(options.stream_delay_microseconds) {}
    std::mutex mutex;  // of memory
    SimulatedMemory memory;
    std::array<Slot, 7> slots;
    SimulatedStreams streams;  // last, so that its threads end before what their work touches
  };

  Slot& slot(Call call) { return device_->slots[static_cast<std::size_t>(call)]; }

  void refuse_after_fork(std::string_view call) const {
    if (process_.forked()) throw Error(ErrorKind::device, std::string(call) + " refused: " + absence());
  }

  bool fails_now(Call call) {
    Slot& counted = slot(call);
    ++counted.count;
    for (int left = counted.fails_in; left > 0;) {
      if (counted.fails_in.compare_exchange_weak(left, left - 1)) return left == 1;
    }
    return false;
  }

  [[noreturn]] static void fail_as_asked(Call call, const std::string& detail) {
    throw Error(call == Call::allocate ? ErrorKind::out_of_memory : ErrorKind::device,
                std::string("simulated device: this ") + name_of_call(call) + " was told to fail, " + detail);
  }

  void enter(Call call, const std::string& detail) {
    refuse_after_fork(name_of_call(call));
    if (fails_now(call)) fail_as_asked(call, detail);
  }

  // Bytes are read and written when the copy runs. Two exceptions in what CUDA promises for pageable memory: a pageable
  // source is read during the call, after what the stream holds, unless the model is coherent and nothing need be
  // staged; a pageable target is written late although CUDA would wait for it, so that a missing wait shows there too.
  void copy_queued(const char* call, void* to, std::ptrdiff_t to_pitch, const void* from, std::ptrdiff_t from_pitch,
                   std::size_t row_bytes, std::size_t rows, Stream stream) {
    if (rows == 0) return;
    const Extent to_extent = extent_of(to_pitch, row_bytes, rows);
    const Extent from_extent = extent_of(from_pitch, row_bytes, rows);
    SimulatedMemory::Side target, source;
    {
      const std::lock_guard lock(device_->mutex);
      target = device_->memory.copy_side(call, offset(to, to_extent.from), to_extent.bytes);
      source = device_->memory.copy_side(call, offset(from, from_extent.from), from_extent.bytes);
    }
    char* const to_host = offset(target.host, -to_extent.from);
    const char* const from_host = offset(source.host, -from_extent.from);
    if (!source.pageable || options_.model == MemoryModel::coherent) {
      device_->streams.enqueue(stream, call,
                               [=] { copy_rows(to_host, to_pitch, from_host, from_pitch, row_bytes, rows); });
      return;
    }
    device_->streams.drain(stream);
    std::vector<char> staged(row_bytes * rows);
    const auto tight = static_cast<std::ptrdiff_t>(row_bytes);
    copy_rows(staged.data(), tight, from_host, from_pitch, row_bytes, rows);
    device_->streams.enqueue(stream, call, [=, staged = std::move(staged)] {
      copy_rows(to_host, to_pitch, staged.data(), tight, row_bytes, rows);
    });
  }

  // In whole numbers, because the addresses of the device belong to no object of this program.
  static char* offset(const void* pointer, std::ptrdiff_t bytes) {
    return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(pointer) + static_cast<std::uintptr_t>(bytes));
  }

  SimulatedOptions options_;
  Traits traits_;
  Process process_;
  std::atomic<std::uint64_t> seeds_given_{0};
  std::unique_ptr<Device> device_;
};

}  // namespace

std::shared_ptr<Runtime> make_simulated(const SimulatedOptions& options) {
  return std::make_shared<SimulatedRuntime>(options);
}

SimulatedControl* simulated_control(Runtime& runtime) noexcept { return dynamic_cast<SimulatedControl*>(&runtime); }

}  // namespace zp::device
