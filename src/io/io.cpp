// The public face of the files: picks the format by first bytes when reading and by extension when writing.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/io.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/failure.h"
#include "io/file.h"
#include "io/jpeg.h"
#include "io/png.h"
#include "io/tiff.h"
#include "memory/residents.h"
#include "zeroplane/error.h"

namespace zp {
namespace {

enum class FileType { tiff, png, jpeg };

FileType type_by_content(io::InputFile& file) {
  std::array<char, 8> head{};
  const std::size_t count = file.read(head.data(), head.size());
  if (file.error_number() != 0) io::fail_read(ErrorKind::io, file.path(), io::system_reason(file.error_number()));
  file.seek(0);
  const std::string_view start(head.data(), count);
  const auto begins = [&](std::string_view magic) { return start.substr(0, magic.size()) == magic; };
  using namespace std::string_view_literals;
  if (begins("II*\0"sv) || begins("MM\0*"sv) || begins("II+\0"sv) || begins("MM\0+"sv)) return FileType::tiff;
  if (begins("\x89PNG\r\n\x1a\n"sv)) return FileType::png;
  if (begins("\xff\xd8\xff"sv)) return FileType::jpeg;
  if (count < head.size()) {
    io::fail_read(ErrorKind::io, file.path(), "the file has only " + std::to_string(file.bytes()) + " bytes");
  }
  io::fail_read(ErrorKind::unsupported, file.path(), "its first bytes are not those of a TIFF, PNG or JPEG file");
}

FileType type_by_name(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  if (extension == ".tif" || extension == ".tiff") return FileType::tiff;
  if (extension == ".png") return FileType::png;
  if (extension == ".jpg" || extension == ".jpeg") return FileType::jpeg;
  io::fail_write(ErrorKind::unsupported, path,
                 "the extension '" + extension + "' is not one of .tif, .tiff, .png, .jpg, .jpeg");
}

void require_writable(const std::string& path, const ConstPlaneView& image) {
  const PlaneShape& shape = image.shape;
  const std::string size =
      std::to_string(shape.width) + "x" + std::to_string(shape.height) + "x" + std::to_string(shape.channels);
  if (shape.width <= 0 || shape.height <= 0) {
    io::fail_write(ErrorKind::invalid_argument, path, "the image is empty (" + size + ")");
  }
  if (shape.channels < 1 || shape.channels > 4) {
    io::fail_write(ErrorKind::invalid_argument, path, "the image is " + size + ", allowed are 1 to 4 channels");
  }
  if (image.data == nullptr)
    io::fail_write(ErrorKind::invalid_argument, path, "the image has no pixels (null pointer)");
}

}  // namespace

Image read(const std::string& path, const ReadOptions& options) {
  io::InputFile file(path);
  switch (type_by_content(file)) {
    case FileType::tiff:
      return io::read_tiff(file, options);
    case FileType::png:
      return io::read_png(file, options);
    default:
      return io::read_jpeg(file, options);
  }
}

int read_pages(const std::string& path, const std::function<void(int, Image)>& page, const ReadOptions& options) {
  io::InputFile file(path);
  switch (type_by_content(file)) {
    case FileType::tiff:
      return io::read_tiff_pages(file, page, options);
    case FileType::png:
      page(0, io::read_png(file, options));
      return 1;
    default:
      page(0, io::read_jpeg(file, options));
      return 1;
  }
}

std::vector<Image> read_all(const std::string& path, const ReadOptions& options) {
  std::vector<Image> pages;
  std::uint64_t bytes = 0;
  std::error_code unknown;
  const std::uintmax_t file_bytes = std::filesystem::file_size(path, unknown);
  const auto keep = [&](int, Image image) {
    bytes += image.bytes();
    // A page that is small enough may come often enough, its strips shared by every directory.
    if (!unknown && bytes > io::justified_bytes(file_bytes, options)) {
      io::fail_read(ErrorKind::io, path,
                    "the first " + std::to_string(pages.size() + 1) + " pages claim " + std::to_string(bytes) +
                        " bytes, but the file has only " + std::to_string(file_bytes) +
                        " (see ReadOptions::expansion_limit)");
    }
    pages.push_back(std::move(image));
  };
  read_pages(path, keep, options);
  return pages;
}

FileInfo inspect(const std::string& path, const ReadOptions& options) {
  io::InputFile file(path);
  switch (type_by_content(file)) {
    case FileType::tiff:
      return io::inspect_tiff(file, options);
    case FileType::png:
      return io::inspect_png(file, options);
    default:
      return io::inspect_jpeg(file, options);
  }
}

void write(const std::string& path, const ConstPlaneView& image, const WriteOptions& options) {
  write_pages(path, {image}, options);
}

void write_pages(const std::string& path, const std::vector<ConstPlaneView>& pages, const WriteOptions& options) {
  if (pages.empty()) io::fail_write(ErrorKind::invalid_argument, path, "there is no page");
  const FileType type = type_by_name(path);
  if (type != FileType::tiff && pages.size() > 1) {
    io::fail_write(ErrorKind::unsupported, path,
                   std::to_string(pages.size()) + " pages fit into a TIFF only; write one file per page, or .tif");
  }
  for (const ConstPlaneView& page : pages) require_writable(path, page);
  constexpr double kMostDots = 1e6;
  if (!(options.dots_per_inch >= 0 && options.dots_per_inch <= kMostDots)) {
    io::fail_write(
        ErrorKind::invalid_argument, path,
        "WriteOptions::dots_per_inch is " + std::to_string(options.dots_per_inch) + ", allowed is 0 to 1000000");
  }
  switch (type) {
    case FileType::tiff:
      io::require_tiff(path, pages, options);
      break;
    case FileType::png:
      io::require_png(path, pages.front());
      break;
    case FileType::jpeg:
      io::require_jpeg(path, pages.front(), options);
      break;
  }
  for (const ConstPlaneView& page : pages) memory::host_reads(page);
  io::OutputFile file(path);
  switch (type) {
    case FileType::tiff:
      io::write_tiff(file, pages, options);
      break;
    case FileType::png:
      io::write_png(file, pages.front(), options);
      break;
    case FileType::jpeg:
      io::write_jpeg(file, pages.front(), options);
      break;
  }
  file.commit();
}

}  // namespace zp
