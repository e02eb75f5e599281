// A band of sizes: one Gaussian minus a wider one.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_DIFFERENCE_OF_GAUSSIANS_H
#define ZP_OPS_FILTER_DIFFERENCE_OF_GAUSSIANS_H

#include <cstdio>

#include "core/gaussian_weights.h"
#include "core/separable.h"

namespace zp {

/// What gaussian with sigma = low gives minus what it gives with sigma = high, both unrounded in f32, in the image's
/// own units. Sigma 0 is the image itself. NaN reaches every pixel whose wider window holds it.
struct DifferenceOfGaussians {
  using Shape = Composite;
  static constexpr Info info{.name = "difference_of_gaussians",
                             .family = "filter",
                             .summary = "one Gaussian minus a wider one",
                             .output = Output::f32,
                             .opencv = "same as the difference of two GaussianBlur in f32",
                             .scikit_image =
                                 "same as filters.difference_of_gaussians with truncate 4 of an f32 image "
                                 "and border=replicate"};
  float low = 1;
  float high = kAutomatic;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("low", &DifferenceOfGaussians::low, "standard deviation of the first",
                {.low = 0, .high = 256, .unit = "pixels"}),
      parameter("high", &DifferenceOfGaussians::high, "standard deviation of the second, at least low",
                {.low = 0, .high = 512, .unit = "pixels", .automatic = "1.6 low"}),
      parameter("border", &DifferenceOfGaussians::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &DifferenceOfGaussians::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{""},
                                   {"low=0.5,high=4,border=replicate", kAnyFormat, 3},
                                   {"low=0,high=2,border=wrap"},
                                   {"low=2,border=constant,value=1"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (high < low) {
      char text[64];
      std::snprintf(text, sizeof(text), "high = %g, allowed %g (low) to 512 pixels", double(high), double(low));
      refuse(info.name, text);
    }
    PlaneShape out = in[0];
    out.format = Format::f32;
    return out;
  }

  struct Difference {
    ZP_HD float operator()(float a, float b) const { return a - b; }
  };

  int halo(const PlaneShape&) const { return gaussian_radius(is_automatic(high) ? 1.6 * double(low) : double(high)); }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const double wide = is_automatic(high) ? 1.6 * double(low) : double(high);
    const std::vector<float> first = gaussian_weights(low, gaussian_radius(low)),
                             second = gaussian_weights(wide, gaussian_radius(wide));
    const View<float> a = exec.template plane<float>(in.width, in.height, in.channels),
                      b = exec.template plane<float>(in.width, in.height, in.channels);
    convolve_axes(exec, in, a, first, first, border, value);
    convolve_axes(exec, in, b, second, second, border, value);
    exec.point(Difference{}, operands.output<Out>(), View<const float>(a), View<const float>(b));
  }
};

}  // namespace zp

#endif
ZP_OP(DifferenceOfGaussians)
