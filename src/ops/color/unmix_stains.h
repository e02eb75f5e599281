// Amounts of brightfield stains from the optical density of a colour image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_UNMIX_STAINS_H
#define ZP_OPS_COLOR_UNMIX_STAINS_H

#include <array>
#include <charconv>
#include <cmath>

#include "core/math.h"
#include "core/op.h"
#include "ops/color/channel_curve.h"
#include "ops/color/lab.h"

namespace zp {

namespace detail_unmix_stains {

struct OpticalDensity {
  ZP_HD float operator()(float v) const {
    constexpr float kLogOf10 = 2.30258509f;
    return -(math::log(v < 1e-6f ? 1e-6f : v) / kLogOf10);
  }
};

struct Amounts {
  ColorRows unmix;
  ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& density) const {
    Pixel<float, 3> q = unmix(density);
    for (int k = 0; k < 3; ++k) q[k] = q[k] < 0.0f ? 0.0f : q[k];
    return q;
  }
};

}  // namespace detail_unmix_stains

/// Colour deconvolution (Ruifrok and Johnston, Analytical and Quantitative Cytology and Histology 23, 2001). Light that
/// passes amounts c of three stains has the optical density c0 s0 + c1 s1 + c2 s2 in red, green and blue, where s is a
/// stain's density for one unit; the operation solves for c, in f32, channel k = stain k.
///
/// Optical density is -log10(max(v / white, 1e-6)): black counts as 6, white as 0; f32 above 1 is negative. Amounts
/// below 0 become 0; NaN makes all three NaN. A fourth channel becomes v / white. The stains, as rows of red, green,
/// blue:
///
///   he      haematoxylin 0.65 0.70 0.29, eosin 0.07 0.99 0.11, and the rest
///   hdab    haematoxylin 0.65 0.70 0.29, DAB 0.27 0.57 0.78, and the rest
///   9 numbers, row by row, as they are: not scaled to length 1. A last row of zeros is the rest. With all three stains
///           of that paper: 0.65/0.7/0.29/0.07/0.99/0.11/0.27/0.57/0.78
///
/// The rest is what neither of two stains explains: the amount along the unit vector at right angles to both (their
/// cross product). Stains that are not independent are an error. Background that is not white is divided away first
/// (`flat_field`, `white_balance`).
struct UnmixStains {
  using Shape = Composite;
  static constexpr Info info{
      .name = "unmix_stains",
      .family = "color",
      .summary = "amounts of brightfield stains",
      .channels = kColorChannels,
      .output = Output::f32,
      .scikit_image =
          "as separate_stains(image, inverse of the rows) * 6: its logarithm has the base 1e-6; the nine numbers "
          "above: as rgb2hed * 6"};
  std::string matrix = "he";
  static constexpr std::tuple parameters{
      parameter("matrix", &UnmixStains::matrix, "stains: he, hdab, or nine numbers, a row for each stain")};
  static constexpr Case cases[] = {
      {""}, {"matrix=hdab", kAnyFormat, 4}, {"matrix=0.65/0.7/0.29/0.07/0.99/0.11/0.27/0.57/0.78"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    unmixing();
    PlaneShape out = in[0];
    out.format = Format::f32;
    return out;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace detail_unmix_stains;
    curved_pixels(exec, OpticalDensity{}, Amounts{unmixing()}, operands.output<Out>(), operands.input<In>());
  }

 private:
  using Row = std::array<double, 3>;
  static Row cross(const Row& a, const Row& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static double dot(const Row& a, const Row& b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }
  static double length(const Row& a) { return std::sqrt(dot(a, a)); }

  std::array<Row, 3> stains() const {
    if (matrix == "he") return {{{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}, {0, 0, 0}}};
    if (matrix == "hdab") return {{{0.65, 0.70, 0.29}, {0.27, 0.57, 0.78}, {0, 0, 0}}};
    std::array<Row, 3> rows{};
    const char* p = matrix.data();
    const char* const end = p + matrix.size();
    for (std::size_t k = 0; k < 9; ++k) {
      const auto [stop, error] = std::from_chars(p, end, rows[k / 3][k % 3]);
      const bool at_end = stop == end;
      if (error != std::errc() || !std::isfinite(rows[k / 3][k % 3]) || at_end != (k == 8) || (!at_end && *stop != '/'))
        refuse(info.name, "matrix = " + matrix + ", allowed he, hdab, or nine numbers separated by /");
      p = stop + 1;
    }
    return rows;
  }

  /// The inverse of the stains as columns: rows of b x c / det, c x a / det, a x b / det.
  ColorRows unmixing() const {
    std::array<Row, 3> s = stains();
    if (s[2] == Row{0, 0, 0}) {
      s[2] = cross(s[0], s[1]);
      const double scale = length(s[2]);
      for (double& v : s[2]) v /= scale > 0 ? scale : 1.0;
    }
    const Row rows[3] = {cross(s[1], s[2]), cross(s[2], s[0]), cross(s[0], s[1])};
    const double determinant = dot(s[0], rows[0]);
    // The volume of the stains as unit vectors.
    if (!(std::abs(determinant) > 1e-4 * length(s[0]) * length(s[1]) * length(s[2])))
      refuse(info.name, "matrix = " + matrix + ": the stains are not independent");
    ColorRows inverse{};
    for (int k = 0; k < 9; ++k) inverse.m[k] = static_cast<float>(rows[k / 3][std::size_t(k % 3)] / determinant);
    return inverse;
  }
};

}  // namespace zp

#endif
ZP_OP(UnmixStains)
