// Staging in row bands.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/staged_bands.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "kernels/workspaces.h"
#include "memory/counters.h"
#include "memory/home.h"
#include "memory/pointer.h"
#include "memory/residents.h"

namespace zp::kernels {
namespace {

using memory::Lanes;

constinit std::atomic<std::size_t> forced_bytes{0};
constinit std::atomic<int> forced_rows{0};

constexpr int kSlots = Lanes::kSlots;
constexpr int kBands = 16;
constexpr std::size_t kBandBytes = std::size_t(1) << 20;  // below, a launch costs more than it hides

struct Operand {
  PlaneView host;
  bool foreign = false;
  std::string_view reason;
  std::size_t same_as = 0;               ///< an earlier input of the same bytes, or its own number
  std::unique_ptr<Block> plane;          ///< an input: all of it on the device
  std::unique_ptr<Block> slots[kSlots];  ///< the output: bands on the device
  std::unique_ptr<Block> ring[kSlots];   ///< foreign: bands in page-locked memory

  std::size_t row_bytes() const { return host.shape.row_bytes(); }
  char* row(std::int64_t y) const { return static_cast<char*>(host.data) + std::ptrdiff_t(y) * host.pitch; }
};

PlaneView rows_at(void* data, PlaneShape shape, std::int64_t rows) {
  shape.height = int(rows);
  return PlaneView(data, shape);
}

/// The streams of one call. What was queued is done when it is gone.
class Queue {
 public:
  explicit Queue(const memory::Context& context)
      : context_(context), compute_(memory::current_stream(context)), lanes_(context.home->lend_lanes()) {}
  ~Queue() {
    bool idle = done_;
    for (int attempt = 0; attempt < 2 && !idle; ++attempt) {
      try {
        for (const device::Stream stream : {lanes_->in, compute_, lanes_->out}) memory::wait_stream(context_, stream);
        idle = true;
      } catch (const std::exception& error) {
        memory::log(std::string("zeroplane: after a call in bands failed: ") + error.what());
      }
    }
    context_.home->return_lanes(std::move(lanes_));
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  device::Stream compute() const { return compute_; }
  Lanes& lanes() { return *lanes_; }
  void after(device::Event event, device::Stream earlier, device::Stream later) {
    context_.runtime->record(event, earlier);
    context_.runtime->stream_waits(later, event);
  }
  /// The last copy out comes behind every kernel, and those behind every copy in.
  void wait() {
    memory::wait_stream(context_, lanes_->out);
    done_ = true;
  }

 private:
  const memory::Context& context_;
  device::Stream compute_;
  std::unique_ptr<Lanes> lanes_;
  bool done_ = false;
};

class BandedRun {
 public:
  BandedRun(const memory::Context& context, const BandedCall& call, std::vector<Operand>& operands)
      : context_(context), runtime_(*context.runtime), call_(call), operands_(operands), queue_(context) {
    height_ = call.out.shape.height;
    std::size_t row = 1;
    for (const Operand& operand : operands) row = std::max(row, operand.row_bytes());
    const std::int64_t whole = (std::int64_t(row) * height_ + kBands - 1) / kBands;
    rows_ = std::max<std::int64_t>(whole, std::int64_t(kBandBytes)) / std::int64_t(row);
    rows_ = std::max<std::int64_t>({rows_, call.halo, 1});
    if (const int forced = forced_rows.load()) rows_ = std::max(forced, 1);
    rows_ = (rows_ + 1) / 2 * 2;  // patterns of two rows, as a sensor's, begin anew in each band
  }

  void run(const Launch& launch) {
    borrow();
    // What the blocks were used for before comes first.
    queue_.after(queue_.lanes().start, queue_.compute(), queue_.lanes().in);
    const std::int64_t bands = (height_ + rows_ - 1) / rows_;
    for (std::int64_t band = 0; band < bands; ++band) {
      copy_in(band);
      compute(band, launch);
      copy_out(band);
      if (band >= kSlots - 1) land(band - (kSlots - 1));
    }
    for (std::int64_t band = std::max<std::int64_t>(0, bands - (kSlots - 1)); band < bands; ++band) land(band);
    queue_.wait();
  }

