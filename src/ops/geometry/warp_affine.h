// Rotation, scale, shear and shift by a 2x3 matrix.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_WARP_AFFINE_H
#define ZP_OPS_GEOMETRY_WARP_AFFINE_H

#include <cmath>

#include "core/op.h"
#include "ops/geometry/sample.h"

namespace zp {

/// The matrix m0 m1 m2 / m3 m4 m5 takes source pixel (x, y) to (m0 x + m1 y + m2, m3 x + m4 y + m5) of the result,
/// integers being pixel centres; with `inverse` it takes the result's pixels to the source's. Borders, methods and
/// values as in Remap.
///
/// The matrix is inverted in double. Coordinates are 64-bit fixed point with up to 40 fraction bits, so that they are
/// exact sums on every machine and a matrix of small integers and halves moves pixels without any rounding; over 65536
/// pixels the error stays under 2^-23 pixel.
struct WarpAffine {
  using Shape = Gather;
  static constexpr Info info{.name = "warp_affine",
                             .family = "geometry",
                             .summary = "move pixels by a 2x3 matrix",
                             .opencv = "as warpAffine, which rounds fractions to 1/32; inverse is WARP_INVERSE_MAP",
                             .scikit_image = "as warp with AffineTransform (inverse=true takes the same matrix)",
                             .npp = "as WarpAffine; it leaves pixels outside unwritten"};
  std::vector<float> matrix = {1, 0, 0, 0, 1, 0};
  int width = 0, height = 0;
  bool inverse = false;
  Interpolation method = Interpolation::linear;
  Border border = Border::constant;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("matrix", &WarpAffine::matrix, "m0/m1/m2/m3/m4/m5, row by row",
                {.low = -1e9, .high = 1e9, .min_count = 6, .max_count = 6}),
      parameter("width", &WarpAffine::width, "of the result",
                {.low = 0, .high = kLargestSide, .unit = "pixels", .automatic = "0: the image's"}),
      parameter("height", &WarpAffine::height, "of the result",
                {.low = 0, .high = kLargestSide, .unit = "pixels", .automatic = "0: the image's"}),
      parameter("inverse", &WarpAffine::inverse, "the matrix takes the result's pixels to the source's"),
      parameter("method", &WarpAffine::method, "how pixels are read between centres", {.choices = kInterpolationNames}),
      parameter("border", &WarpAffine::border, "what lies outside the image", {.choices = kBorderNames}),
      parameter("value", &WarpAffine::value, "outside value of the constant border", {.unit = "pixel value"})};
  static constexpr Case cases[] = {
      {"matrix=0.9/0.2/3/-0.1/1.1/2"},
      {"matrix=1/0/0.5/0/1/0.25,method=cubic,border=reflect101,inverse=true", kAnyFormat, 3},
      {"matrix=0/-1/40/1/0/0,method=nearest,width=41,height=30,value=7"},
      {"matrix=0.3/0/0/0/0.3/0,border=wrap"}};

  /// From the result's pixels to the source's, in units of 2^-bits pixels.
  struct Coordinates {
    /// Upper half first: a shift of about 127 pixels as one word would look like a device address to the checks of the
    /// simulated device.
    struct Fixed {
      std::int32_t high;
      std::uint32_t low;
      explicit Fixed(std::int64_t v) : high(static_cast<std::int32_t>(v >> 32)), low(static_cast<std::uint32_t>(v)) {}
      ZP_HD std::int64_t value() const { return std::int64_t(high) * 4294967296 + low; }
    };
    Fixed a, b, c, d, e, f;
    int bits;
    ZP_HD Position x(int u, int v) const { return position(a.value() * u + b.value() * v + c.value()); }
    ZP_HD Position y(int u, int v) const { return position(d.value() * u + e.value() * v + f.value()); }

   private:
    ZP_HD Position position(std::int64_t sum) const {
      const std::int64_t whole = sum >> bits;
      const bool known = whole > -kFarthest && whole < kFarthest;
      const std::uint32_t fraction = static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum) << (64 - bits) >> 40);
      return {static_cast<int>(known ? whole : 0), static_cast<float>(fraction) * 0x1p-24f, known};
    }
  };

  PlaneShape output(std::span<const PlaneShape> in) const {
    const PlaneShape out{width ? width : in[0].width, height ? height : in[0].height, in[0].channels, in[0].format};
    if (matrix.size() == 6) (void)coordinates(out.width, out.height);
    return out;
  }

  /// Throws if the matrix has no inverse that fixed point can hold.
  Coordinates coordinates(int out_width, int out_height) const {
    double m[6];
    for (std::size_t k = 0; k < 6; ++k) m[k] = double(matrix[k]);
    if (!inverse) {
      const double determinant = m[0] * m[4] - m[1] * m[3];
      const double a = m[4] / determinant, b = -m[1] / determinant, d = -m[3] / determinant, e = m[0] / determinant;
      const double c = -(a * m[2] + b * m[5]), f = -(d * m[2] + e * m[5]);
      m[0] = a, m[1] = b, m[2] = c, m[3] = d, m[4] = e, m[5] = f;
    }
    const auto reach = [&](const double* row) {
      return std::abs(row[0]) * out_width + std::abs(row[1]) * out_height + std::abs(row[2]) + 1.0;
    };
    const double farthest = larger(reach(m), reach(m + 3));
    if (!(reach(m) < 0x1p37 && reach(m + 3) < 0x1p37))
      refuse(info.name, "matrix = " + matrix_text() + " has no usable inverse; the result would lie 2^37 pixels apart");
    int bits = 40;
    while (std::ldexp(farthest, bits) >= 0x1p61) --bits;
    const auto fixed = [&](double v) { return Coordinates::Fixed(std::llrint(std::ldexp(v, bits))); };
    return {fixed(m[0]), fixed(m[1]), fixed(m[2]), fixed(m[3]), fixed(m[4]), fixed(m[5]), bits};
  }

  template <Interpolation M>
  struct Body {
    Sampler<M> sampler;
    Coordinates at;
    template <class Source>
    ZP_HD auto operator()(const Source& in, int x, int y) const {
      return sampler(in, at.x(x, y), at.y(x, y));
    }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const Coordinates at = coordinates(operands.out.shape.width, operands.out.shape.height);
    with_interpolation(method, [&](auto m) {
      constexpr Interpolation M = decltype(m)::value;
      exec.gather(Body<M>{{border, float(to_sample<In>(value))}, at}, operands.output<Out>(), operands.input<In>());
    });
  }

 private:
  std::string matrix_text() const {
    std::string text;
    for (const float v : matrix) {
      char buffer[32];
      std::snprintf(buffer, sizeof(buffer), "%s%g", text.empty() ? "" : "/", double(v));
      text += buffer;
    }
    return text;
  }
};

}  // namespace zp

#endif
ZP_OP(WarpAffine)
