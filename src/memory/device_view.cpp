// DevicePlane: asks what the pointer is, decides, stages what must be staged, and brings it back.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/device_view.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "memory/counters.h"
#include "memory/decide.h"
#include "memory/home.h"
#include "memory/pointer.h"
#include "memory/residents.h"
#include "zeroplane/error.h"

namespace zp {

std::string_view name_of(Placement placement) noexcept {
  switch (placement) {
    case Placement::in_place:
      return "in_place";
    case Placement::staged:
      return "staged";
    case Placement::device_resident:
      return "device_resident";
  }
  return "?";
}

namespace memory {
namespace {

/// What later views must know of a live one.
struct Live {
  const Home* home = nullptr;
  Rows host;
  Access access = Access::in;
  bool open = true;                  // neither committed nor destroyed
  std::shared_ptr<StagedCopy> copy;  // null: in place
};

// Weak, so that a view that is destroyed on another thread leaves nothing dangling.
using LiveViews = std::vector<std::weak_ptr<Live>>;
thread_local constinit bool thread_ends = false;
struct LiveViewsOfThread {
  LiveViews views;
  ~LiveViewsOfThread() { thread_ends = true; }
};

/// Null while the thread is taken down, when a static object of the caller may still work.
LiveViews* live_views() {
  if (thread_ends) return nullptr;
  thread_local LiveViewsOfThread of_thread;
  return &of_thread.views;
}

std::vector<std::shared_ptr<Live>> overlapping(const Home* home, const Rows& rows) {
  std::vector<std::shared_ptr<Live>> found;
  LiveViews* const views = live_views();
  if (views == nullptr) return found;
  std::erase_if(*views, [&](const std::weak_ptr<Live>& weak) {
    auto live = weak.lock();
    if (live == nullptr || !live->open) return true;
    if (live->home == home && overlap(live->host, rows)) found.push_back(std::move(live));
    return false;
  });
  return found;
}

constexpr std::string_view kEmpty = "a view of 0 pixels: there is nothing to move";
constexpr std::string_view kMixed = "host memory that is page-locked in part only; the device cannot reach all of it";
constexpr std::string_view kInPlaceAlready = "a live view uses the same bytes in place";
constexpr std::string_view kShared = "a live view staged the same bytes; its copy is shared";
constexpr std::string_view kResident = "the Sequence has the bytes on the device already";

}  // namespace

bool viewed(const Context& context, const ConstPlaneView& plane) {
  return !overlapping(context.home.get(), Rows::of(plane.data, plane.shape.row_bytes(), std::size_t(plane.shape.height),
                                                   std::size_t(plane.pitch)))
              .empty();
}

}  // namespace memory

using memory::count;

struct DevicePlane::State {
  std::shared_ptr<const memory::Context> context;
  device::Stream stream = nullptr;
  Access access = Access::in;
  Placement placement = Placement::in_place;
  std::string_view reason;
  PlaneView device;
  memory::Rows host;
  memory::Inside inside;               // staged: where in the copy
  std::shared_ptr<memory::Live> live;  // null: device resident or empty
  std::uint64_t residents_serial = 0;  // of the Sequence in which the view was made; 0 outside
  bool done = false;

  State(PlaneView view, std::size_t row_bytes, std::size_t rows, Access access, Reuse reuse,
        std::string_view operation);
  ~State();

  memory::StagedCopy* copy() const { return live == nullptr ? nullptr : live->copy.get(); }
  bool brings_back() const { return copy() != nullptr && access != Access::in; }
  std::byte* host_bytes() const { return reinterpret_cast<std::byte*>(host.base); }

