// What a Sequence keeps on the device, and the Sequence itself.
// SPDX-License-Identifier: Apache-2.0
#include "memory/residents.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "memory/counters.h"
#include "memory/home.h"
#include "memory/pointer.h"
#include "zeroplane/error.h"

namespace zp {
namespace memory {
namespace {

thread_local constinit Residents* innermost = nullptr;

// Every thread's, for blocks that die on another thread.
struct All {
  std::mutex mutex;
  std::vector<Residents*> list;
};
constinit std::atomic<int> alive{0};
All& all() {
  static All* leaked = new All;
  return *leaked;
}

constexpr std::size_t kTouchedRanges = 256;

std::uint64_t hash_of(const Rows& rows) {
  std::uint64_t hash = 0;
  for (std::size_t y = 0; y < rows.rows; ++y)
    hash = XXH3_64bits_withSeed(reinterpret_cast<const void*>(rows.base + y * rows.pitch), rows.row_bytes, hash);
  return hash;
}

Rows rows_of(const ConstPlaneView& plane) {
  return Rows::of(plane.data, plane.shape.row_bytes(), std::size_t(plane.shape.height), std::size_t(plane.pitch));
}

Inside whole(const StagedCopy& copy) { return {0, copy.host.row_bytes}; }

}  // namespace

Residents::Residents(std::shared_ptr<const Context> context, const SequenceOptions& options)
    : context_(std::move(context)), own_stream_(options.stream == nullptr), outer_(innermost) {
  static constinit std::atomic<std::uint64_t> serials{0};
  serial_ = serials.fetch_add(1) + 1;
  device::Runtime& runtime = *context_->runtime;
  stream_ = own_stream_ ? stream_of_thread(context_->home) : options.stream;
  capturing_ = runtime.capturing(stream_);
  strict_ = options.strict || runtime.name() == "simulated";
  limit_ = options.limit_bytes != 0 ? options.limit_bytes : runtime.traits().memory_bytes / 4;
  std::lock_guard lock(all().mutex);
  all().list.push_back(this);
  alive.fetch_add(1);
  innermost = this;
}

Residents::~Residents() {
  innermost = outer_;
  {
    std::lock_guard lock(all().mutex);
    std::erase(all().list, this);
    alive.fetch_sub(1);
  }
  kept_.clear();
  if (own_stream_ || !context_->home->alive()) return;
  // The caller may destroy the stream next.
  context_->home->host.forget(stream_);
  context_->home->scratch.forget(stream_);
}

Residents* Residents::of_thread() noexcept { return innermost; }
Residents* Residents::of_thread(const Context& context) noexcept {
  return innermost != nullptr && innermost->context_->home == context.home ? innermost : nullptr;
}

std::size_t Residents::bytes() const {
  std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const Entry& entry : entries_) sum += entry.copy->host.bytes();
  return sum;
}

void Residents::check(const Rows& host, std::uint64_t hash) const {
  if (!strict_ || hash_of(host) == hash) return;
  throw Error(ErrorKind::invalid_argument,
              "sequence: the host wrote to " + std::to_string(host.bytes()) + " bytes at " +
                  hexadecimal(reinterpret_cast<const void*>(host.base)) +
                  " that are in use by the device; call Image::host() or Sequence::read() before, or "
                  "Sequence::written() after");
}

void Residents::wait() {
  if (capturing_) return;
  std::vector<Touched> touched;
  {
    std::lock_guard lock(mutex_);
    touched.swap(touched_);
    queued_ = false;
  }
  count(&Counters::waits);
  context_->runtime->wait_stream(stream_);
  context_->home->host.forget(stream_);
  for (const Touched& range : touched)
    if (range.hash) check(range.host, *range.hash);
}

bool Residents::touched(const Rows& host) const {
  std::lock_guard lock(mutex_);
  return std::any_of(touched_.begin(), touched_.end(), [&](const Touched& range) { return overlap(range.host, host); });
}

void Residents::touch(const Rows& host, Touch how) {
  std::lock_guard lock(mutex_);
  bool hashed = strict_ && how == Touch::reads_in_place, known = false;
  for (Touched& touched : touched_) {
    if (!overlap(touched.host, host)) continue;
    hashed = hashed && touched.hash;
    if (how == Touch::writes) touched.hash.reset();
    known = known || (touched.host.base == host.base && touched.host.row_bytes == host.row_bytes &&
                      touched.host.rows == host.rows && touched.host.pitch == host.pitch);
  }
  if (known) return;
  if (touched_.size() >= kTouchedRanges) {
    std::uintptr_t base = host.base, end = host.end();
    for (const Touched& touched : touched_) {
      base = std::min(base, touched.host.base);
      end = std::max(end, touched.host.end());
    }
    touched_.assign(1, Touched{Rows{base, std::size_t(end - base), 1, std::size_t(end - base)}, std::nullopt});
    return;
  }
  touched_.push_back({host, hashed ? std::optional(hash_of(host)) : std::nullopt});
}

template <class Condition>
std::vector<Residents::Entry> Residents::take_if(const Condition& condition) {
  std::vector<Entry> taken;
  std::lock_guard lock(mutex_);
  const auto from = std::partition(entries_.begin(), entries_.end(), [&](const Entry& e) { return !condition(e); });
  taken.assign(std::make_move_iterator(from), std::make_move_iterator(entries_.end()));
  entries_.erase(from, entries_.end());
  return taken;
}

std::vector<Residents::Entry> Residents::take(const Rows& host) {
  return take_if([&](const Entry& entry) { return overlap(entry.copy->host, host); });
}

void Residents::bring_back(std::vector<Entry>& entries) {
  std::exception_ptr first;
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  };
  bool queued = false;
  for (const Entry& entry : entries) {
    attempt([&] { check(entry.copy->host, entry.host_hash); });
    if (!entry.changed) continue;
    attempt([&] { touch(entry.copy->host, Touch::writes); });
    attempt([&] { queue_copy_back(*context_, *entry.copy, entry.copy->host, whole(*entry.copy), stream_); });
    queued = true;
  }
  if (queued) {
    bool waited = false;
    attempt([&] {
      wait();
      waited = true;
    });
    if (waited)
      for (const Entry& entry : entries)
        if (entry.changed) finish_copy_back(*entry.copy, entry.copy->host, whole(*entry.copy));
  }
  for (Entry& entry : entries) {
    entry.changed = false;
    if (strict_ && !first) entry.host_hash = hash_of(entry.copy->host);
  }
  if (first) std::rethrow_exception(first);
}

