// A libtiff handle over our files that closes itself, prints nothing and remembers what libtiff said.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_TIFF_HANDLE_H
#define ZP_IO_TIFF_HANDLE_H

#include <tiffio.h>

#include <cstdint>
#include <string>

#include "io/file.h"

namespace zp::io {

/// What libtiff reported since the last clear(): the first error, the first warning that means lost pixels, and the
/// last warning of any kind.
struct TiffLog {
  std::string error;
  std::string loss;
  std::string warning;
  void clear() {
    error.clear();
    loss.clear();
    warning.clear();
  }
};

class TiffHandle {
 public:
  /// Opens for reading at the first directory; get() is null where libtiff refuses, and log() says why. libtiff will
  /// not allocate more than `largest_allocation` at once (where it can be told).
  TiffHandle(InputFile& file, std::uint64_t largest_allocation);
  TiffHandle(OutputFile& file, bool big);
  TiffHandle(const TiffHandle&) = delete;
  TiffHandle& operator=(const TiffHandle&) = delete;
  ~TiffHandle() { close(); }

  TIFF* get() const { return tiff_; }
  TiffLog& log() { return log_; }

  /// Runs a libtiff call with the messages going to log().
  template <class Call>
  auto operator()(Call&& call) {
    const Listening listening(*this);
    return call(tiff_);
  }

  /// Writes what libtiff still holds; see the file's error_number().
  void close();

 private:
  struct Listening {
    explicit Listening(TiffHandle& handle);
    ~Listening();
    TiffLog* previous;
  };

  TiffLog log_;
  TIFF* tiff_ = nullptr;
};

}  // namespace zp::io

#endif