  void stage(bool mixed, std::string_view operation, const std::string& words);
  /// commit() inside a Sequence.
  void queued(memory::Residents& residents);
  /// The Sequence in which the view was made, while it lasts and is the thread's innermost.
  memory::Residents* residents() const {
    memory::Residents* const here = memory::Residents::of_thread(*context);
    return here != nullptr && here->serial() == residents_serial ? here : nullptr;
  }
  void close() noexcept {
    done = true;
    if (live != nullptr) live->open = false;
  }
};

DevicePlane::State::State(PlaneView view, std::size_t row_bytes, std::size_t rows, Access access_, Reuse reuse,
                          std::string_view operation)
    : context(memory::context()), access(access_), device(view) {
  using namespace memory;
  const bool empty = row_bytes == 0 || rows == 0;
  stream = current_stream(*context);
  if (empty) {
    device.data = nullptr;
    reason = kEmpty;
    done = true;
    return;
  }
  host = Rows::of(view.data, row_bytes, rows, std::size_t(view.pitch));
  const std::string words = in_words(operation, view.data, host.bytes());
  if (view.data == nullptr) throw Error(ErrorKind::invalid_argument, words + ": the pointer is null");
  if (host.end() < host.base) throw Error(ErrorKind::invalid_argument, words + ": the range wraps around");

  const Reached pointer = find_out(*context->home, view.data, host.span(), words);
  Residents* const residents = Residents::of_thread(*context);
  if (residents != nullptr) residents_serial = residents->serial();
  const bool keeps = residents != nullptr && !residents->capturing();
  Decision decision = decide(pointer.kind, context->model, reuse, access, keeps);
  if (pointer.mixed && decision.verdict == Verdict::staged) decision.reason = kMixed;
  if (decision.verdict == Verdict::refuse)
    throw Error(context->model == MemoryModel::no_device ? ErrorKind::device : ErrorKind::unsupported,
                words + ": " + std::string(decision.reason));
  reason = decision.reason;
  if (pointer.device_address != nullptr) device.data = pointer.device_address;
  if (decision.verdict == Verdict::device_resident) {
    placement = Placement::device_resident;
    count(&Counters::views_device_resident);
    return;
  }

  auto entry = std::make_shared<Live>();
  entry->home = context->home.get();
  entry->host = host;
  entry->access = access;

  std::shared_ptr<StagedCopy> shared;
  bool in_place = decision.verdict == Verdict::in_place;
  bool writes = access != Access::in;
  const auto others = overlapping(entry->home, host);
  for (const auto& other : others) writes = writes || other->access != Access::in;
  for (const auto& other : others) {
    if (other->copy == nullptr) {
      // Staged beside it the bytes would be two; in place it can be wherever the driver knows it.
      if (!in_place && pointer.kind == PointerKind::mapped && shared == nullptr) {
        in_place = true;
        reason = kInPlaceAlready;
      }
      continue;
    }
    if (shared == nullptr)
      if (const auto found = locate(host, other->copy->host)) {
        shared = other->copy;
        inside = *found;
      }
  }
  // Whatever lies elsewhere than this view will may overlap it only if nobody writes.
  if (writes)
    for (const auto& other : others) {
      const bool same_place = shared != nullptr ? other->copy == shared : in_place && other->copy == nullptr;
      if (!same_place)
        throw Error(ErrorKind::unsupported,
                    words + ": it overlaps a live view of " + std::to_string(other->host.bytes()) + " bytes at " +
                        hexadecimal(reinterpret_cast<const void*>(other->host.base)) +
                        " in part, and one copy cannot serve both; make the enclosing view first");
    }
  const bool from_live = shared != nullptr;
  if (residents != nullptr && !from_live) {
    residents->reserve();
    shared = residents->find(host, !in_place, inside);
  }
  // Nothing may throw once the copy is queued.
  LiveViews* const views = live_views();
  if (views != nullptr) views->reserve(views->size() + 1);
  live = std::move(entry);
  live->copy = std::move(shared);
  if (live->copy != nullptr) {
    placement = Placement::staged;
    reason = from_live ? kShared : kResident;
    stage(pointer.mixed, operation, words);
  } else if (!in_place) {
    placement = Placement::staged;
    stage(pointer.mixed, operation, words);
  }
  if (views != nullptr) views->push_back(live);
  count(placement == Placement::staged ? &Counters::views_staged : &Counters::views_in_place);
}

void DevicePlane::State::stage(bool mixed, std::string_view operation, const std::string& words) {
  using namespace memory;
  Residents* const residents = this->residents();
  const bool copies_in =
      access != Access::out && (live->copy == nullptr || (!live->copy->copied_in && !live->copy->address_given));
  // What is on the device already and is only used again is not staged now.
  const bool moves = live->copy == nullptr || residents == nullptr || copies_in;
  if (const std::string guard = staging_guard(); moves && !guard.empty())
    throw Error(ErrorKind::staging_forbidden,
                words + " must be staged, which NoStaging at " + guard + " forbids: " + std::string(reason));
  if (residents != nullptr && residents->capturing())
    throw Error(
        ErrorKind::unsupported,
        words + " must be staged, which a stream that is being captured does not allow: " + std::string(reason));
  if (live->copy == nullptr) {
    auto made = std::make_shared<StagedCopy>();
    made->host = host;
    if (residents != nullptr) {
      residents->make_room(host.bytes());
      try {
        made->block = borrow_scratch(*context, host.bytes(), stream);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::out_of_memory || !residents->make_room(host.bytes(), true)) throw;
      }
    }
    if (made->block == nullptr) made->block = borrow_scratch(*context, host.bytes(), stream);
    if (mixed) made->bounce = borrow_host(*context, host.bytes());
    inside = {0, host.row_bytes};
    live->copy = std::move(made);
    if (residents != nullptr) residents->add(live->copy);
  }
  StagedCopy& copy = *live->copy;
  device.data = copy.at(inside.offset);
  // The rows of a view that is one run in host memory are one run in the copy.
  if (host.rows > 1) device.pitch = std::ptrdiff_t(inside.pitch);
  if (trace_enabled() && moves)
    log("zeroplane: staged" + std::string(operation.empty() ? "" : " for ") + std::string(operation) + ": " +
        std::to_string(host.bytes()) + " bytes at " + hexadecimal(host_bytes()) +
        (copies_in ? ", copied in" : ", not copied in") + ": " + std::string(reason));
  if (!copies_in) return;
  try {
    copy_in(*context, copy, host, inside, stream);
  } catch (...) {
    if (residents != nullptr) residents->abandoned(&copy, Access::out);
    // Rows that were queued before the failure still read memory that the caller may free now.
    try {
      wait_stream(*context, stream);
    } catch (const std::exception&) {  // the first failure is the one to report
    }
    throw;
  }
  copy.copied_in = copy.copied_in || host.bytes() == copy.host.bytes();
}

