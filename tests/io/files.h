// Files for the io tests: a folder that goes away, the samples, and TIFF bytes put together without libtiff.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_IO_FILES_H
#define ZP_TESTS_IO_FILES_H

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "zeroplane/error.h"
#include "zeroplane/io.h"

namespace zp::tests {

using Bytes = std::vector<std::uint8_t>;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "zeroplane-io-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  std::size_t entries() const {
    return std::size_t(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline void save(const std::string& path, const Bytes& bytes) {
  // Some file systems flush to the disk when an existing file is cut to nothing and written again.
  std::filesystem::remove(path);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  ASSERT_TRUE(file.good());
}

inline Bytes load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

/// The folder of sample files: ZEROPLANE_SAMPLES, or shared/samples beside the sources or beside a parent of the
/// current folder; empty where there is none.
inline std::filesystem::path sample_folder() {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("ZEROPLANE_SAMPLES")) return given;
  std::vector<fs::path> roots;
  if (const char* source = std::getenv("ZEROPLANE_SOURCE")) roots.push_back(source);
  for (fs::path p = fs::current_path();; p = p.parent_path()) {
    roots.push_back(p);
    if (p == p.parent_path()) break;
  }
  for (const fs::path& root : roots) {
    for (const char* relative : {"shared/samples", "../shared/samples"}) {
      if (fs::is_directory(root / relative)) return root / relative;
    }
  }
  return {};
}

#define ZP_SAMPLE(variable, name)                                                  \
  const std::string variable = (zp::tests::sample_folder() / (name)).string();     \
  if (zp::tests::sample_folder().empty() || !std::filesystem::exists(variable)) {  \
    GTEST_SKIP() << "sample " << (name) << " is not here (set ZEROPLANE_SAMPLES)"; \
  }

/// The error that `call` throws; fails the test where it throws none.
inline Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(ErrorKind::device, "");
}

#define EXPECT_ERROR(kind_, words, ...)                                                    \
  do {                                                                                     \
    const zp::Error error_ = zp::tests::error_of([&] { __VA_ARGS__; });                    \
    EXPECT_EQ(name_of(error_.kind()), name_of(kind_)) << error_.what();                    \
    EXPECT_NE(std::string(error_.what()).find(words), std::string::npos) << error_.what(); \
  } while (false)

/// All samples of an image as doubles, row by row.
inline std::vector<double> samples_of(const ConstPlaneView& image) {
  std::vector<double> all;
  const auto collect = [&](auto view) {
    for (int y = 0; y < view.height; ++y) {
      for (int i = 0; i < view.width * view.channels; ++i) all.push_back(double(view.row(y)[i]));
    }
  };
  switch (image.shape.format) {
    case Format::u8:
      collect(image.as<const std::uint8_t>());
      break;
    case Format::u16:
      collect(image.as<const std::uint16_t>());
      break;
    case Format::f32:
      collect(image.as<const float>());
      break;
    case Format::u32:
      collect(image.as<const std::uint32_t>());
      break;
  }
  return all;
}

inline double sum_of(const ConstPlaneView& image) {
  double sum = 0;
  for (const double v : samples_of(image)) sum += v;
  return sum;
}

inline bool same_bytes(const ConstPlaneView& a, const ConstPlaneView& b) {
  if (!(a.shape == b.shape)) return false;
  for (int y = 0; y < a.shape.height; ++y) {
    const auto* left = static_cast<const char*>(a.data) + y * a.pitch;
    const auto* right = static_cast<const char*>(b.data) + y * b.pitch;
    if (std::memcmp(left, right, a.shape.row_bytes()) != 0) return false;
  }
  return true;
}

/// One directory after another, each with its chunks of pixels, in either byte order, classic or BigTIFF. Everything of
/// a page except its tags is left to the caller.
class TiffBytes {
 public:
  explicit TiffBytes(bool big_endian = false, bool big_tiff = false) : big_endian_(big_endian), big_tiff_(big_tiff) {
    put(big_endian ? 0x4d4d : 0x4949, 2);
    put(big_tiff ? 43 : 42, 2);
    if (big_tiff) {
      put(8, 2);
      put(0, 2);
    }
    next_ = bytes_.size();
    put(0, offset_size());
  }

