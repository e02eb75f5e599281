// Luma of an RGB image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_RGB_TO_GREY_H
#define ZP_OPS_COLOR_RGB_TO_GREY_H

#include "core/op.h"

namespace zp {

/// Weighted sum of red, green and blue: 0.299, 0.587, 0.114 (ITU-R BT.601-7) or 0.2126, 0.7152, 0.0722 (BT.709-6), in
/// f32, summed from red to blue. A fourth channel is kept as the second of the result.
struct RgbToGrey {
  using Shape = Point;
  static constexpr Info info{.name = "rgb_to_grey",
                             .family = "color",
                             .summary = "luma of RGB",
                             .channels = kColorChannels,
                             .opencv = "cvtColor RGB2GRAY within 1 (u8) and 2 (u16): its weights have 15 bits",
                             .scikit_image = "rgb2gray uses BT.709 weights rounded to 4 digits and returns 0..1",
                             .npp = "RGBToGray within 1 (it truncates)"};
  enum class Standard : int { bt601, bt709 };
  static constexpr std::string_view kStandards[] = {"bt601", "bt709"};
  Standard standard = Standard::bt601;
  static constexpr std::tuple parameters{
      parameter("standard", &RgbToGrey::standard, "luma weights", {.choices = kStandards})};
  static constexpr Case cases[] = {{""}, {"standard=bt709"}, {"", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    out.channels = in[0].channels - 2;
    return out;
  }
  struct Body {
    static constexpr int in_channels = 3, out_channels = 1;
    float red, green, blue;
    ZP_HD Pixel<float, 1> operator()(const Pixel<float, 3>& p) const {
      const float r = red * p[0], g = green * p[1], b = blue * p[2];
      return {{(r + g) + b}};
    }
  };
  Body bind(const PlaneShape&) const {
    return standard == Standard::bt601 ? Body{0.299f, 0.587f, 0.114f} : Body{0.2126f, 0.7152f, 0.0722f};
  }
};

}  // namespace zp

#endif
ZP_OP(RgbToGrey)
