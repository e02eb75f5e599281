// Correlation with a row, then with a column.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_CONVOLVE_SEPARABLE_H
#define ZP_OPS_FILTER_CONVOLVE_SEPARABLE_H

#include "core/separable.h"
#include "ops/filter/kernel.h"

namespace zp {

/// The sum of kernel_x(i) * pixel(x + i - anchor x, y) in f32, then of these the sum of kernel_y(j) * (x, y + j -
/// anchor y), plus the offset: correlations, the kernels are not mirrored. Each sum runs from +0 and from the lowest
/// index up, each operation rounded; integers round half to even and saturate at the end only, or `format=f32` keeps
/// the sum. Weights of 0 are left out, so that NaN and infinity reach the pixels that weigh them with other than 0.
struct ConvolveSeparable {
  using Shape = Composite;
  static constexpr Info info{.name = "convolve_separable",
                             .family = "filter",
                             .summary = "correlation with a row, then with a column",
                             .output = Output::same_or_f32,
                             .opencv = "same as sepFilter2D up to the rounding of sums",
                             .scikit_image = "same as two calls of scipy.ndimage.correlate1d, in f32",
                             .npp = "as FilterRowBorder and FilterColumnBorder with mirrored kernels"};
  static constexpr int kMaxSize = 255;
  std::vector<float> kernel_x = {0, 1, 0};
  std::vector<float> kernel_y = {};
  Extent anchor{-1, -1};
  float offset = 0;
  Depth format = Depth::same;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("kernel_x", &ConvolveSeparable::kernel_x, "the weights along x",
                {.min_count = 1, .max_count = kMaxSize}),
      parameter("kernel_y", &ConvolveSeparable::kernel_y, "the weights along y",
                {.automatic = "kernel_x", .min_count = 1, .max_count = kMaxSize}),
      parameter("anchor", &ConvolveSeparable::anchor, "indices in kernel_x and kernel_y that stand on the pixel itself",
                {.low = -1, .high = kMaxSize - 1, .automatic = "-1: count / 2"}),
      parameter("offset", &ConvolveSeparable::offset, "added to the sum", {.unit = "pixel value"}),
      parameter("format", &ConvolveSeparable::format, "of the result: f32, or the input's, saturated",
                {.choices = kDepths}),
      parameter("border", &ConvolveSeparable::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &ConvolveSeparable::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{"kernel_x=0.25/0.5/0.25"},
                                   {"kernel_x=-1/0/1,kernel_y=1/2/1,format=f32", kAnyFormat, 3},
                                   {"kernel_x=0.1/0.2/0.3/0.4,kernel_y=0.5/0.25,anchor=0x1,offset=2,border=wrap"},
                                   {"kernel_x=1,kernel_y=-0.5/0.25/2/0.25/-0.5,border=constant,value=1"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    require_inside(anchor.width, kernel_x.size(), "x");
    require_inside(anchor.height, along_y().size(), "y");
    return with_depth(in[0], format);
  }

  int halo(const PlaneShape&) const { return int(along_y().size()); }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    convolve_axes(exec, operands.input<In>(), operands.output<Out>(), along(kernel_x, anchor.width),
                  along(along_y(), anchor.height), border, value, offset);
  }

 private:
  const std::vector<float>& along_y() const { return kernel_y.empty() ? kernel_x : kernel_y; }

  static void require_inside(int anchor, std::size_t count, const std::string& axis) {
    if (anchor >= int(count))
      refuse(info.name, "anchor along " + axis + " = " + std::to_string(anchor) + ", allowed 0 to " +
                            std::to_string(count - 1) + " for " + std::to_string(count) + " numbers in kernel_" + axis);
  }
  static std::vector<float> along(const std::vector<float>& kernel, int anchor) {
    Extent reach;
    const auto count = int(kernel.size());
    return centred(kernel, {count, 1}, {anchor_in(anchor, count), 0}, reach);
  }
};

}  // namespace zp

#endif
ZP_OP(ConvolveSeparable)
