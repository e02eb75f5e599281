// crop: rectangles, edges, planes of more than 2^31 bytes.
// SPDX-License-Identifier: Apache-2.0
#include "ops/layout/crop.h"

#include <sys/mman.h>

#include "support/everywhere.h"

namespace zp {
namespace {

using test::everywhere, test::image_of, test::refusal, test::samples_of;

TEST(Crop, takes_the_rectangle) {
  const Image in = image_of<std::uint8_t>(4, 3, 1, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Crop{1, 1, 2, 2}, in)), (std::vector<std::uint8_t>{11, 12, 21, 22}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Crop{3, 2, 1, 1}, in)), (std::vector<std::uint8_t>{23}));
  EXPECT_EQ(samples_of<std::uint8_t>(everywhere(Crop{.x = 2, .y = 1}, in)),
            (std::vector<std::uint8_t>{12, 13, 22, 23}));
  EXPECT_EQ(hash(everywhere(Crop{}, in).view()), hash(in.view()));
}

TEST(Crop, keeps_every_format_and_channel) {
  for (const Format format : {Format::u8, Format::u16, Format::f32, Format::u32})
    for (int channels = 1; channels <= 4; ++channels) {
      const Image in = test::noise({21, 15, channels, format});
      const Image out = everywhere(Crop{3, 2, 11, 9}, in);
      const std::size_t row = 11 * std::size_t(channels) * bytes_of(format);
      for (int y = 0; y < 9; ++y) {
        const auto* want =
            static_cast<const char*>(in.data()) + in.pitch() * (y + 2) + 3 * channels * int(bytes_of(format));
        EXPECT_EQ(std::memcmp(static_cast<const char*>(out.data()) + out.pitch() * y, want, row), 0) << y;
      }
    }
}

TEST(Crop, into_its_own_image_reads_nothing_that_was_written) {
  Image image = test::noise({20, 10, 1, Format::u16});
  const Image before = image.clone();
  const View<std::uint16_t> view = image.as<std::uint16_t>();
  apply(Crop{2, 1, 15, 8}, View<const std::uint16_t>(view), view.sub(3, 2, 15, 8));
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 15; ++x) EXPECT_EQ(view.at(x + 3, y + 2), before.as<std::uint16_t>().at(x + 2, y + 1));
}

TEST(Crop, functor_and_rows_agree) {
  const Image in = test::noise({9, 7, 3, Format::u8});
  const Crop op{2, 3, 5, 4};
  const Image out = apply(op, in);
  const Source<std::uint8_t, 3> source{in.as<std::uint8_t>()};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x)
      for (int c = 0; c < 3; ++c) EXPECT_EQ(op(source, x, y)[c], out.as<std::uint8_t>().at(x, y, c));
}

TEST(Crop, outside_is_refused_with_the_numbers) {
  const Image in(Format::u8, 4, 3);
  EXPECT_EQ(refusal(Crop{3, 0, 2, 1}, in), "crop: x = 3, width = 2: reaches 5, allowed 0 to 4 in u8 4x3");
  EXPECT_EQ(refusal(Crop{0, 2, 1, 2}, in), "crop: y = 2, height = 2: reaches 4, allowed 0 to 3 in u8 4x3");
  EXPECT_EQ(refusal(Crop{.x = 5}, in), "crop: x = 5: reaches 5, allowed 0 to 4 in u8 4x3");
  EXPECT_EQ(refusal(Crop{2147483647, 0, 2147483647, 1}, in),
            "crop: x = 2147483647, width = 2147483647: reaches 4294967294, allowed 0 to 4 in u8 4x3");
  EXPECT_EQ(refusal(Crop{-1, 0, 2, 1}, in), "crop: x = -1, allowed 0 to 2.14748e+09 pixels");
}

TEST(Crop, of_an_empty_image_is_empty) {
  EXPECT_EQ(everywhere(Crop{}, Image(Format::u8, 0, 3)).shape(), (PlaneShape{0, 3, 1, Format::u8}));
  EXPECT_EQ(everywhere(Crop{.x = 4}, Image(Format::u8, 4, 3)).shape(), (PlaneShape{0, 3, 1, Format::u8}));
}

/// Virtual memory of which only what is touched exists.
class Reserved {
 public:
  explicit Reserved(std::size_t bytes)
      : bytes_(bytes),
        p_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Reserved() {
    if (p_ != MAP_FAILED) munmap(p_, bytes_);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  std::uint8_t* bytes() const { return p_ == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(p_); }

 private:
  std::size_t bytes_;
  void* p_;
};

// CASES A11.
TEST(Crop, reaches_beyond_2_to_the_31_bytes) {
  {
    constexpr std::ptrdiff_t kPitch = 4194304;
    const Reserved memory(std::size_t(kPitch) * 600);
    if (!memory.bytes()) GTEST_SKIP() << "no 2.5 GB of address space";
    memory.bytes()[std::ptrdiff_t(599) * kPitch] = 9;
    std::uint8_t out = 0;
    apply(Crop{0, 599, 1, 1}, View<const std::uint8_t>(memory.bytes(), 1, 600, 1, kPitch),
          View<std::uint8_t>(&out, 1, 1));
    EXPECT_EQ(out, 9);
  }
  {
    constexpr int kSide = 46341;
    const Reserved memory(std::size_t(kSide) * kSide);
    if (!memory.bytes()) GTEST_SKIP() << "no 2.2 GB of address space";
    memory.bytes()[std::ptrdiff_t(kSide) * kSide - 1] = 200;
    std::uint8_t out = 0;
    apply(Crop{kSide - 1, kSide - 1, 1, 1}, View<const std::uint8_t>(memory.bytes(), kSide, kSide),
          View<std::uint8_t>(&out, 1, 1));
    EXPECT_EQ(out, 200);
  }
}

}  // namespace
}  // namespace zp
