// Correlation with a kernel that the caller gives.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_CONVOLVE_H
#define ZP_OPS_FILTER_CONVOLVE_H

#include <algorithm>

#include "ops/filter/kernel.h"

namespace zp {

/// Each pixel is the sum of kernel(i, j) * pixel(x + i - anchor x, y + j - anchor y), plus the offset: a correlation,
/// the kernel is not mirrored. Summed in f32 from +0 in raster order of the kernel, each operation rounded, the offset
/// last; integers round half to even and saturate, or `format=f32` keeps the sum. Weights of 0 are left out, so that
/// NaN and infinity reach the pixels that weigh them with other than 0.
struct Convolve {
  using Shape = Composite;
  static constexpr Info info{.name = "convolve",
                             .family = "filter",
                             .summary = "correlation with a kernel",
                             .output = Output::same_or_f32,
                             .opencv = "same as filter2D up to the rounding of sums (it takes FFTs from 11x11 up)",
                             .scikit_image = "same as scipy.ndimage.correlate, in f32",
                             .npp = "as FilterBorder with a mirrored kernel"};
  static constexpr int kMaxSize = 31;
  std::vector<float> kernel = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  Extent size{0, 0};
  Extent anchor{-1, -1};
  float offset = 0;
  Depth format = Depth::same;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("kernel", &Convolve::kernel, "the weights, row by row",
                {.min_count = 1, .max_count = kMaxSize * kMaxSize}),
      parameter("size", &Convolve::size, "width and height of the kernel",
                {.low = 0, .high = kMaxSize, .unit = "pixels", .automatic = "0x0: square"}),
      parameter("anchor", &Convolve::anchor, "column and row of the kernel that stand on the pixel itself",
                {.low = -1, .high = kMaxSize - 1, .automatic = "-1: size / 2"}),
      parameter("offset", &Convolve::offset, "added to the sum", {.unit = "pixel value"}),
      parameter("format", &Convolve::format, "of the result: f32, or the input's, saturated", {.choices = kDepths}),
      parameter("border", &Convolve::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &Convolve::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {
      {""},
      {"kernel=0/-1/0/-1/5/-1/0/-1/0", kAnyFormat, 3},
      {"kernel=0.1/0.2/0.3/0.4/-0.5/0.25/0.125/0.0625,size=4x2,anchor=0x1,offset=2,border=replicate"},
      {"kernel=1/1/1/1/1/1/1/1/1/1/1/1/-12/1/1/1/1/1/1/1/1/1/1/1/-12,format=f32,border=constant,value=1"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    const Extent e = extent();
    if (std::size_t(e.width) * std::size_t(e.height) != kernel.size())
      refuse(info.name, "kernel has " + std::to_string(kernel.size()) + " numbers, allowed " +
                            std::to_string(e.width * e.height) + " for size = " + text_of(e));
    if (anchor.width >= e.width || anchor.height >= e.height)
      refuse(info.name, "anchor = " + text_of(anchor) + ", allowed 0x0 to " + text_of({e.width - 1, e.height - 1}) +
                            " for size = " + text_of(e));
    return with_depth(in[0], format);
  }

  int halo(const PlaneShape&) const { return extent().height; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const Extent e = extent();
    WideKernel wide{nullptr, {}, offset};
    const std::vector<float> weights =
        centred(kernel, e, {anchor_in(anchor.width, e.width), anchor_in(anchor.height, e.height)}, wide.reach);
    if (wide.reach.width == 1 && wide.reach.height == 1) {
      SmallKernel small{{}, 1, offset};
      std::copy(weights.begin(), weights.end(), small.weights);
      exec.stencil(small, operands.output<Out>(), operands.input<In>(), border, value);
    } else {
      wide.weights = exec.upload(weights);
      exec.stencil(wide, operands.output<Out>(), operands.input<In>(), border, value);
    }
  }

 private:
  static std::string text_of(Extent e) { return std::to_string(e.width) + "x" + std::to_string(e.height); }

  Extent extent() const {
    if (size.width > 0 && size.height > 0) return size;
    if (size.width > 0 || size.height > 0) refuse(info.name, "size = " + text_of(size) + ", allowed 1x1 to 31x31");
    for (int n = 1; n <= kMaxSize; ++n)
      if (std::size_t(n * n) == kernel.size()) return {n, n};
    refuse(info.name, "kernel has " + std::to_string(kernel.size()) + " numbers, no square: size is needed");
  }
};

}  // namespace zp

#endif
ZP_OP(Convolve)
