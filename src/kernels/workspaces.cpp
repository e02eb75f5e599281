// Workspaces over the memory floor.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/workspaces.h"

#include <cstring>

namespace zp::kernels {

void* HostWorkspace::scratch(std::size_t bytes) {
  blocks_.push_back(memory::borrow_host(bytes ? bytes : 1));
  return blocks_.back()->data();
}
void HostWorkspace::fill(void* to, int byte, std::size_t bytes) { std::memset(to, byte, bytes); }
void HostWorkspace::upload(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void HostWorkspace::download(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

DeviceWorkspace::~DeviceWorkspace() {
  for (const auto& block : blocks_) {
    try {
      block->used_by(stream_);
    } catch (const Error& error) {
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
  blocks_.push_back(memory::borrow_host(context_, bytes));
  std::memcpy(blocks_.back()->data(), from, bytes);
  context_.runtime->copy(to, blocks_.back()->data(), bytes, stream_);
}
void DeviceWorkspace::download(void* to, const void* from, std::size_t bytes) {
  context_.runtime->copy(to, from, bytes, stream_);
  memory::wait_stream(context_, stream_);
}

void copy_plane(const memory::Context& context, const ConstPlaneView& from, const PlaneView& to) {
  const PlaneShape& s = from.shape;
  const auto on_device = [&](const void* p) {
    const auto kind = context.runtime->query(p).kind;
    return kind == device::PointerInfo::Kind::device || kind == device::PointerInfo::Kind::other_device;
  };
  if (context.model == MemoryModel::no_device || (!on_device(from.data) && !on_device(to.data))) {
    for (int y = 0; y < s.height; ++y)
      std::memcpy(static_cast<char*>(to.data) + std::ptrdiff_t(y) * to.pitch,
                  static_cast<const char*>(from.data) + std::ptrdiff_t(y) * from.pitch, s.row_bytes());
    return;
  }
  const device::Stream stream = memory::thread_stream(context);
  context.runtime->copy_2d(to.data, to.pitch, from.data, from.pitch, s.row_bytes(), std::size_t(s.height), stream);
  memory::wait_stream(context, stream);
}

}  // namespace zp::kernels
