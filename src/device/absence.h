// Why there is no device, in words; and whether this process is a fork of the one that asked.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_DEVICE_ABSENCE_H
#define ZP_DEVICE_ABSENCE_H

#include <unistd.h>

#include <string>
#include <string_view>

namespace zp::device {

/// What the CUDA runtime answered when it was asked for its devices.
struct Probe {
  int code = 0;  ///< of the first call that failed, as a number; 0 if none did
  std::string_view error_name = {}, error_text = {};
  int driver_version = 0, runtime_version = 0;  ///< 13000 means 13.0; 0 unknown
  int devices = 0;
  int ordinal = -1;     ///< asked for; -1 takes the first
  bool forked = false;  ///< the process that initialised CUDA was another one
};

/// One sentence naming the cause; empty if the device asked for is there.
std::string absence_in_words(const Probe& probe);

/// 12060 -> "12.6".
std::string version_in_words(int version);

/// The process an object was made in.
class Process {
 public:
  bool forked() const noexcept { return getpid() != pid_; }

 private:
  pid_t pid_ = getpid();
};

}  // namespace zp::device

#endif
