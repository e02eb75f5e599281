// PNG files: read, described and written through libpng.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_PNG_H
#define ZP_IO_PNG_H

#include <string>

#include "io/file.h"
#include "zeroplane/io.h"

namespace zp::io {

Image read_png(InputFile& file, const ReadOptions& options);
FileInfo inspect_png(InputFile& file, const ReadOptions& options);

/// Throws invalid_argument or unsupported before a file is made.
void require_png(const std::string& path, const ConstPlaneView& image);
void write_png(OutputFile& file, const ConstPlaneView& image, const WriteOptions& options);

}  // namespace zp::io

#endif
