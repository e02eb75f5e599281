// The table from what CUDA answered to why there is no device.
// SPDX-License-Identifier: Apache-2.0
#include "device/absence.h"

namespace zp::device {
namespace {

// Numbers and not names, so that a build without CUDA explains, and tests, the same causes.
constexpr int kInitializationError = 3;
constexpr int kStubLibrary = 34;
constexpr int kInsufficientDriver = 35;
constexpr int kNoDevice = 100;

std::string named(const Probe& probe) {
  std::string words = probe.error_name.empty() ? "error" : std::string(probe.error_name);
  words += " (" + std::to_string(probe.code) + ")";
  if (!probe.error_text.empty()) words += ": " + std::string(probe.error_text);
  return words;
}

}  // namespace

std::string version_in_words(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string absence_in_words(const Probe& probe) {
  if (probe.forked) {
    return "after fork: CUDA was initialised in the parent process and cannot be used in its child; start a new "
           "process instead";
  }
  switch (probe.code) {
    case 0:
      break;
    case kInitializationError:
      return "the CUDA driver could not be initialised, as happens in a child after fork: " + named(probe);
    case kStubLibrary:
      return "stub library: the libcuda that was loaded is the one meant for linking only, not a driver";
    case kInsufficientDriver:
      if (probe.driver_version == 0) return "no driver: no NVIDIA driver is installed, or its libcuda was not found";
      if (probe.driver_version < probe.runtime_version) {
        return "driver older than runtime: the NVIDIA driver supports CUDA " + version_in_words(probe.driver_version) +
               ", this program needs " + version_in_words(probe.runtime_version);
      }
      return "the NVIDIA driver (CUDA " + version_in_words(probe.driver_version) + ") refuses this program (CUDA " +
             version_in_words(probe.runtime_version) + "): " + named(probe);
    case kNoDevice:
      return "no device: the NVIDIA driver is installed, but shows no GPU to this process";
    default:
      return "the NVIDIA driver failed: " + named(probe);
  }
  if (probe.devices <= 0) return "no device: the NVIDIA driver is installed, but shows no GPU to this process";
  if (probe.ordinal >= probe.devices) {
    return "no device " + std::to_string(probe.ordinal) + ": the NVIDIA driver shows " + std::to_string(probe.devices) +
           (probe.devices == 1 ? " device, numbered 0" : " devices, numbered from 0");
  }
  return {};
}

}  // namespace zp::device