void DevicePlane::State::queued(memory::Residents& residents) {
  residents.queued();
  if (live != nullptr) {
    if (brings_back()) copy()->address_given = true;
    residents.committed(live->copy, host, access);
  }
  close();
}

DevicePlane::State::~State() {
  if (done || !context->home->alive()) return;
  close();
  if (memory::Residents* const kept = residents(); kept != nullptr) {
    if (live != nullptr) kept->abandoned(copy(), access);
    if (kept->capturing()) return;  // nothing runs yet, and a wait would end the capture
  }
  // A second attempt, because work that still runs may touch memory that the caller frees next.
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      memory::wait_stream(*context, stream);
      return;
    } catch (const std::exception& error) {
      memory::log(std::string("zeroplane: a view that was not committed: ") + error.what());
    }
  }
}

namespace {

[[noreturn]] void refuse(std::string_view operation, const std::string& why) {
  throw Error(ErrorKind::invalid_argument, (operation.empty() ? "view" : std::string(operation) + ": view") + why);
}

/// Sizes and pitch that later arithmetic may trust.
void require_legal(const PlaneView& view, std::string_view operation) {
  const PlaneShape& shape = view.shape;
  if (shape.width < 0 || shape.height < 0)
    refuse(operation, " of " + std::to_string(shape.width) + " x " + std::to_string(shape.height) +
                          " pixels: width and height must be 0 or more");
  if (shape.channels < 1 || shape.channels > 4)
    refuse(operation, " of " + std::to_string(shape.channels) + " channels: there may be 1 to 4");
  if (shape.empty() || shape.height == 1) return;
  if (view.pitch < std::ptrdiff_t(shape.row_bytes()))
    refuse(operation, ": a pitch of " + std::to_string(view.pitch) + " bytes is shorter than a row of " +
                          std::to_string(shape.row_bytes()));
  if (view.pitch > (std::numeric_limits<std::ptrdiff_t>::max() - std::ptrdiff_t(shape.row_bytes())) / shape.height)
    refuse(operation, ": " + std::to_string(shape.height) + " rows " + std::to_string(view.pitch) +
                          " bytes apart do not fit in 63 bits");
}

PlaneView plane_of(const FlatRange& range) {
  constexpr std::size_t most = std::size_t(std::numeric_limits<int>::max());
  const bool samples = range.element_bytes == bytes_of(range.format);
  const std::size_t count = samples ? range.count : range.count * range.element_bytes;
  PlaneShape shape{0, 0, 1, samples ? range.format : Format::u8};
  if (count <= most) {
    shape.width = int(count);
    shape.height = 1;
  } else if (count % kFlatRow == 0 && count / kFlatRow <= most) {
    shape.width = int(kFlatRow);
    shape.height = int(count / kFlatRow);
  }
  return PlaneView(range.data, shape);
}

}  // namespace

