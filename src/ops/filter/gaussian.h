// Gaussian smoothing.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_GAUSSIAN_H
#define ZP_OPS_FILTER_GAUSSIAN_H

#include "core/gaussian_weights.h"
#include "core/op.h"
#include "core/separable.h"

namespace zp {

/// Correlation with a sampled Gaussian, along x into f32 and then along y. Weights are computed in double, normalised
/// to sum 1 and rounded to f32 once; sums run in f32 from the lowest index up; integers are rounded at the end only.
/// Sigma is in pixels, and 0 leaves its axis as it is. NaN reaches every pixel that weighs it with other than 0.
struct Gaussian {
  using Shape = Composite;
  static constexpr Info info{.name = "gaussian",
                             .family = "filter",
                             .summary = "Gaussian smoothing",
                             .opencv =
                                 "GaussianBlur within 1 for u8 (it uses fixed point); its ksize for sigma 0 differs: "
                                 "radius is 4 sigma here, about 3 sigma there for u8",
                             .scikit_image = "same weights as filters.gaussian with truncate 4, in f32",
                             .npp = "differs: fixed sizes 3x3 to 15x15 with fixed weights"};
  static constexpr int kMaxRadius = 1024;
  float sigma = 1;
  float sigma_y = kAutomatic;
  int radius = -1;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("sigma", &Gaussian::sigma, "standard deviation", {.low = 0, .high = 256, .unit = "pixels"}),
      parameter("sigma_y", &Gaussian::sigma_y, "standard deviation along y",
                {.low = 0, .high = 256, .unit = "pixels", .automatic = "sigma"}),
      parameter("radius", &Gaussian::radius, "half width of the window",
                {.low = -1, .high = kMaxRadius, .unit = "pixels", .automatic = "-1: round(4 sigma), for each axis"}),
      parameter("border", &Gaussian::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &Gaussian::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{""},
                                   {"sigma=2.5,border=replicate"},
                                   {"sigma=3,sigma_y=0.7,border=wrap", kAnyFormat, 3},
                                   {"sigma=1.5,radius=2,border=constant,value=0.5"}};

  int halo(const PlaneShape&) const {
    const float vertical = is_automatic(sigma_y) ? sigma : sigma_y;
    return radius < 0 ? gaussian_radius(vertical) : radius;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const double vertical = is_automatic(sigma_y) ? sigma : sigma_y;
    const std::vector<float> along_x = gaussian_weights(sigma, radius < 0 ? gaussian_radius(sigma) : radius);
    const std::vector<float> along_y = gaussian_weights(vertical, radius < 0 ? gaussian_radius(vertical) : radius);
    convolve_axes(exec, operands.input<In>(), operands.output<Out>(), along_x, along_y, border, value);
  }
};

}  // namespace zp

#endif
ZP_OP(Gaussian)
