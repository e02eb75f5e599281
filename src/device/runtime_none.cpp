// The runtime without a device: refuses every request and says why; ordinary memory is still to be had.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "device/ordinary.h"
#include "device/runtime.h"
#include "zeroplane/error.h"

namespace zp::device {
namespace {

class NoneRuntime final : public Runtime {
 public:
  explicit NoneRuntime(std::string reason) : reason_(std::move(reason)) {}

  std::string_view name() const noexcept override { return "none"; }
  const Traits& traits() const noexcept override { return traits_; }
  std::string absence() const override { return reason_; }

  void* allocate(MemoryKind kind, std::size_t bytes) override {
    if (kind == MemoryKind::ordinary) return allocate_ordinary(bytes);
    refuse(std::to_string(bytes) + " bytes of " + std::string(name_of(kind)) + " memory");
  }
  bool free(MemoryKind kind, void* pointer) noexcept override {
    if (kind != MemoryKind::ordinary) return pointer == nullptr;
    free_ordinary(pointer);
    return true;
  }
  PointerInfo query(const void*) override { return {}; }
  void register_host(void*, std::size_t bytes) override {
    refuse("registering " + std::to_string(bytes) + " bytes of host memory");
  }
  void unregister_host(void*) override { refuse("unregistering host memory"); }

  void copy(void*, const void*, std::size_t bytes, Stream) override {
    refuse("a device copy of " + std::to_string(bytes) + " bytes");
  }
  void copy_2d(void*, std::ptrdiff_t, const void*, std::ptrdiff_t, std::size_t row_bytes, std::size_t rows,
               Stream) override {
    refuse("a device copy of " + std::to_string(rows) + " rows of " + std::to_string(row_bytes) + " bytes");
  }
  void fill(void*, int, std::size_t bytes, Stream) override {
    refuse("a device fill of " + std::to_string(bytes) + " bytes");
  }

  Stream create_stream() override { refuse("a stream"); }
  void destroy_stream(Stream) noexcept override {}
  void wait_stream(Stream) override { refuse("a wait for a stream"); }
  bool capturing(Stream) override { return false; }
  Event create_event() override { refuse("an event"); }
  void destroy_event(Event) noexcept override {}
  void record(Event, Stream) override { refuse("recording an event"); }
  bool finished(Event) override { refuse("asking for an event"); }
  void wait_event(Event) override { refuse("a wait for an event"); }
  void stream_waits(Stream, Event) override { refuse("ordering a stream after an event"); }

  void launch(Stream, std::string_view label, std::function<void()>) override {
    refuse("launching " + std::string(label));
  }
  void* translate(const void*, std::size_t) override { refuse("translating a device address"); }
  std::size_t reachable(const void*) override { refuse("measuring a device block"); }
  bool is_device_address(const void*) const noexcept override { return false; }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::device, what + " needs a device, but there is none: " + reason_);
  }

  std::string reason_;
  Traits traits_;
};

}  // namespace

std::shared_ptr<Runtime> make_none(std::string reason) {
  if (reason.empty()) reason = "no device was asked for";
  return std::make_shared<NoneRuntime>(std::move(reason));
}

}  // namespace zp::device
