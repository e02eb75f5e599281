// The real device: the CUDA runtime behind the seam, or the news that it was not built in.
// SPDX-License-Identifier: Apache-2.0
#include "device/runtime.h"

#ifndef ZEROPLANE_HAS_CUDA

namespace zp::device {

bool cuda_built_in() noexcept { return false; }

std::shared_ptr<Runtime> make_cuda(int) { return make_none("built without CUDA"); }

}  // namespace zp::device

#else

#include <cuda_runtime.h>

#include <atomic>
#include <utility>

#include "device/absence.h"
#include "device/ordinary.h"
#include "zeroplane/error.h"

namespace zp::device {
namespace {

// The process in which CUDA came up; a plain number, because nothing of CUDA may live in static storage.
std::atomic<pid_t> initialised_by{0};

bool is_fork_of_initialised() noexcept {
  const pid_t pid = initialised_by.load(std::memory_order_relaxed);
  return pid != 0 && pid != getpid();
}

// Takes back the errors that the calls inside leave in the thread's last-error slot. One that the caller left there is
// older than ours and cannot be put back, so an error stays an error then.
class LastErrorKept {
 public:
  LastErrorKept() noexcept : was_clear_(cudaPeekAtLastError() == cudaSuccess) {}
  ~LastErrorKept() {
    if (was_clear_ && cudaPeekAtLastError() != cudaSuccess) cudaGetLastError();
  }
  LastErrorKept(const LastErrorKept&) = delete;
  LastErrorKept& operator=(const LastErrorKept&) = delete;

