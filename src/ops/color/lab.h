// CIE L*a*b* of linear light, and the curve of sRGB: what the Lab operations share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_LAB_H
#define ZP_OPS_COLOR_LAB_H

#include "core/math.h"
#include "core/op.h"

namespace zp {

/// The curve of IEC 61966-2-1, display value to linear light; below 0 its straight part goes on.
struct SrgbToLinear {
  ZP_HD float operator()(float v) const {
    const float curved = math::pow((v + 0.055f) / 1.055f, 2.4f);
    return v <= 0.04045f ? v / 12.92f : curved;
  }
};

struct LinearToSrgb {
  ZP_HD float operator()(float v) const {
    const float curved = 1.055f * math::pow(v, 1.0f / 2.4f) - 0.055f;
    return v <= 0.0031308f ? v * 12.92f : curved;
  }
};

/// Linear light to X / Xn, Y / Yn, Z / Zn of the white D65, from the chromaticities of BT.709: red (0.64, 0.33), green
/// (0.30, 0.60), blue (0.15, 0.06), white (0.3127, 0.3290). Every row adds up to 1, so greys have a = b = 0.
inline constexpr double kXyzOfRgb[9] = {0.43388734556603986, 0.3762240091374987,  0.1898886452964614,
                                        0.21263900587151036, 0.7151686787677559,  0.07219231536073371,
                                        0.01775004007097326, 0.10944762085523849, 0.8728023390737882};
inline constexpr double kRgbOfXyz[9] = {3.0803990906794647,   -1.5373831775700935,  -0.543015913109371,
                                        -0.921223358860277,   1.8759675015077206,   0.0452558573525563,
                                        0.052873938970364444, -0.20397695888897657, 1.151103019918612};

/// Row by row from the left, in f32.
struct ColorRows {
  float m[9];
  ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
    Pixel<float, 3> q;
    for (int k = 0; k < 3; ++k) q[k] = (m[3 * k] * p[0] + m[3 * k + 1] * p[1]) + m[3 * k + 2] * p[2];
    return q;
  }
};
inline ColorRows rounded_rows(const double (&m)[9]) {
  ColorRows rounded{};
  for (int k = 0; k < 9; ++k) rounded.m[k] = static_cast<float>(m[k]);
  return rounded;
}

/// CIE 15: the cube root above (6/29)^3, a straight line below.
struct LabOfLinear {
  ColorRows xyz_of_rgb;
  ZP_HD static float root(float t) {
    const float curved = math::cbrt(t), straight = t * (841.0f / 108.0f) + 4.0f / 29.0f;
    return t > 216.0f / 24389.0f ? curved : straight;
  }
  ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
    const Pixel<float, 3> q = xyz_of_rgb(p);
    const float x = root(q[0]), y = root(q[1]), z = root(q[2]);
    return {{116.0f * y - 16.0f, 500.0f * (x - y), 200.0f * (y - z)}};
  }
};

struct LinearOfLab {
  ColorRows rgb_of_xyz;
  ZP_HD static float cube(float t) {
    const float curved = (t * t) * t, straight = (t - 4.0f / 29.0f) * (108.0f / 841.0f);
    return t > 6.0f / 29.0f ? curved : straight;
  }
  ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
    const float y = (p[0] + 16.0f) / 116.0f, x = y + p[1] / 500.0f, z = y - p[2] / 200.0f;
    return rgb_of_xyz(Pixel<float, 3>{{cube(x), cube(y), cube(z)}});
  }
};

}  // namespace zp

#endif
