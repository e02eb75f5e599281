// A libtiff handle over our files that closes itself, prints nothing and remembers what libtiff said.
// SPDX-License-Identifier: Apache-2.0
#include "io/tiff_handle.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <mutex>
#include <new>
#include <string_view>

// Handlers per handle exist since libtiff 4.5; before, they are global.
#if TIFFLIB_VERSION >= 20221213 && !defined(ZEROPLANE_TIFF_GLOBAL_HANDLERS)
#define ZP_TIFF_OWN_HANDLERS 1
#else
#define ZP_TIFF_OWN_HANDLERS 0
#endif

namespace zp::io {
namespace {

std::string text_of(const char* module, const char* format, va_list arguments) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, arguments);
  return module != nullptr && *module != 0 ? std::string(module) + ": " + text : std::string(text);
}

void note_error(TiffLog& log, const char* module, const char* format, va_list arguments) noexcept {
  try {
    if (log.error.empty()) log.error = text_of(module, format, arguments);
  } catch (const std::bad_alloc&) {
  }
}

void note_warning(TiffLog& log, const char* module, const char* format, va_list arguments) noexcept {
  try {
    log.warning = text_of(module, format, arguments);
    // The JPEG decoder fills what is missing with grey, the fax decoders with white, and both only warn.
    if (!log.loss.empty() || !(log.warning.starts_with("JPEGLib") || log.warning.starts_with("Fax"))) return;
    for (const std::string_view loss : {"remature end", "bad Huffman", "out of order", "nconsistent progression",
                                        "Line length mismatch", "Premature EOL"}) {
      if (log.warning.find(loss) != std::string::npos) log.loss = log.warning;
    }
  } catch (const std::bad_alloc&) {
  }
}

#if ZP_TIFF_OWN_HANDLERS

int on_error(TIFF*, void* log, const char* module, const char* format, va_list arguments) {
  note_error(*static_cast<TiffLog*>(log), module, format, arguments);
  return 1;
}

int on_warning(TIFF*, void* log, const char* module, const char* format, va_list arguments) {
  note_warning(*static_cast<TiffLog*>(log), module, format, arguments);
  return 1;
}

#else

thread_local TiffLog* current_log = nullptr;
TIFFErrorHandler others_error = nullptr;
TIFFErrorHandler others_warning = nullptr;

void on_error(const char* module, const char* format, va_list arguments) {
  if (current_log != nullptr) {
    note_error(*current_log, module, format, arguments);
  } else if (others_error != nullptr) {
    others_error(module, format, arguments);
  }
}

void on_warning(const char* module, const char* format, va_list arguments) {
  if (current_log != nullptr) {
    note_warning(*current_log, module, format, arguments);
  } else if (others_warning != nullptr) {
    others_warning(module, format, arguments);
  }
}

#endif

template <class File>
tmsize_t read_file(thandle_t file, void* target, tmsize_t count) {
  return count > 0 ? tmsize_t(static_cast<File*>(file)->read(target, std::size_t(count))) : 0;
}

tmsize_t write_file(thandle_t file, void* source, tmsize_t count) {
  if (count <= 0) return 0;
  return static_cast<OutputFile*>(file)->write(source, std::size_t(count)) ? count : -1;
}

tmsize_t refuse_write(thandle_t, void*, tmsize_t) { return -1; }

template <class File>
toff_t seek_file(thandle_t handle, toff_t offset, int whence) {
  auto* file = static_cast<File*>(handle);
  const std::uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position() : file->bytes();
  const std::uint64_t position = base + offset;
  if (position > std::uint64_t(std::numeric_limits<std::int64_t>::max())) return toff_t(-1);
  file->seek(position);
  return position;
}

template <class File>
toff_t size_file(thandle_t file) {
  return static_cast<File*>(file)->bytes();
}

int keep_open(thandle_t) { return 0; }

template <class File>
TIFF* open(File& file, const char* mode, TIFFReadWriteProc write, TiffLog& log, std::uint64_t largest_allocation) {
  const char* name = file.path().c_str();
#if ZP_TIFF_OWN_HANDLERS
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  if (options == nullptr) throw std::bad_alloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, &log);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, &log);
  constexpr std::uint64_t kLargest = std::numeric_limits<tmsize_t>::max();
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(std::min(largest_allocation, kLargest)));
  TIFF* tiff = TIFFClientOpenExt(name, mode, &file, read_file<File>, write, seek_file<File>, keep_open, size_file<File>,
                                 nullptr, nullptr, options);
  TIFFOpenOptionsFree(options);
  return tiff;
#else
  (void)log, (void)largest_allocation;
  return TIFFClientOpen(name, mode, &file, read_file<File>, write, seek_file<File>, keep_open, size_file<File>, nullptr,
                        nullptr);
#endif
}

}  // namespace

#if ZP_TIFF_OWN_HANDLERS

TiffHandle::Listening::Listening(TiffHandle&) : previous(nullptr) {}
TiffHandle::Listening::~Listening() = default;

#else

TiffHandle::Listening::Listening(TiffHandle& handle) : previous(current_log) {
  static std::once_flag once;
  std::call_once(once, [] {
    others_error = TIFFSetErrorHandler(on_error);
    others_warning = TIFFSetWarningHandler(on_warning);
  });
  current_log = &handle.log_;
}
TiffHandle::Listening::~Listening() { current_log = previous; }

#endif

TiffHandle::TiffHandle(InputFile& file, std::uint64_t largest_allocation) {
  const Listening listening(*this);
  tiff_ = open(file, "rm", refuse_write, log_, largest_allocation);
}

TiffHandle::TiffHandle(OutputFile& file, bool big) {
  const Listening listening(*this);
  tiff_ = open(file, big ? "w8" : "w", write_file, log_, UINT64_MAX);
}

void TiffHandle::close() {
  if (tiff_ == nullptr) return;
  const Listening listening(*this);
  TIFFClose(tiff_);
  tiff_ = nullptr;
}

}  // namespace zp::io
