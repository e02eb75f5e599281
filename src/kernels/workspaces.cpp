// Workspaces over the memory floor.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/workspaces.h"

#include <algorithm>
#include <cstring>

#include "memory/residents.h"

namespace zp::kernels {

void* HostWorkspace::scratch(std::size_t bytes) {
  blocks_.push_back(memory::borrow_host(bytes ? bytes : 1));
  return blocks_.back()->data();
}
void HostWorkspace::fill(void* to, int byte, std::size_t bytes) { std::memset(to, byte, bytes); }
void HostWorkspace::upload(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void HostWorkspace::download(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

DeviceWorkspace::~DeviceWorkspace() {
  memory::Residents* const residents = memory::Residents::of_thread(context_);
  const bool captured = residents != nullptr && residents->capturing();
  for (auto& block : blocks_) {
    try {
      if (captured)
        residents->keep(std::move(block));
      else
        block->used_by(stream_);
    } catch (const std::exception& error) {
      memory::log(error.what());
    }
  }
}
void* DeviceWorkspace::scratch(std::size_t bytes) {
  blocks_.push_back(memory::borrow_scratch(context_, bytes ? bytes : 1, stream_));
  return blocks_.back()->data();
}
void DeviceWorkspace::fill(void* to, int byte, std::size_t bytes) { context_.runtime->fill(to, byte, bytes, stream_); }
void DeviceWorkspace::upload(void* to, const void* from, std::size_t bytes) {
  // Where the device reads host memory by itself, a copy reads its source late; the caller may free it before.
  if (uploads_ == nullptr || bytes > kUploads - uploaded_) {
    blocks_.push_back(memory::borrow_host(context_, std::max(bytes, kUploads)));
    if (bytes > kUploads) {
      std::memcpy(blocks_.back()->data(), from, bytes);
      context_.runtime->copy(to, blocks_.back()->data(), bytes, stream_);
      return;
    }
    uploads_ = static_cast<char*>(blocks_.back()->data());
    uploaded_ = 0;
  }
  std::memcpy(uploads_ + uploaded_, from, bytes);
  context_.runtime->copy(to, uploads_ + uploaded_, bytes, stream_);
  uploaded_ = (uploaded_ + bytes + 15) / 16 * 16;
}
void DeviceWorkspace::download(void* to, const void* from, std::size_t bytes) {
  const memory::Residents* const residents = memory::Residents::of_thread(context_);
  if (residents != nullptr && residents->capturing())
    throw Error(ErrorKind::unsupported,
                "the operation needs a value on the host before it goes on, which a captured stream cannot give");
  context_.runtime->copy(to, from, bytes, stream_);
  memory::wait_stream(context_, stream_);
}

}  // namespace zp::kernels
