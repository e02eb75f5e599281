// TIFF files: read, described and written through libtiff.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_IO_TIFF_H
#define ZP_IO_TIFF_H

#include <functional>
#include <string>
#include <vector>

#include "io/file.h"
#include "zeroplane/io.h"

namespace zp::io {

Image read_tiff(InputFile& file, const ReadOptions& options);
int read_tiff_pages(InputFile& file, const std::function<void(int, Image)>& page, const ReadOptions& options);
FileInfo inspect_tiff(InputFile& file, const ReadOptions& options);

/// Throws invalid_argument or unsupported before a file is made.
void require_tiff(const std::string& path, const std::vector<ConstPlaneView>& pages, const WriteOptions& options);
void write_tiff(OutputFile& file, const std::vector<ConstPlaneView>& pages, const WriteOptions& options);

}  // namespace zp::io

#endif