void Residents::finish(int depth) {
  std::vector<Entry> going = take_if([&](const Entry& entry) { return entry.depth >= depth; });
  std::exception_ptr first;
  try {
    bring_back(going);
  } catch (...) {
    first = std::current_exception();
  }
  try {
    if (queued_) wait();
  } catch (...) {
    if (!first) first = std::current_exception();
  }
  if (first) std::rethrow_exception(first);
}

std::shared_ptr<StagedCopy> Residents::find(const Rows& host, bool staged, Inside& inside) {
  if (strict_) {
    std::vector<Touched> touched;
    {
      std::lock_guard lock(mutex_);
      touched = touched_;
    }
    for (const Touched& range : touched)
      if (range.hash && overlap(range.host, host)) check(range.host, *range.hash);
  }
  std::vector<Entry> others = take(host);
  if (staged && others.size() == 1)
    if (const auto found = locate(host, others[0].copy->host)) {
      std::shared_ptr<StagedCopy> copy = others[0].copy;
      others[0].depth = std::max(others[0].depth, depth_);
      others[0].used = ++uses_;
      const Rows range = copy->host;
      const std::uint64_t hash = others[0].host_hash;
      {
        std::lock_guard lock(mutex_);
        entries_.push_back(std::move(others[0]));  // take() left room
      }
      check(range, hash);
      inside = *found;
      return copy;
    }
  bring_back(others);
  return nullptr;
}

bool Residents::make_room(std::size_t bytes, bool all) {
  bool dropped = false;
  for (;;) {
    std::vector<Entry> victim;
    {
      std::lock_guard lock(mutex_);
      std::size_t sum = bytes;
      auto oldest = entries_.end();
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        sum += entry->copy->host.bytes();
        // A view that is alive holds the copy as well.
        if (entry->copy.use_count() == 1 && (oldest == entries_.end() || entry->used < oldest->used)) oldest = entry;
      }
      if (oldest == entries_.end() || (!all && sum <= limit_)) return dropped;
      victim.push_back(std::move(*oldest));
      entries_.erase(oldest);
    }
    dropped = true;
    Entry& entry = victim[0];
    if (entry.changed && entry.copy->bounce == nullptr) {
      touch(entry.copy->host, Touch::writes);
      queued_ = true;
      queue_copy_back(*context_, *entry.copy, entry.copy->host, whole(*entry.copy), stream_);
      check(entry.copy->host, entry.host_hash);
    } else {
      bring_back(victim);
    }
  }
}

void Residents::reserve() {
  std::lock_guard lock(mutex_);
  entries_.reserve(entries_.size() + 1);
}

void Residents::add(std::shared_ptr<StagedCopy> copy, bool changed) noexcept {
  Entry entry;
  entry.changed = changed;
  entry.depth = depth_;
  entry.used = ++uses_;
  if (strict_) entry.host_hash = hash_of(copy->host);
  entry.copy = std::move(copy);
  std::lock_guard lock(mutex_);
  entries_.push_back(std::move(entry));
}

void Residents::committed(const std::shared_ptr<StagedCopy>& copy, const Rows& host, Access access) {
  queued_ = true;
  if (copy == nullptr) return touch(host, access == Access::in ? Touch::reads_in_place : Touch::writes);
  if (copy->copied_in) touch(host, Touch::copies_in);
  if (access == Access::in) return;
  {
    std::lock_guard lock(mutex_);
    for (Entry& entry : entries_)
      if (entry.copy == copy) {
        entry.changed = true;
        return;
      }
  }
  reserve();
  add(copy, true);
}

