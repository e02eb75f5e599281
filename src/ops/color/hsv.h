// Hue, saturation and value of one pixel in f32: what the HSV operations share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_HSV_H
#define ZP_OPS_COLOR_HSV_H

#include <cmath>

#include "core/op.h"

namespace zp {

enum class HueScale : int { half, full };
inline constexpr std::string_view kHueScaleNames[] = {"half", "full"};

/// What 360 degrees are: u8 180 (half) or 256 (full), u16 65536, f32 360.
constexpr float hue_circle(Format format, HueScale scale) {
  return format == Format::u8 ? (scale == HueScale::half ? 180.0f : 256.0f) : format == Format::u16 ? 65536.0f : 360.0f;
}

/// Hue in sixths of the circle, [0, 6]; saturation 0 to 1; value as the channels.
struct Hsv {
  float hue, saturation, value;
};

/// The hexcone of Smith, SIGGRAPH 1978. Grey has hue and saturation 0, and so has what is not above 0.
ZP_HD Hsv hsv_of(float r, float g, float b) {
  const float high = larger(r, larger(g, b)), low = smaller(r, smaller(g, b)), range = high - low;
  const float slope = high == r ? g - b : high == g ? b - r : r - g;
  const float corner = high == r ? 0.0f : high == g ? 2.0f : 4.0f;
  const float turned = corner + slope / (range > 0.0f ? range : 1.0f);
  const float hue = turned < 0.0f ? turned + 6.0f : turned;
  const float saturation = range / (high > 0.0f ? high : 1.0f);
  return {range > 0.0f ? hue : 0.0f, high > 0.0f ? saturation : 0.0f, high};
}

/// Hue in [0, 6).
ZP_HD Pixel<float, 3> rgb_of(const Hsv& p) {
  const float chroma = p.value * p.saturation;
  Pixel<float, 3> rgb;
  for (int c = 0; c < 3; ++c) {
    // How far this channel is below the value: 0 on its own third of the circle, 1 on the opposite one.
    const float k = p.hue + (c == 0 ? 5.0f : c == 1 ? 3.0f : 1.0f);
    const float turn = k >= 6.0f ? k - 6.0f : k;
    const float drop = smaller(turn, 4.0f - turn);
    rgb[c] = p.value - chroma * clamped(drop, 0.0f, 1.0f);
  }
  return rgb;
}

/// v modulo 6, in [0, 6). NaN stays.
ZP_HD float wrapped_sixths(float v) {
  const float turned = v - 6.0f * std::floor(v / 6.0f);
  const float up = turned < 0.0f ? turned + 6.0f : turned;
  return up >= 6.0f ? 0.0f : up;
}

ZP_HD bool any_nan(const Pixel<float, 3>& p) { return p[0] != p[0] || p[1] != p[1] || p[2] != p[2]; }

ZP_HD Pixel<float, 3> three(float v) { return {{v, v, v}}; }

}  // namespace zp

#endif
