// Damaged files: each ends in an Error or an image, prints nothing, and a file cut at any byte is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "io/files.h"

namespace zp::tests {
namespace {

namespace fs = std::filesystem;

// What a reader may do: an Error with the file's name in it, or an image.
void try_everything(const std::string& path) {
  SCOPED_TRACE(path);
  const auto attempt = [&](auto&& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  };
  attempt([&] { inspect(path); });
  attempt([&] { read(path); });
  attempt([&] { read_all(path); });
}

TEST(Damaged, every_corrupt_sample_is_survived_in_silence) {
  const fs::path folder = sample_folder() / "corrupt";
  if (sample_folder().empty() || !fs::is_directory(folder)) GTEST_SKIP() << "the samples are not here";
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    try_everything(entry.path().string());
    ++files;
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_GE(files, 17);
}

TEST(Damaged, corrupt_samples_are_refused_one_by_one) {
  const fs::path folder = sample_folder() / "corrupt";
  if (sample_folder().empty() || !fs::is_directory(folder)) GTEST_SKIP() << "the samples are not here";
  for (const char* name :
       {"afl_div0_000005.tif", "afl_loop_000028.tif", "afl_oom_000000.tif", "bad_strip_offset.tif", "badcrc.png",
        "bomb-65500x65500.jpg", "crash-0c7e0e8e11ce787078f00b5b0ca409a167f070e0.tif",
        "crash-0e16d3bfb83be87356d026d66919deaefca44dac.tif", "crash-2020-10-test.tif",
        "crash-63b1dffefc8c075ddc606c0a2f5fdc15ece78863.tif", "empty_1x0.tiff", "libtiff_segfault.tif",
        "multipage_multiple_frame_loop.tiff", "multipage_single_frame_loop.tiff",
        "oom-225817ca0f8c663be7ab4b9e717b02c661e66834.tif", "tiff_overflow_rows_per_strip.tif"}) {
    EXPECT_THROW(read_all((folder / name).string()), Error) << name;
  }
  // Its stream goes on after the last pixel; tifffile and Pillow deliver the same 49x5x4 samples.
  EXPECT_EQ(sum_of(read((folder / "lzw-buffer-overflow.tif").string())), 15420);
}

TEST(Damaged, a_jpeg_bomb_names_the_option_that_stops_it) {
  ZP_SAMPLE(path, "corrupt/bomb-65500x65500.jpg");
  EXPECT_ERROR(ErrorKind::io, "ReadOptions::expansion_limit", read(path));
  EXPECT_ERROR(ErrorKind::invalid_argument, "ReadOptions::byte_limit",
               read(path, {.byte_limit = 1 << 30, .expansion_limit = 0}));
}

// An image that no codec can shorten to nothing.
Image noise(Format format, int channels) {
  Image image(format, 23, 19, channels);
  auto* bytes = static_cast<std::uint8_t*>(image.data());
  std::uint32_t state = 7;
  for (std::size_t i = 0; i < image.bytes(); ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = std::uint8_t(state >> 24);
  }
  return image;
}

TEST(Damaged, a_file_cut_at_any_byte_is_refused) {
  const TemporaryFolder folder;
  struct Case {
    std::string name;
    WriteOptions options;
  };
  for (const Case& c : {Case{"a.tif", {}}, Case{"a.tif", {.compression = "lzw"}},
                        Case{"a.tif", {.compression = "deflate", .tile = 16}}, Case{"a.tif", {.compression = "zstd"}},
                        Case{"a.tif", {.compression = "packbits"}}, Case{"a.png", {}}, Case{"a.jpg", {}}}) {
    write(folder / c.name, noise(Format::u8, 3), c.options);
    const Bytes whole = load(folder / c.name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      save(folder / c.name, Bytes(whole.begin(), whole.begin() + std::ptrdiff_t(size)));
      ASSERT_THROW(read(folder / c.name), Error)
          << c.name << " " << c.options.compression << " " << size << " of " << whole.size();
    }
  }
}

TEST(Damaged, a_file_with_any_byte_changed_is_survived_in_silence) {
  const TemporaryFolder folder;
  testing::internal::CaptureStderr();
  for (const std::string name : {"a.tif", "b.tif", "a.png", "a.jpg"}) {
    Image image(Format::u8, 9, 7, 3);
    std::memset(image.data(), 3, image.bytes());
    write(folder / name, image, {.compression = name == "b.tif" ? "lzw" : ""});
    const Bytes whole = load(folder / name);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int flip : {0xff, 0x01, 0x80}) {
        Bytes changed = whole;
        changed[at] = std::uint8_t(changed[at] ^ flip);
        save(folder / name, changed);
        try_everything(folder / name);
      }
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Damaged, what_is_no_image_says_so) {
  const TemporaryFolder folder;
  EXPECT_ERROR(ErrorKind::io, "No such file or directory", read(folder / "absent.tif"));
  EXPECT_ERROR(ErrorKind::io, "Is a directory", read(folder.path().string()));
  EXPECT_ERROR(ErrorKind::io, "Not a regular file", read("/dev/null"));
  save(folder / "empty.tif", {});
  EXPECT_ERROR(ErrorKind::io, "only 0 bytes", read(folder / "empty.tif"));
  save(folder / "text.tif", Bytes(100, 'x'));
  EXPECT_ERROR(ErrorKind::unsupported, "text.tif': its first bytes", read(folder / "text.tif"));
}

}  // namespace
}  // namespace zp::tests
