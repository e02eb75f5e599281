// Registers memory of the caller with the device, and unregisters it when the handle dies.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <utility>

#include "memory/context.h"
#include "memory/counters.h"
#include "memory/home.h"
#include "zeroplane/error.h"
#include "zeroplane/memory.h"

namespace zp {

Adopted::Adopted(Adopted&& other) noexcept
    : pointer_(std::exchange(other.pointer_, nullptr)),
      registered_(std::exchange(other.registered_, false)),
      reason_(std::move(other.reason_)),
      runtime_(std::move(other.runtime_)) {}

Adopted& Adopted::operator=(Adopted&& other) noexcept {
  if (this == &other) return *this;
  Adopted old(std::move(*this));
  pointer_ = std::exchange(other.pointer_, nullptr);
  registered_ = std::exchange(other.registered_, false);
  reason_ = std::move(other.reason_);
  runtime_ = std::move(other.runtime_);
  return *this;
}

Adopted::~Adopted() {
  if (!registered_) return;
  auto home = std::static_pointer_cast<memory::Home>(runtime_);
  if (!home->alive()) return;
  home->adopted.remove(reinterpret_cast<std::uintptr_t>(pointer_));
  try {
    home->runtime().unregister_host(pointer_);
  } catch (const std::exception& error) {
    memory::log(std::string("zeroplane: adopted memory stays registered: ") + error.what());
  }
}

Adopted adopt(void* pointer, std::size_t bytes) {
  if (pointer == nullptr) throw Error(ErrorKind::invalid_argument, "adopt: the pointer is null");
  if (bytes == 0) throw Error(ErrorKind::invalid_argument, "adopt: 0 bytes; at least 1 is needed");
  const auto context = memory::context();
  Adopted adopted;
  adopted.pointer_ = pointer;
  if (context->model == MemoryModel::no_device) {
    adopted.reason_ = "there is no device: " + context->reason;
  } else if (context->model == MemoryModel::coherent) {
    adopted.reason_ = "not needed: the device reads every host address";
  } else if (!context->runtime->traits().host_register_supported) {
    adopted.reason_ = context->runtime->traits().name +
                      " cannot register host memory (hostRegisterSupported is 0); calls stage as before";
  } else {
    context->runtime->register_host(pointer, bytes);
    adopted.registered_ = true;
    adopted.runtime_ = context->home;
    context->home->adopted.add(reinterpret_cast<std::uintptr_t>(pointer), bytes);
    adopted.reason_ = "registered with the device for in-place use";
  }
  return adopted;
}

}  // namespace zp
