// Luma and colour differences: the numbers that the YCbCr operations share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_YCBCR_H
#define ZP_OPS_COLOR_YCBCR_H

#include "core/op.h"

namespace zp {

enum class YcbcrStandard : int { bt601, bt709 };
inline constexpr std::string_view kYcbcrStandardNames[] = {"bt601", "bt709"};
enum class YcbcrRange : int { full, limited };
inline constexpr std::string_view kYcbcrRangeNames[] = {"full", "limited"};

/// Where luma and chroma lie. Integers of n bits, with b = 2^(n - 8), as ITU-R BT.709-6 and BT.2100-2: full is luma
/// 0..white, chroma 128 b and half of white to each side; limited is luma 16 b..235 b, chroma 128 b and 112 b to each
/// side. f32: full is luma 0..1, chroma 0.5 and 0.5 to each side; limited is the numbers of u8 divided by 255.
struct YcbcrScale {
  double red, blue;        ///< weights in the luma
  double black, luma;      ///< luma = black + luma * (weighted sum of RGB)
  double neutral, chroma;  ///< chroma = neutral + chroma * (B - Y) / (2 (1 - blue))
};

constexpr YcbcrScale ycbcr_scale(YcbcrStandard standard, YcbcrRange range, Format format) {
  const bool is_601 = standard == YcbcrStandard::bt601, is_full = range == YcbcrRange::full;
  const double white = white_of(format);
  const double step = format == Format::u16 ? 256.0 : format == Format::u8 ? 1.0 : 1.0 / 255.0;
  const double neutral = format == Format::f32 && is_full ? 0.5 : 128.0 * step;
  return {is_601 ? 0.299 : 0.2126,
          is_601 ? 0.114 : 0.0722,
          is_full ? 0.0 : 16.0 * step,
          is_full ? 1.0 : 219.0 * step / white,
          neutral,
          is_full ? 1.0 : 224.0 * step / white};
}

struct RgbToYcbcrBody {
  static constexpr int in_channels = 3, out_channels = 3;
  float red, green, blue, luma, black, cb, cr, neutral;
  ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
    const float r = red * p[0], g = green * p[1], b = blue * p[2];
    const float y = (r + g) + b;
    return {{y * luma + black, (p[2] - y) * cb + neutral, (p[0] - y) * cr + neutral}};
  }
};

struct YcbcrToRgbBody {
  static constexpr int in_channels = 3, out_channels = 3;
  float black, luma, neutral, red_cr, green_cb, green_cr, blue_cb;
  ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
    const float y = (p[0] - black) * luma, cb = p[1] - neutral, cr = p[2] - neutral;
    return {{y + cr * red_cr, (y - cb * green_cb) - cr * green_cr, y + cb * blue_cb}};
  }
};

inline RgbToYcbcrBody rgb_to_ycbcr_body(YcbcrStandard standard, YcbcrRange range, Format format) {
  const YcbcrScale s = ycbcr_scale(standard, range, format);
  return {.red = float(s.red),
          .green = float(1.0 - s.red - s.blue),
          .blue = float(s.blue),
          .luma = float(s.luma),
          .black = float(s.black),
          .cb = float(s.chroma * 0.5 / (1.0 - s.blue)),
          .cr = float(s.chroma * 0.5 / (1.0 - s.red)),
          .neutral = float(s.neutral)};
}

inline YcbcrToRgbBody ycbcr_to_rgb_body(YcbcrStandard standard, YcbcrRange range, Format format) {
  const YcbcrScale s = ycbcr_scale(standard, range, format);
  const double red = 2.0 * (1.0 - s.red) / s.chroma, blue = 2.0 * (1.0 - s.blue) / s.chroma;
  const double green_weight = 1.0 - s.red - s.blue;
  return {.black = float(s.black),
          .luma = float(1.0 / s.luma),
          .neutral = float(s.neutral),
          .red_cr = float(red),
          .green_cb = float(s.blue * blue / green_weight),
          .green_cr = float(s.red * red / green_weight),
          .blue_cb = float(blue)};
}

}  // namespace zp

#endif