 private:
  std::size_t inputs() const { return operands_.size() - 1; }
  Operand& output() { return operands_.back(); }
  std::int64_t first_of(std::int64_t band) const { return band * rows_; }
  std::int64_t end_of(std::int64_t band) const { return std::min(height_, (band + 1) * rows_); }
  /// Rows that the band's kernel sees; an even number above the first, so that patterns stay in phase.
  std::int64_t top_of(std::int64_t band) const {
    return std::max<std::int64_t>(0, first_of(band) - (call_.halo + 1) / 2 * 2);
  }
  std::int64_t bottom_of(std::int64_t band) const { return std::min(height_, end_of(band) + call_.halo); }

  void borrow() {
    const std::int64_t most = std::min<std::int64_t>(height_, rows_ + 2 * (call_.halo + 1));
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      Operand& operand = operands_[k];
      const bool in = k < inputs();
      if (in && operand.same_as != k) continue;
      const std::size_t band_bytes = operand.row_bytes() * std::size_t(most);
      if (in)
        operand.plane = memory::borrow_scratch(context_, operand.row_bytes() * std::size_t(height_), queue_.compute());
      else
        for (auto& slot : operand.slots) slot = memory::borrow_scratch(context_, band_bytes, queue_.compute());
      if (operand.foreign)
        for (auto& slot : operand.ring) slot = memory::borrow_host(context_, band_bytes);
    }
  }

  void copy_in(std::int64_t band) {
    const int slot = int(band % kSlots);
    const std::int64_t first = band == 0 ? 0 : bottom_of(band - 1), rows = bottom_of(band) - first;
    for (std::size_t k = 0; k < inputs(); ++k) {
      Operand& operand = operands_[k];
      if (operand.same_as != k || rows <= 0) continue;
      const std::size_t row = operand.row_bytes();
      char* const to = static_cast<char*>(operand.plane->data()) + std::size_t(first) * row;
      const char* from = operand.row(first);
      std::ptrdiff_t pitch = operand.host.pitch;
      if (operand.foreign) {
        if (band >= kSlots) runtime_.wait_event(queue_.lanes().copied_in[slot]);
        char* const between = static_cast<char*>(operand.ring[slot]->data());
        memory::copy_rows_on_host(between, std::ptrdiff_t(row), from, pitch, row, std::size_t(rows));
        from = between;
        pitch = std::ptrdiff_t(row);
      }
      runtime_.copy_2d(to, std::ptrdiff_t(row), from, pitch, row, std::size_t(rows), queue_.lanes().in);
      memory::count(&Counters::bytes_to_device, row * std::size_t(rows));
    }
    queue_.after(queue_.lanes().copied_in[slot], queue_.lanes().in, queue_.compute());
  }

  void compute(std::int64_t band, const Launch& launch) {
    const int slot = int(band % kSlots);
    if (band >= kSlots) runtime_.stream_waits(queue_.compute(), queue_.lanes().copied_out[slot]);
    const std::int64_t top = top_of(band), rows = bottom_of(band) - top;
    std::vector<ConstPlaneView> in;
    for (std::size_t k = 0; k < inputs(); ++k) {
      const Operand& operand = operands_[operands_[k].same_as];
      in.push_back(rows_at(static_cast<char*>(operand.plane->data()) + std::size_t(top) * operand.row_bytes(),
                           operand.host.shape, rows));
    }
    DeviceWorkspace workspace(context_, queue_.compute());
    launch(in, rows_at(output().slots[slot]->data(), output().host.shape, rows), workspace);
    queue_.after(queue_.lanes().computed[slot], queue_.compute(), queue_.lanes().out);
  }