 private:
  bool was_clear_;
};

// Makes a device current, and the caller's again. Where both are one, nothing is called that could make a context.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) noexcept {
    int found = 0;
    code_ = cudaGetDevice(&found);
    if (code_ != cudaSuccess || found == ordinal) return;
    code_ = cudaSetDevice(ordinal);
    if (code_ == cudaSuccess) callers_ = found;
  }
  ~CurrentDevice() {
    if (callers_ >= 0) cudaSetDevice(callers_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_ = cudaSuccess;
  int callers_ = -1;
};

// While a graph is captured anywhere, the driver refuses allocations, frees and queries of events. Ours never depend on
// what the graph will do, so they may run.
class CaptureAllowed {
 public:
  CaptureAllowed() noexcept { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~CaptureAllowed() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  CaptureAllowed(const CaptureAllowed&) = delete;
  CaptureAllowed& operator=(const CaptureAllowed&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

[[noreturn]] void fail(cudaError_t code, std::string_view call, const std::string& detail) {
  std::string words = std::string(call) + " failed: " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")";
  if (!detail.empty()) words += ", " + detail;
  throw Error(code == cudaErrorMemoryAllocation ? ErrorKind::out_of_memory : ErrorKind::device, words);
}

std::string asked_for(std::size_t bytes) { return std::to_string(bytes) + " bytes asked for"; }

cudaStream_t native_stream(Stream stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t native_event(Event event) { return static_cast<cudaEvent_t>(event); }

class CudaRuntime final : public Runtime {
 public:
  explicit CudaRuntime(Traits traits) : traits_(std::move(traits)) {
    cudaDeviceGetAttribute(&max_pitch_, cudaDevAttrMaxPitch, traits_.ordinal);
  }

  std::string_view name() const noexcept override { return "cuda"; }
  const Traits& traits() const noexcept override { return traits_; }
  std::string absence() const override {
    return process_.forked() ? absence_in_words({.forked = true}) : std::string();
  }

  void* allocate(MemoryKind kind, std::size_t bytes) override {
    if (kind == MemoryKind::ordinary) return allocate_ordinary(bytes);
    void* pointer = nullptr;
    const std::size_t at_least_one = bytes > 0 ? bytes : 1;
    if (kind == MemoryKind::device) {
      call(
          "cudaMalloc", [&] { return cudaMalloc(&pointer, at_least_one); }, [&] { return asked_for(bytes); });
    } else {
      const unsigned flags =
          kind == MemoryKind::mapped ? cudaHostAllocMapped | cudaHostAllocPortable : cudaHostAllocPortable;
      call(
          "cudaHostAlloc", [&] { return cudaHostAlloc(&pointer, at_least_one, flags); },
          [&] { return asked_for(bytes); });
    }
    return pointer;
  }

  bool free(MemoryKind kind, void* pointer) noexcept override {
    if (pointer == nullptr) return true;
    if (kind == MemoryKind::ordinary) {
      free_ordinary(pointer);
      return true;
    }
    return quietly([&] { return kind == MemoryKind::device ? cudaFree(pointer) : cudaFreeHost(pointer); });
  }

  PointerInfo query(const void* pointer) override {
    if (pointer == nullptr) return {};
    cudaPointerAttributes attributes{};
    call("cudaPointerGetAttributes", [&] { return cudaPointerGetAttributes(&attributes, pointer); });
    switch (attributes.type) {
      case cudaMemoryTypeHost:
        return {PointerInfo::Kind::host, attributes.devicePointer};
      case cudaMemoryTypeManaged:
        return {PointerInfo::Kind::managed, attributes.devicePointer};
      case cudaMemoryTypeDevice:
        if (attributes.device != traits_.ordinal) return {PointerInfo::Kind::other_device, nullptr};
        return {PointerInfo::Kind::device, attributes.devicePointer};
      default:
        return {};
    }
  }

  void register_host(void* pointer, std::size_t bytes) override {
    if (!traits_.host_register_supported) {
      throw Error(ErrorKind::unsupported, traits_.name + " cannot register host memory (hostRegisterSupported is 0)");
    }
    call(
        "cudaHostRegister",
        [&] { return cudaHostRegister(pointer, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable); },
        [&] { return asked_for(bytes); });
  }
  void unregister_host(void* pointer) override {
    call("cudaHostUnregister", [&] { return cudaHostUnregister(pointer); });
  }

  void copy(void* to, const void* from, std::size_t bytes, Stream stream) override {
    if (bytes == 0) return refuse_after_fork("cudaMemcpyAsync");
    call(
        "cudaMemcpyAsync", [&] { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, native_stream(stream)); },
        [&] { return asked_for(bytes); });
  }

  void copy_2d(void* to, std::ptrdiff_t to_pitch, const void* from, std::ptrdiff_t from_pitch, std::size_t row_bytes,
               std::size_t rows, Stream stream) override {
    if (row_bytes == 0 || rows == 0) return refuse_after_fork("cudaMemcpy2DAsync");
    const auto tight = [&](std::ptrdiff_t pitch) { return pitch >= 0 && static_cast<std::size_t>(pitch) == row_bytes; };
    if (rows == 1 || (tight(to_pitch) && tight(from_pitch))) return copy(to, from, row_bytes * rows, stream);
    if (taken_by_2d(to_pitch, row_bytes) && taken_by_2d(from_pitch, row_bytes)) {
      call(
          "cudaMemcpy2DAsync",
          [&] {
            return cudaMemcpy2DAsync(to, static_cast<std::size_t>(to_pitch), from, static_cast<std::size_t>(from_pitch),
                                     row_bytes, rows, cudaMemcpyDefault, native_stream(stream));
          },
          [&] { return std::to_string(rows) + " rows of " + asked_for(row_bytes); });
      return;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const auto y = static_cast<std::ptrdiff_t>(row);
      copy(static_cast<char*>(to) + y * to_pitch, static_cast<const char*>(from) + y * from_pitch, row_bytes, stream);
    }
  }

  void fill(void* to, int byte, std::size_t bytes, Stream stream) override {
    if (bytes == 0) return refuse_after_fork("cudaMemsetAsync");
    call(
        "cudaMemsetAsync", [&] { return cudaMemsetAsync(to, byte, bytes, native_stream(stream)); },
        [&] { return asked_for(bytes); });
  }

  Stream create_stream() override {
    cudaStream_t stream = nullptr;
    // Ordered with the legacy default stream on purpose: callers with kernels and fills there count on that order.
    call("cudaStreamCreate", [&] { return cudaStreamCreateWithFlags(&stream, cudaStreamDefault); });
    return stream;
  }
  void destroy_stream(Stream stream) noexcept override {
    if (stream != nullptr) quietly([&] { return cudaStreamDestroy(native_stream(stream)); });
  }
  void wait_stream(Stream stream) override {
    call("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(native_stream(stream)); });
  }

  bool capturing(Stream stream) override {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    call("cudaStreamIsCapturing", [&] { return cudaStreamIsCapturing(native_stream(stream), &status); });
    return status != cudaStreamCaptureStatusNone;
  }

  Event create_event() override {
    cudaEvent_t event = nullptr;
    call("cudaEventCreate", [&] { return cudaEventCreateWithFlags(&event, cudaEventDisableTiming); });
    return event;
  }
  void destroy_event(Event event) noexcept override {
    if (event != nullptr) quietly([&] { return cudaEventDestroy(native_event(event)); });
  }
  void record(Event event, Stream stream) override {
    call("cudaEventRecord", [&] { return cudaEventRecord(native_event(event), native_stream(stream)); });
  }
  bool finished(Event event) override {
    bool done = true;
    call("cudaEventQuery", [&] {
      const cudaError_t code = cudaEventQuery(native_event(event));
      done = code != cudaErrorNotReady;
      return done ? code : cudaSuccess;
    });
    return done;
  }
  void wait_event(Event event) override {
    call("cudaEventSynchronize", [&] { return cudaEventSynchronize(native_event(event)); });
  }
  void stream_waits(Stream stream, Event event) override {
    call("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(native_stream(stream), native_event(event), 0); });
  }

  void launch(Stream, std::string_view label, std::function<void()> body) override {
    refuse_after_fork(label);
    if (body) {
      const CurrentDevice current(traits_.ordinal);
      if (current.code() != cudaSuccess) fail(current.code(), "cudaSetDevice", "to launch " + std::string(label));
      body();
      return;
    }
    int found = -1;
    cudaError_t code = cudaSuccess;
    {
      const LastErrorKept kept;
      code = cudaGetDevice(&found);
      if (code == cudaSuccess && found != traits_.ordinal) code = cudaSetDevice(traits_.ordinal);
    }
    if (code != cudaSuccess) fail(code, "cudaSetDevice", "to launch " + std::string(label));
  }

  void* translate(const void*, std::size_t) override { only_simulated("translate"); }
  std::size_t reachable(const void*) override { only_simulated("reachable"); }
  bool is_device_address(const void*) const noexcept override { return false; }

 private:
  void refuse_after_fork(std::string_view call_name) const {
    if (process_.forked()) throw Error(ErrorKind::device, std::string(call_name) + " refused: " + absence());
  }

  template <typename Call, typename Detail>
  void call(std::string_view call_name, Call&& body, Detail&& detail) const {
    refuse_after_fork(call_name);
    cudaError_t code = cudaSuccess;
    {
      const LastErrorKept kept;
      const CurrentDevice current(traits_.ordinal);
      const CaptureAllowed allowed;
      code = current.code();
      if (code == cudaSuccess) code = body();
    }
    if (code != cudaSuccess) fail(code, call_name, detail());
  }
  template <typename Call>
  void call(std::string_view call_name, Call&& body) const {
    call(call_name, std::forward<Call>(body), [] { return std::string(); });
  }

  // Destructors come here, possibly after main, when every call answers cudaErrorCudartUnloading.
  template <typename Call>
  bool quietly(Call&& body) const noexcept {
    if (process_.forked()) return false;
    const LastErrorKept kept;
    const CurrentDevice current(traits_.ordinal);
    const CaptureAllowed allowed;
    return current.code() == cudaSuccess && body() == cudaSuccess;
  }

  bool taken_by_2d(std::ptrdiff_t pitch, std::size_t row_bytes) const {
    return pitch > 0 && static_cast<std::size_t>(pitch) >= row_bytes && pitch <= max_pitch_;
  }

  [[noreturn]] static void only_simulated(const char* what) {
    throw Error(ErrorKind::unsupported, std::string(what) + "() exists on the simulated device only");
  }

  Traits traits_;
  Process process_;
  int max_pitch_ = 0;
};

}  // namespace

bool cuda_built_in() noexcept { return true; }

std::shared_ptr<Runtime> make_cuda(int ordinal) {
  if (is_fork_of_initialised()) return make_none(absence_in_words({.forked = true}));
  const LastErrorKept kept;
  Probe probe{.ordinal = ordinal < 0 ? 0 : ordinal};
  const auto note = [&](cudaError_t code) {
    if (probe.code != 0 || code == cudaSuccess) return;
    probe.code = static_cast<int>(code);
    probe.error_name = cudaGetErrorName(code);
    probe.error_text = cudaGetErrorString(code);
  };
  note(cudaRuntimeGetVersion(&probe.runtime_version));
  note(cudaDriverGetVersion(&probe.driver_version));
  note(cudaGetDeviceCount(&probe.devices));
  if (std::string absence = absence_in_words(probe); !absence.empty()) return make_none(std::move(absence));

  Traits traits;
  traits.ordinal = probe.ordinal;
  traits.driver_version = probe.driver_version;
  traits.runtime_version = probe.runtime_version;
  const auto attribute = [&](cudaDeviceAttr which) {
    int value = 0;
    note(cudaDeviceGetAttribute(&value, which, traits.ordinal));
    return value;
  };
  traits.compute_major = attribute(cudaDevAttrComputeCapabilityMajor);
  traits.compute_minor = attribute(cudaDevAttrComputeCapabilityMinor);
  traits.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  traits.integrated = attribute(cudaDevAttrIntegrated) != 0;
  traits.can_map_host_memory = attribute(cudaDevAttrCanMapHostMemory) != 0;
  traits.pageable_access = attribute(cudaDevAttrPageableMemoryAccess) != 0;
  traits.uses_host_page_tables = attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables) != 0;
  traits.concurrent_managed = attribute(cudaDevAttrConcurrentManagedAccess) != 0;
  traits.host_register_supported = attribute(cudaDevAttrHostRegisterSupported) != 0;
  cudaDeviceProp properties{};
  note(cudaGetDeviceProperties(&properties, traits.ordinal));
  if (probe.code != 0) return make_none(absence_in_words(probe));
  traits.name = properties.name;
  traits.memory_bytes = properties.totalGlobalMem;
  initialised_by.store(getpid(), std::memory_order_relaxed);
  return std::make_shared<CudaRuntime>(std::move(traits));
}

}  // namespace zp::device

#endif
