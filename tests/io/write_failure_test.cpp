// A write that fails says why, leaves no part behind and no older file touched.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "io/files.h"

namespace zp::tests {
namespace {

namespace fs = std::filesystem;

// While it lives a file cannot grow beyond `bytes`: what a full disk does, without filling one.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

Image noise() {
  Image image(Format::u8, 300, 200, 3);
  auto* bytes = static_cast<std::uint8_t*>(image.data());
  std::uint32_t state = 7;
  for (std::size_t i = 0; i < image.bytes(); ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = std::uint8_t(state >> 24);
  }
  return image;
}

TEST(WriteFailure, a_full_disk_leaves_nothing_behind) {
  const TemporaryFolder folder;
  const Image image = noise();
  struct Case {
    const char* name;
    WriteOptions options;
  };
  for (const Case& c : {Case{"a.tif", {}}, Case{"a.tif", {.compression = "lzw"}},
                        Case{"a.tif", {.compression = "zstd", .tile = 64}}, Case{"a.png", {}}, Case{"a.jpg", {}}}) {
    for (const rlim_t bytes : {rlim_t(0), rlim_t(5), rlim_t(4096), rlim_t(20000)}) {
      {
        const SmallDisk disk(bytes);
        EXPECT_ERROR(ErrorKind::io, "File too large", write(folder / c.name, image, c.options));
      }
      EXPECT_EQ(folder.entries(), 0u) << c.name << " " << bytes;
    }
  }
}

TEST(WriteFailure, the_last_byte_counts) {
  const TemporaryFolder folder;
  const Image image = noise();
  for (const char* name : {"a.tif", "a.png", "a.jpg"}) {
    write(folder / name, image);
    const auto size = rlim_t(fs::file_size(folder / name));
    fs::remove(folder / name);
    {
      const SmallDisk disk(size - 1);
      EXPECT_ERROR(ErrorKind::io, name, write(folder / name, image));
    }
    EXPECT_EQ(folder.entries(), 0u) << name;
    const SmallDisk disk(size);
    EXPECT_NO_THROW(write(folder / name, image)) << name;
    fs::remove(folder / name);
  }
}

TEST(WriteFailure, an_older_file_is_untouched) {
  const TemporaryFolder folder;
  const Image image = noise();
  const Bytes old = {1, 2, 3};
  for (const char* name : {"a.tif", "a.png", "a.jpg"}) {
    save(folder / name, old);
    {
      const SmallDisk disk(4096);
      EXPECT_THROW(write(folder / name, image), Error);
    }
    EXPECT_EQ(load(folder / name), old);
    EXPECT_EQ(folder.entries(), 1u);
    write(folder / name, image);
    EXPECT_EQ(folder.entries(), 1u);
    EXPECT_EQ(read(folder / name).shape(), image.shape());
    fs::remove(folder / name);
  }
}

TEST(WriteFailure, places_that_are_no_file_are_refused_with_the_systems_reason) {
  const TemporaryFolder folder;
  const Image image = noise();
  EXPECT_ERROR(ErrorKind::io, "No such file or directory", write(folder / "missing/a.tif", image));
  fs::create_directory(folder / "folder.png");
  EXPECT_ERROR(ErrorKind::io, "folder.png': Is a directory", write(folder / "folder.png", image));
  fs::create_symlink("/dev/full", folder / "device.tif");
  EXPECT_ERROR(ErrorKind::io, "Not a regular file", write(folder / "device.tif", image));
  EXPECT_EQ(folder.entries(), 2u);
  save(folder / "file", {1});
  EXPECT_ERROR(ErrorKind::io, "Not a directory", write(folder / "file/a.tif", image));
}

TEST(WriteFailure, a_folder_without_permission_is_refused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  save(folder / "kept.tif", {1, 2});
  ::chmod((folder / "kept.tif").c_str(), 0444);
  EXPECT_ERROR(ErrorKind::io, "Permission denied", write(folder / "kept.tif", noise()));
  ::chmod(folder.path().c_str(), 0555);
  EXPECT_ERROR(ErrorKind::io, "Permission denied", write(folder / "a.tif", noise()));
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(load(folder / "kept.tif"), (Bytes{1, 2}));
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(WriteFailure, permissions_and_links_are_kept) {
  const TemporaryFolder folder;
  save(folder / "real.tif", {1});
  ::chmod((folder / "real.tif").c_str(), 0640);
  fs::create_symlink("real.tif", folder / "link.tif");
  write(folder / "link.tif", noise());
  EXPECT_TRUE(fs::is_symlink(folder / "link.tif"));
  EXPECT_EQ(read(folder / "real.tif").width(), 300);
  EXPECT_EQ(fs::status(folder / "real.tif").permissions(), fs::perms(0640));
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(WriteFailure, a_name_as_long_as_names_can_be_is_written) {
  const TemporaryFolder folder;
  const std::string path = folder / (std::string(251, 'n') + ".tif");
  write(path, noise());
  EXPECT_EQ(read(path).width(), 300);
}

TEST(WriteFailure, formats_that_a_file_type_does_not_hold_are_named) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder / name; };
  const Image f32(Format::f32, 4, 4);
  EXPECT_ERROR(ErrorKind::unsupported, "not f32; convert to", write(path("a.png"), f32));
  EXPECT_ERROR(ErrorKind::unsupported, "not f32; convert to", write(path("a.jpg"), f32));
  EXPECT_ERROR(ErrorKind::unsupported, "not u32", write(path("a.png"), Image(Format::u32, 4, 4)));
  EXPECT_ERROR(ErrorKind::unsupported, "not u16", write(path("a.jpg"), Image(Format::u16, 4, 4)));
  EXPECT_ERROR(ErrorKind::unsupported, "not 4; convert", write(path("a.jpg"), Image(Format::u8, 4, 4, 4)));
  EXPECT_ERROR(ErrorKind::unsupported, "65500 pixels", write(path("a.jpg"), Image(Format::u8, 65501, 1)));
  EXPECT_ERROR(ErrorKind::unsupported, "'.bmp'", write(path("a.bmp"), noise()));
  EXPECT_ERROR(ErrorKind::unsupported, "''", write(path("tif"), noise()));
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(WriteFailure, wrong_options_and_empty_images_are_named) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder / name; };
  const Image image = noise();
  EXPECT_ERROR(ErrorKind::invalid_argument, "'zip', allowed for TIFF are none, lzw, deflate, zstd, packbits",
               write(path("a.tif"), image, {.compression = "zip"}));
  EXPECT_ERROR(ErrorKind::invalid_argument, "quality is 0, allowed is 1 to 100",
               write(path("a.jpg"), image, {.quality = 0}));
  EXPECT_ERROR(ErrorKind::invalid_argument, "quality is 101", write(path("a.jpg"), image, {.quality = 101}));
  EXPECT_ERROR(ErrorKind::invalid_argument, "tile is 17", write(path("a.tif"), image, {.tile = 17}));
  EXPECT_ERROR(ErrorKind::invalid_argument, "tile is -16", write(path("a.tif"), image, {.tile = -16}));
  EXPECT_ERROR(ErrorKind::invalid_argument, "dots_per_inch", write(path("a.tif"), image, {.dots_per_inch = -1}));
  for (const char* name : {"a.tif", "a.png", "a.jpg"}) {
    EXPECT_ERROR(ErrorKind::invalid_argument, "empty (0x5x1)", write(path(name), Image(Format::u8, 0, 5)));
    EXPECT_ERROR(ErrorKind::invalid_argument, "null",
                 write(path(name), ConstPlaneView(nullptr, {2, 2, 1, Format::u8})));
    EXPECT_ERROR(ErrorKind::invalid_argument, "no page", write_pages(path(name), {}));
  }
  EXPECT_ERROR(ErrorKind::unsupported, "2 pages", write_pages(path("a.png"), {image.view(), image.view()}));
  EXPECT_EQ(folder.entries(), 0u);
}

}  // namespace
}  // namespace zp::tests
