// The workspaces of the CPU and of a device: scratch from the pools, transfers through the runtime.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_WORKSPACES_H
#define ZP_KERNELS_WORKSPACES_H

#include <memory>
#include <vector>

#include "exec/workspace.h"
#include "memory/context.h"
#include "memory/pools.h"

namespace zp::kernels {

class HostWorkspace : public exec::Workspace {
 public:
  void* scratch(std::size_t bytes) override;
  void fill(void* to, int byte, std::size_t bytes) override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;
  device::Runtime* runtime() noexcept override { return nullptr; }
  device::Stream stream() noexcept override { return nullptr; }
  void launched() noexcept override {}

 private:
  std::vector<std::unique_ptr<Block>> blocks_;
};

class DeviceWorkspace : public exec::Workspace {
 public:
  DeviceWorkspace(const memory::Context& context, device::Stream stream) : context_(context), stream_(stream) {}
  ~DeviceWorkspace() override;
  DeviceWorkspace(const DeviceWorkspace&) = delete;
  DeviceWorkspace& operator=(const DeviceWorkspace&) = delete;

  void* scratch(std::size_t bytes) override;
  void fill(void* to, int byte, std::size_t bytes) override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;
  device::Runtime* runtime() noexcept override { return context_.runtime.get(); }
  device::Stream stream() noexcept override { return stream_; }
  void launched() noexcept override { memory::count_launch(); }

 private:
  static constexpr std::size_t kUploads = 64 * 1024;  ///< small uploads of a call share a block of this size

  const memory::Context& context_;
  device::Stream stream_;
  std::vector<std::unique_ptr<Block>> blocks_;
  char* uploads_ = nullptr;
  std::size_t uploaded_ = 0;
};

}  // namespace zp::kernels

#endif