void Residents::abandoned(const StagedCopy* copy, Access access) noexcept {
  if (access == Access::in) return;
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.copy.get() == copy && !entry.changed; });
}

bool Residents::holds(const Rows& host) const {
  std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return overlap(entry.copy->host, host); });
}

void Residents::host_reads(const Rows& host) {
  std::vector<Entry> held = take(host);
  const auto put_back = [&] {
    std::lock_guard lock(mutex_);
    for (Entry& entry : held) entries_.push_back(std::move(entry));
  };
  try {
    bring_back(held);
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
  if (touched(host)) wait();
}

void Residents::host_writes(const Rows& host) {
  host_reads(host);
  take(host);
}

void Residents::drop(const Rows& host) {
  take(host);
  std::lock_guard lock(mutex_);
  for (Touched& range : touched_)
    if (overlap(range.host, host)) range.hash.reset();
}

device::Stream Residents::forget(const Rows& host) noexcept {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return overlap(entry.copy->host, host); });
  bool in_flight = false;
  std::erase_if(touched_, [&](const Touched& range) {
    if (!overlap(range.host, host)) return false;
    in_flight = true;
    // A range of several blocks stays for the others.
    return range.host.base >= host.base && range.host.end() <= host.end();
  });
  return in_flight && !capturing_ ? stream_ : nullptr;
}

device::Stream Residents::block_dies(const void* data, std::size_t bytes) noexcept {
  if (alive.load() == 0) return nullptr;
  const Rows host = Rows::of(data, bytes, 1, bytes);
  device::Stream used = nullptr;
  std::lock_guard lock(all().mutex);
  for (Residents* residents : all().list)
    if (const device::Stream stream = residents->forget(host); stream != nullptr) used = stream;
  return used;
}

device::Stream current_stream(const Context& context) {
  const Residents* residents = Residents::of_thread(context);
  return residents != nullptr ? residents->stream() : thread_stream(context);
}

namespace {

Residents* with_pixels(const ConstPlaneView& plane) {
  return plane.shape.empty() || plane.data == nullptr ? nullptr : Residents::of_thread();
}

}  // namespace

void host_reads(const ConstPlaneView& plane) {
  if (Residents* residents = with_pixels(plane)) residents->host_reads(rows_of(plane));
}

void host_writes(const ConstPlaneView& plane) {
  if (Residents* residents = with_pixels(plane)) residents->host_writes(rows_of(plane));
}

bool resident(const Context& context, const ConstPlaneView& plane) {
  if (plane.shape.empty() || plane.data == nullptr) return false;
  const Residents* residents = Residents::of_thread(context);
  return residents != nullptr && residents->holds(rows_of(plane));
}

}  // namespace memory

using memory::Residents;

struct Sequence::State {
  std::unique_ptr<Residents> own;
  Residents* residents = nullptr;  ///< null without a device
};

Sequence::Sequence(const SequenceOptions& options) : state_(std::make_unique<State>()) {
  const auto context = memory::context();
  if (context->model == MemoryModel::no_device) return;
  Residents* outer = Residents::of_thread(*context);
  if (outer != nullptr && options.stream != nullptr && options.stream != outer->stream()) {
    // Its copies would be used on two streams.
    outer->finish(0);
    outer = nullptr;
  }
  if (outer == nullptr) {
    state_->own = std::make_unique<Residents>(context, options);
    outer = state_->own.get();
  }
  state_->residents = outer;
  outer->enter();
}

Sequence::~Sequence() {
  if (state_->residents == nullptr) return;
  if (state_->residents->context().home->alive()) {
    try {
      state_->residents->finish(state_->residents->depth());
    } catch (const std::exception& error) {
      memory::log(std::string("zeroplane: a Sequence that was not finished: ") + error.what());
    }
  }
  state_->residents->leave();
}

void Sequence::finish() {
  if (state_->residents != nullptr) state_->residents->finish(state_->residents->depth());
}

namespace {
memory::Rows byte_at(const void* pointer) { return {reinterpret_cast<std::uintptr_t>(pointer), 1, 1, 1}; }
}  // namespace

void Sequence::read(const void* pointer) {
  if (state_->residents != nullptr) state_->residents->host_reads(byte_at(pointer));
}

void Sequence::written(const void* pointer) {
  if (state_->residents != nullptr) state_->residents->drop(byte_at(pointer));
}

void Sequence::discard(const void* pointer) {
  if (state_->residents == nullptr) return;
  state_->residents->drop(byte_at(pointer));
  if (state_->residents->touched(byte_at(pointer))) state_->residents->wait();
}

void* Sequence::stream() const noexcept { return state_->residents == nullptr ? nullptr : state_->residents->stream(); }

std::size_t Sequence::device_bytes() const noexcept {
  return state_->residents == nullptr ? 0 : state_->residents->bytes();
}

}  // namespace zp
