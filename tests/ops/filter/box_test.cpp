// Mean over a rectangle.
// SPDX-License-Identifier: Apache-2.0
#include "ops/filter/box.h"

#include "ops/filter/pictures.h"

namespace zp {
namespace {

using test::everywhere;

TEST(Box, IsOpencvsBlur) {
  // cv2.blur, ksize (3, 3) and (4, 2); no sum of the latter ends on a tie that half up would round otherwise.
  const std::vector<std::uint8_t> three{91,  106, 152, 141, 130, 118, 134, 124, 113, 134, 127, 149,
                                        142, 159, 139, 131, 166, 143, 150, 127, 148, 153, 121, 141,
                                        131, 150, 141, 138, 101, 99,  151, 146, 141, 136, 134};
  const std::vector<std::uint8_t> even{89,  89,  111, 122, 134, 145, 135, 89,  89,  111, 122, 134,
                                       145, 135, 161, 161, 157, 150, 142, 135, 131, 137, 137, 140,
                                       145, 151, 156, 159, 113, 113, 122, 141, 127, 146, 123};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Box{}, test::pattern_image())), three);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(Box{.size = {4, 2}}, test::pattern_image())), even);
}

TEST(Box, TiesGoToEven) {
  // Windows of two: (1 + 2) / 2 = 1.5 -> 2, (2 + 3) / 2 = 2.5 -> 2, (3 + 4) / 2 -> 4; the first sees itself twice.
  const Box op{.size = {2, 1}, .border = Border::replicate};
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(op, test::row_of<std::uint8_t>({1, 2, 3, 4}))),
            (std::vector<std::uint8_t>{1, 2, 2, 4}));
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(op, test::row_of<std::uint16_t>({65534, 65535, 3, 4}))),
            (std::vector<std::uint16_t>{65534, 65534, 32769, 4}));
}

/// Integers: the exact quotient from 64-bit integers.
template <class T>
void expect_exact(const Box& op, int width, int height, int channels, std::initializer_list<Extent> images) {
  for (const Extent e : images) {
    const Image image = test::noise({e.width, e.height, channels, format_of<T>}, 11);
    const Image out = everywhere(op, image);
    const test::Reader<T> in(image, op.border, T(op.value));
    for (int y = 0; y < e.height; ++y)
      for (int x = 0; x < e.width; ++x)
        for (int c = 0; c < channels; ++c) {
          if constexpr (std::is_same_v<T, float>) {
            double sum = 0;
            for (int dy = -(height / 2); dy < height - height / 2; ++dy)
              for (int dx = -(width / 2); dx < width - width / 2; ++dx) sum += double(in.at(x + dx, y + dy, c));
            ASSERT_NEAR(out.as<T>().at(x, y, c), sum / (width * height), 2e-6) << x << ' ' << y;
          } else {
            std::uint64_t sum = 0;
            const std::uint64_t count = std::uint64_t(width) * std::uint64_t(height);
            for (int dy = -(height / 2); dy < height - height / 2; ++dy)
              for (int dx = -(width / 2); dx < width - width / 2; ++dx) sum += in.at(x + dx, y + dy, c);
            const std::uint64_t whole = sum / count, rest = 2 * (sum % count);
            const std::uint64_t expected = whole + (rest > count || (rest == count && whole % 2 == 1) ? 1 : 0);
            ASSERT_EQ(out.as<T>().at(x, y, c), expected) << x << ' ' << y << ' ' << c;
          }
        }
  }
}

TEST(Box, IsTheExactQuotient) {
  for (const Border border : test::kBorders) {
    const Box op{.size = {5, 8}, .border = border, .value = 200};
    expect_exact<std::uint8_t>(op, 5, 8, 3, {{17, 11}, {1, 9}, {2, 1}, {1, 1}});
    expect_exact<std::uint16_t>(op, 5, 8, 1, {{17, 11}, {1, 9}, {2, 1}, {1, 1}});
  }
  expect_exact<float>(Box{.radius = 2}, 5, 5, 4, {{17, 11}, {1, 9}});
  expect_exact<std::uint16_t>(Box{.size = {16, 16}}, 16, 16, 1, {{23, 9}});  // the quotient in double
  expect_exact<std::uint16_t>(Box{.size = {15, 17}}, 15, 17, 2, {{23, 9}});  // the last in f32
}

TEST(Box, TheLargestSumsFit) {
  const Box op{.radius = 127, .border = Border::replicate};
  std::vector<std::uint16_t> white(300, 65535);
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(op, test::image_of<std::uint16_t>(20, 15, 1, white))), white);
  std::vector<std::uint8_t> bytes(300, 255);
  EXPECT_EQ(test::samples_of<std::uint8_t>(everywhere(op, test::image_of<std::uint8_t>(20, 15, 1, bytes))), bytes);
  const Box constant{.radius = 127, .border = Border::constant, .value = 65535};
  EXPECT_EQ(test::samples_of<std::uint16_t>(everywhere(constant, test::image_of<std::uint16_t>(20, 15, 1, white))),
            white);
}

TEST(Box, NanReachesItsWindowOnly) {
  std::vector<float> row(8, 1.0f);
  row[4] = std::nanf("");
  const auto found = test::samples_of<float>(everywhere(Box{.size = {4, 1}}, test::row_of(row)));
  for (int i = 0; i < 8; ++i) {
    // The window of i is i - 2 .. i + 1, and beyond the right end lies the mirror of what is before it.
    EXPECT_EQ(std::isnan(found[std::size_t(i)]), i >= 3 && i <= 6) << i;
  }
}

TEST(Box, RefusesWhatItCannotDo) {
  try {
    apply(Box{.radius = 128}, test::pattern_image());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "box: radius = 128, allowed 0 to 127 pixels");
  }
  EXPECT_THROW(apply(Box{.size = {256, 3}}, test::pattern_image()), Error);
  EXPECT_THROW(apply(Box{.size = {3, -1}}, test::pattern_image()), Error);
}

}  // namespace
}  // namespace zp