  void copy_out(std::int64_t band) {
    const int slot = int(band % kSlots);
    Operand& operand = output();
    const std::size_t row = operand.row_bytes();
    const std::int64_t first = first_of(band), rows = end_of(band) - first;
    const char* const from =
        static_cast<const char*>(operand.slots[slot]->data()) + std::size_t(first - top_of(band)) * row;
    if (operand.foreign)
      runtime_.copy(operand.ring[slot]->data(), from, row * std::size_t(rows), queue_.lanes().out);
    else
      runtime_.copy_2d(operand.row(first), operand.host.pitch, from, std::ptrdiff_t(row), row, std::size_t(rows),
                       queue_.lanes().out);
    runtime_.record(queue_.lanes().copied_out[slot], queue_.lanes().out);
    memory::count(&Counters::bytes_to_host, row * std::size_t(rows));
  }

  /// From the ring to the caller's memory.
  void land(std::int64_t band) {
    Operand& operand = output();
    if (!operand.foreign) return;
    const int slot = int(band % kSlots);
    runtime_.wait_event(queue_.lanes().copied_out[slot]);
    const std::int64_t first = first_of(band), rows = end_of(band) - first;
    memory::copy_rows_on_host(operand.row(first), operand.host.pitch, operand.ring[slot]->data(),
                              std::ptrdiff_t(operand.row_bytes()), operand.row_bytes(), std::size_t(rows));
  }

  const memory::Context& context_;
  device::Runtime& runtime_;
  const BandedCall& call_;
  std::vector<Operand>& operands_;
  std::int64_t height_ = 0, rows_ = 1;
  Queue queue_;
};

}  // namespace

void set_staged_bands(std::size_t bytes, int rows) noexcept {
  forced_bytes.store(bytes);
  forced_rows.store(rows);
}

bool run_in_staged_bands(const memory::Context& context, const BandedCall& call, const Launch& launch,
                         std::vector<RunReport::Operand>& report) {
  if (context.model != MemoryModel::discrete || memory::Residents::of_thread(context) != nullptr ||
      !memory::staging_guard().empty())
    return false;
  std::vector<Operand> operands;
  const auto take = [&](const PlaneView& view) {
    const std::size_t all = view.shape.row_bytes() * std::size_t(view.shape.height), forced = forced_bytes.load();
    const std::size_t bytes = forced == 0 ? all : all >= forced ? ~std::size_t(0) : 0;
    if (bytes < memory::least_bytes_in_bands() || view.shape.height != call.out.shape.height) return false;
    const std::string words = memory::in_words(call.operation, view.data, view.span_bytes());
    const memory::Reached pointer = memory::find_out(*context.home, view.data, view.span_bytes(), words);
    const memory::TransferRow& row = memory::decide_transfer(pointer.kind, context.model, call.reuse, bytes);
    if (row.transfer != memory::Transfer::in_bands || memory::viewed(context, view)) return false;
    Operand operand;
    operand.host = view;
    operand.foreign = pointer.kind == memory::PointerKind::foreign;
    operand.reason = row.reason;
    operand.same_as = operands.size();
    operands.push_back(std::move(operand));
    return true;
  };
  for (const ConstPlaneView& view : call.in)
    if (!take(PlaneView(const_cast<void*>(view.data), view.shape, view.pitch))) return false;
  if (!take(call.out)) return false;
  for (std::size_t k = 0; k + 1 < operands.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (operands[j].host.data == operands[k].host.data && operands[j].host.shape == operands[k].host.shape &&
          operands[j].host.pitch == operands[k].host.pitch) {
        operands[k].same_as = operands[j].same_as;
        break;
      }
  BandedRun(context, call, operands).run(launch);
  for (const Operand& operand : operands) {
    const std::size_t bytes = operand.row_bytes() * std::size_t(operand.host.shape.height);
    memory::count(&Counters::views_staged);
    report.push_back({Placement::staged, std::string(operand.reason), bytes});
    if (memory::trace_enabled())
      memory::log("zeroplane: staged for " + std::string(call.operation) + ": " + std::to_string(bytes) + " bytes at " +
                  memory::hexadecimal(operand.host.data) + ": " + std::string(operand.reason));
  }
  return true;
}

}  // namespace zp::kernels
