// Sharpening by what smoothing takes away.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_UNSHARP_MASK_H
#define ZP_OPS_FILTER_UNSHARP_MASK_H

#include "core/gaussian_weights.h"
#include "core/separable.h"

namespace zp {

/// v + amount * (v - g), where g is what gaussian with this sigma gives, unrounded in f32; where |v - g| is at most the
/// threshold, v stays as it is. Each operation is rounded to f32; integers round half to even and saturate at the end.
/// Every channel alike. A constant image stays as it is (f32: within the rounding of the weights' sum). NaN reaches
/// every pixel whose window holds it.
struct UnsharpMask {
  using Shape = Composite;
  static constexpr Info info{.name = "unsharp_mask",
                             .family = "filter",
                             .summary = "sharpening by what a Gaussian takes away",
                             .opencv = "same as GaussianBlur in f32 and addWeighted",
                             .scikit_image =
                                 "same as filters.unsharp_mask with border=reflect, which clips to 0..1 "
                                 "and has no threshold",
                             .npp = "differs: FilterUnsharpBorder takes a threshold and its own radius"};
  float sigma = 1, amount = 1, threshold = 0;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("sigma", &UnsharpMask::sigma, "standard deviation of the Gaussian",
                {.low = 0, .high = 256, .unit = "pixels"}),
      parameter("amount", &UnsharpMask::amount, "factor of the difference"),
      parameter("threshold", &UnsharpMask::threshold, "largest difference that is left alone",
                {.low = 0, .unit = "pixel value"}),
      parameter("border", &UnsharpMask::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &UnsharpMask::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{""},
                                   {"sigma=2.5,amount=0.6,border=replicate", kAnyFormat, 3},
                                   {"sigma=1.2,amount=3,threshold=0.1"},
                                   {"sigma=0.8,amount=-1,border=constant,value=1"}};

  struct Sharpen {
    float amount, threshold;
    ZP_HD float operator()(float v, float smooth) const {
      const float difference = v - smooth, size = difference < 0.0f ? -difference : difference;
      const float sharp = v + amount * difference;
      return size <= threshold ? v : sharp;
    }
  };

  int halo(const PlaneShape&) const { return gaussian_radius(sigma); }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    const std::vector<float> weights = gaussian_weights(sigma, gaussian_radius(sigma));
    const View<float> smooth = exec.template plane<float>(in.width, in.height, in.channels);
    convolve_axes(exec, in, smooth, weights, weights, border, value);
    exec.point(Sharpen{amount, threshold}, operands.output<Out>(), in, View<const float>(smooth));
  }
};

}  // namespace zp

#endif
ZP_OP(UnsharpMask)
