// JPEG files: read, described and written through libjpeg-turbo.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_JPEG_H
#define ZP_IO_JPEG_H

#include <string>

#include "io/file.h"
#include "zeroplane/io.h"

namespace zp::io {

Image read_jpeg(InputFile& file, const ReadOptions& options);
FileInfo inspect_jpeg(InputFile& file, const ReadOptions& options);

/// Throws invalid_argument or unsupported before a file is made.
void require_jpeg(const std::string& path, const ConstPlaneView& image, const WriteOptions& options);
void write_jpeg(OutputFile& file, const ConstPlaneView& image, const WriteOptions& options);

}  // namespace zp::io

#endif