  using Tags = std::map<int, std::vector<std::uint32_t>>;

  /// Tags are written as SHORT where they fit; StripOffsets and StripByteCounts (or TileOffsets, ...) are added.
  TiffBytes& page(Tags tags, const std::vector<Bytes>& chunks) {
    const bool tiled = tags.count(322) != 0;
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> counts;
    for (const Bytes& chunk : chunks) {
      offsets.push_back(std::uint32_t(bytes_.size()));
      counts.push_back(std::uint32_t(chunk.size()));
      bytes_.insert(bytes_.end(), chunk.begin(), chunk.end());
    }
    tags.emplace(tiled ? 324 : 273, offsets);
    tags.emplace(tiled ? 325 : 279, counts);
    if (bytes_.size() % 2 != 0) bytes_.push_back(0);

    const std::size_t directory = bytes_.size();
    poke(next_, directory, offset_size());
    const std::size_t entry = big_tiff_ ? 20 : 12;
    put(tags.size(), big_tiff_ ? 8 : 2);
    const std::size_t first = bytes_.size();
    bytes_.resize(first + tags.size() * entry + offset_size());
    next_ = first + tags.size() * entry;
    std::size_t at = first;
    for (const auto& [tag, values] : tags) {
      bool is_long = false;
      for (const std::uint32_t v : values) is_long = is_long || v > 0xffff;
      const std::size_t size = is_long ? 4 : 2;
      poke(at, std::uint64_t(tag), 2);
      poke(at + 2, is_long ? 4 : 3, 2);
      poke(at + 4, values.size(), big_tiff_ ? 8 : 4);
      std::size_t place = at + (big_tiff_ ? 12 : 8);
      if (values.size() * size > offset_size()) {
        poke(place, bytes_.size(), offset_size());
        place = bytes_.size();
        bytes_.resize(place + values.size() * size);
      }
      for (std::size_t i = 0; i < values.size(); ++i) poke(place + i * size, values[i], size);
      at += entry;
    }
    return *this;
  }

  /// The last directory points at `offset` next.
  TiffBytes& link_to(std::uint64_t offset) {
    poke(next_, offset, offset_size());
    return *this;
  }

  const Bytes& bytes() const { return bytes_; }

  /// Samples of `size` bytes in this file's byte order.
  template <class T>
  Bytes samples(const std::vector<T>& values) const {
    Bytes all;
    for (const T value : values) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof value);
      append(all, bits, sizeof value);
    }
    return all;
  }

 private:
  std::size_t offset_size() const { return big_tiff_ ? 8 : 4; }
  void append(Bytes& to, std::uint64_t value, std::size_t size) const {
    for (std::size_t i = 0; i < size; ++i) to.push_back(std::uint8_t(value >> 8 * (big_endian_ ? size - 1 - i : i)));
  }
  void put(std::uint64_t value, std::size_t size) { append(bytes_, value, size); }
  void poke(std::size_t at, std::uint64_t value, std::size_t size) {
    Bytes piece;
    append(piece, value, size);
    std::copy(piece.begin(), piece.end(), bytes_.begin() + std::ptrdiff_t(at));
  }

  bool big_endian_;
  bool big_tiff_;
  Bytes bytes_;
  std::size_t next_ = 0;
};

// Tags by number, as the specification lists them.
constexpr int kWidth = 256, kLength = 257, kBits = 258, kCompression = 259, kPhotometric = 262, kOrientation = 274,
              kSamples = 277, kRowsPerStrip = 278, kPlanar = 284, kColorMap = 320, kTileWidth = 322, kTileLength = 323,
              kExtraSamples = 338, kSampleFormat = 339;

/// Tags of a plain grey page.
inline TiffBytes::Tags grey_tags(std::uint32_t width, std::uint32_t height, std::uint32_t bits,
                                 std::uint32_t photometric = 1, std::uint32_t sample_format = 1) {
  return {{kWidth, {width}},
          {kLength, {height}},
          {kBits, {bits}},
          {kCompression, {1}},
          {kPhotometric, {photometric}},
          {kSamples, {1}},
          {kRowsPerStrip, {height}},
          {kSampleFormat, {sample_format}}};
}

}  // namespace zp::tests

#endif
