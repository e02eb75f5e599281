// Sequence: a scope in which device work is not waited for and staged copies stay on the device.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_SEQUENCE_H
#define ZEROPLANE_SEQUENCE_H

#include <cstddef>
#include <memory>

namespace zp {

struct SequenceOptions {
  /// Stream of the caller on which everything inside runs (a cudaStream_t with the cuda runtime); null: the thread's
  /// own. It belongs to the device in use and outlives the Sequence.
  void* stream = nullptr;
  /// Bytes of staged copies that may stay on the device at once; beyond, those used longest ago are written back and
  /// dropped. 0: a quarter of the device's memory. Copies of views that are alive are never dropped.
  std::size_t limit_bytes = 0;
  /// Finds host writes that were not announced, by hashes of the host's bytes. Always on with the simulated device.
  bool strict = false;
};

/// While one is alive on a thread, DeviceView::commit() and apply() on that thread do not wait for the device. A staged
/// copy stays on the device, keyed by its host bytes, and serves the next view of them; only what a kernel changed goes
/// back, at finish(), and what belongs to an Image that died before never does. Wrappers built on DeviceView gain this
/// without a change:
///
///     zp::Sequence sequence;
///     smooth(frame, width, height);     // each with a DeviceView inside
///     sharpen(frame, width, height);
///     sequence.finish();                // now the caller's bytes are ready
///
/// The rule inside the scope: the host touches bytes that were handed to a view only through Image::host(), read()
/// (waits and brings them back) or written() (the host changed them, the device's copy is dropped), and memory that is
/// not an Image stays allocated until finish() or discard(). The library's own functions that read or write pixels on
/// the host (apply() on the CPU, write(), hash(), clone()) keep the rule by themselves. A strict Sequence throws
/// Error(invalid_argument) from the next use or from finish() where a write broke it.
///
/// Sequences nest: finish() of an inner one makes ready everything that was used inside it; the outer one keeps the
/// rest. Each thread has its own; several threads may have one at the same time, on different images. Use it from the
/// thread that made it, and destroy it in reverse order of construction.
///
/// With a stream that is being captured into a CUDA graph, nothing is waited for and nothing may be staged: operations
/// on device memory or on planes that the device uses in place are captured; others throw Error(unsupported).
/// Scratch memory that they need belongs to the Sequence: keep it alive as long as the graph may run.
class Sequence {
 public:
  /// Throws device if the stream is not one of the device's. Without a device (MemoryModel::no_device) a Sequence does
  /// nothing, since every call is done when it returns.
  explicit Sequence(const SequenceOptions& options = {});
  /// Finishes if finish() was not called, also while an exception passes: what was committed is not lost. Errors of the
  /// device go to the log callback.
  ~Sequence();
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  /// Brings back what kernels changed, waits, and drops the copies. May be called again after more work. Throws
  /// Error(device) if the device failed; the copies are gone then too.
  void finish();

  /// Makes the bytes of every view that holds `pointer` readable by the host. Copies stay. Throws Error(device).
  void read(const void* pointer);
  /// The host has changed bytes at `pointer`: drops the copies that hold it. What kernels had written to them and the
  /// host has not read is lost.
  void written(const void* pointer);
  /// The host gives up the bytes at `pointer`: drops the copies that hold it and waits for work that touches them.
  /// Call it before memory that is not an Image is freed inside the scope.
  void discard(const void* pointer);

  void* stream() const noexcept;
  /// Bytes of copies on the device now.
  std::size_t device_bytes() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace zp

#endif