DevicePlane::DevicePlane(PlaneView view, Access access, Reuse reuse, std::string_view operation) {
  require_legal(view, operation);
  state_ =
      std::make_unique<State>(view, view.shape.row_bytes(), std::size_t(view.shape.height), access, reuse, operation);
}

DevicePlane::DevicePlane(FlatRange range, Access access, Reuse reuse, std::string_view operation) {
  if (range.element_bytes != 0 &&
      range.count > std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) / range.element_bytes)
    refuse(operation, " of " + std::to_string(range.count) + " elements of " + std::to_string(range.element_bytes) +
                          " bytes: the size in bytes does not fit in 63 bits");
  const std::size_t bytes = range.count * range.element_bytes;
  state_ = std::make_unique<State>(plane_of(range), bytes, bytes == 0 ? 0 : 1, access, reuse, operation);
}

DevicePlane::DevicePlane(DevicePlane&&) noexcept = default;
DevicePlane::~DevicePlane() = default;

PlaneView DevicePlane::device() const noexcept {
  if (state_ == nullptr) return {};
  if (auto* copy = state_->copy()) copy->address_given = true;
  return state_->device;
}

void* DevicePlane::stream() const noexcept { return state_ == nullptr ? nullptr : state_->stream; }
Placement DevicePlane::placement() const noexcept {
  return state_ == nullptr ? Placement::in_place : state_->placement;
}
std::string_view DevicePlane::reason() const noexcept {
  return state_ == nullptr ? std::string_view() : state_->reason;
}

void DevicePlane::commit() {
  DevicePlane* const self = this;
  commit(std::span<DevicePlane* const>(&self, 1));
}

void DevicePlane::commit(std::span<DevicePlane* const> planes) {
  const auto pending = [](const DevicePlane* plane) {
    return plane != nullptr && plane->state_ != nullptr && !plane->state_->done;
  };
  for (DevicePlane* plane : planes) {
    if (!pending(plane)) continue;
    State& state = *plane->state_;
    if (memory::Residents* const residents = state.residents()) {
      state.queued(*residents);
      continue;
    }
    if (state.brings_back())
      memory::queue_copy_back(*state.context, *state.copy(), state.host, state.inside, state.stream);
  }
  device::Stream waited = nullptr;
  for (DevicePlane* plane : planes) {
    if (!pending(plane)) continue;
    State& state = *plane->state_;
    if (state.stream != waited) memory::wait_stream(*state.context, state.stream);
    waited = state.stream;
    if (state.brings_back()) memory::finish_copy_back(*state.copy(), state.host, state.inside);
    state.close();
  }
}

}  // namespace zp
