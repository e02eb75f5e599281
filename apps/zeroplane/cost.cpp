// zeroplane verify --time: what each operation costs, in copies of its first input.
// SPDX-License-Identifier: Apache-2.0
#include "cost.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/threads.h"
#include "memory/context.h"
#include "registry/cases.h"
#include "zeroplane/apply.h"
#include "zeroplane/sequence.h"

namespace zp::command {
namespace {

using registry::OperationCase;
using Clock = std::chrono::steady_clock;

/// Median of at least three runs behind one that warms up, more within a quarter of a second; one run above a second is
/// enough.
double median_ms(const std::function<void()>& work) {
  const auto once = [&work] {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  if (const double first = once(); first > 1000) return first;
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < 3 || (times.size() < 25 && Clock::now() - begin < std::chrono::milliseconds(250)))
    times.push_back(once());
  std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
  return times[times.size() / 2];
}

/// A copy of a plane in the device's own memory.
class DeviceCopy {
 public:
  DeviceCopy(std::shared_ptr<const memory::Context> context, const PlaneShape& shape)
      : context_(std::move(context)),
        bytes_(shape.row_bytes() * std::size_t(shape.height)),
        data_(context_->runtime->allocate(device::MemoryKind::device, std::max<std::size_t>(bytes_, 1))),
        view_(data_, shape) {}
  ~DeviceCopy() { context_->runtime->free(device::MemoryKind::device, data_); }
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;
  void take(const void* from) {
    const auto stream = memory::thread_stream(*context_);
    context_->runtime->copy(data_, from, bytes_, stream);
    context_->runtime->wait_stream(stream);
  }
  const PlaneView& view() const { return view_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<const memory::Context> context_;
  std::size_t bytes_;
  void* data_;
  PlaneView view_;
};

struct Cost {
  double milliseconds, copy;
};

Cost cost_on_cpu(const OperationCase& c) {
  const std::vector<Image> inputs = registry::case_inputs(c);
  const std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
  Image first = c.operation.evaluate(views), copy(inputs[0].shape());
  const PlaneView out = c.operation.makes_image() ? first.view() : PlaneView();
  const double run = median_ms([&] { c.operation.run(views, c.operation.makes_image() ? &out : nullptr); });
  const std::size_t row = inputs[0].shape().row_bytes();
  return {run, median_ms([&] {
            parallel_for(copy.height(), 64, [&](std::int64_t begin, std::int64_t end) {
              std::memcpy(static_cast<char*>(copy.data()) + std::size_t(begin) * row,
                          static_cast<const char*>(inputs[0].data()) + std::size_t(begin) * row,
                          std::size_t(end - begin) * row);
            });
          })};
}

Cost cost_on_device(const OperationCase& c) {
  const auto context = memory::context();
  const std::vector<Image> inputs = registry::case_inputs(c);
  std::vector<std::unique_ptr<DeviceCopy>> copies;
  std::vector<ConstPlaneView> views;
  for (const Image& image : inputs) {
    copies.push_back(std::make_unique<DeviceCopy>(context, image.shape()));
    copies.back()->take(image.data());
    views.push_back(copies.back()->view());
  }
  std::optional<DeviceCopy> out;
  if (c.operation.makes_image()) out.emplace(context, c.operation.output(views));
  DeviceCopy copy(context, inputs[0].shape());
  // Launches and copies one behind the other: what the device takes, without the way there and back.
  const auto batch = [](const std::function<void()>& work) {
    constexpr int kCalls = 10;
    return median_ms([&] {
             Sequence sequence;
             for (int k = 0; k < kCalls; ++k) work();
             sequence.finish();
           }) /
           kCalls;
  };
  const auto stream = memory::thread_stream(*context);
  const double run = batch([&] { c.operation.run(views, out ? &out->view() : nullptr); });
  const double copied = median_ms([&] {
                          for (int k = 0; k < 10; ++k)
                            context->runtime->copy(copy.view().data, views[0].data, copy.bytes(), stream);
                          context->runtime->wait_stream(stream);
                        }) /
                        10;
  return {run, copied};
}

}  // namespace

void print_costs(std::string_view filter, std::string_view where, Extent size, std::string_view json_file) {
  struct Place {
    const char *device, *name;
    Executor executor;
    Cost (*cost)(const OperationCase&);
  };
  std::vector<Place> places{{"none", "cpu", Executor::cpu, &cost_on_cpu}};
  try {
    initialize({.device = "cuda", .memory_model = "auto", .executor = "auto"});
    places.push_back({"cuda", "cuda", Executor::cuda, &cost_on_device});
  } catch (const Error&) {
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Place& place : places) {
    if (!std::string_view(place.name).starts_with(where)) continue;
    initialize({.device = place.device, .memory_model = "auto", .executor = "auto"});
    const ExecutorScope scope(place.executor);
    fmt::print("{}: {}x{}; device memory throughout where it is a GPU\n", place.name, size.width, size.height);
    std::set<std::string> seen;
    for (const OperationCase& c : registry::all_cases(size.width, size.height, filter)) {
      if (!seen.insert(fmt::format("{} {}", c.operation.name(), name_of(c.shape.format))).second) continue;
      try {
        const Cost cost = place.cost(c);
        fmt::print("  {:<24} {:<4} {:<34} {:>10.3f} ms {:>8.1f} copies\n", c.operation.name(), name_of(c.shape.format),
                   c.text(), cost.milliseconds, cost.milliseconds / cost.copy);
        rows.push_back({{"place", place.name},
                        {"operation", c.operation.name()},
                        {"format", name_of(c.shape.format)},
                        {"case", c.text()},
                        {"milliseconds", cost.milliseconds},
                        {"copy_milliseconds", cost.copy}});
      } catch (const Error& error) {
        fmt::print("  {:<24} {:<4} {:<34} {}\n", c.operation.name(), name_of(c.shape.format), c.text(), error.what());
      }
      std::fflush(stdout);
    }
  }
  if (json_file.empty()) return;
  std::ofstream file{std::string(json_file)};
  file << nlohmann::ordered_json{{"width", size.width}, {"height", size.height}, {"costs", rows}}.dump(1) << "\n";
  if (!file.flush()) throw Error(ErrorKind::io, std::string(json_file) + ": cannot write");
}

}  // namespace zp::command
