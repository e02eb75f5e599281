// Correlation with a kernel of any size: what sobel, scharr, laplacian and convolve share.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_KERNEL_H
#define ZP_OPS_FILTER_KERNEL_H

#include "core/op.h"

namespace zp {

/// Format of a derivative: f32, or the input's, rounded and saturated.
enum class Depth : int { f32, same };
inline constexpr std::string_view kDepths[] = {"f32", "same"};

inline PlaneShape with_depth(PlaneShape shape, Depth depth) {
  if (depth == Depth::f32) shape.format = Format::f32;
  return shape;
}

/// The last parameters of a derivative; each has the five members under these names.
template <class Op>
constexpr auto derivative_parameters(float Op::*scale, float Op::*offset, Depth Op::*format, Border Op::*border,
                                     float Op::*value) {
  return std::tuple{parameter("scale", scale, "factor of the result"),
                    parameter("offset", offset, "added to the result", {.unit = "pixel value"}),
                    parameter("format", format, "f32, or the input's format, saturated", {.choices = kDepths}),
                    parameter("border", border, "what lies outside", {.choices = kBorderNames}),
                    parameter("value", value, "outside of the border constant", {.unit = "pixel value"})};
}

/// A 3x3 kernel, row by row. Summed in f32 in raster order, then * scale, then + offset; samples of weight 0 are not
/// read, so that NaN and infinity reach the others only.
struct SmallKernel {
  float weights[9];
  float scale, offset;

  ZP_HD Extent radius() const { return {1, 1}; }
  template <class T>
  ZP_HD float begin(T) const {
    return 0.0f;
  }
  template <class T>
  ZP_HD float step(float acc, int dx, int dy, T v) const {
    const float w = weights[(dy + 1) * 3 + dx + 1];
    return w == 0.0f ? acc : acc + w * static_cast<float>(v);
  }
  float weight(int dx, int dy) const { return weights[(dy + 1) * 3 + dx + 1]; }
  ZP_HD float end(float acc) const { return acc * scale + offset; }
};

/// A column times a row.
inline SmallKernel small_kernel(const int (&column)[3], const int (&row)[3], float scale, float offset) {
  SmallKernel kernel{{}, scale, offset};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) kernel.weights[j * 3 + i] = float(column[j] * row[i]);
  return kernel;
}

/// The same for kernels of any size around a centre.
struct WideKernel {
  const float* weights;  ///< (2 * reach.width + 1) x (2 * reach.height + 1), at the executor's address
  Extent reach;
  float offset;
  static constexpr std::tuple pointers{&WideKernel::weights};

  ZP_HD Extent radius() const { return reach; }
  template <class T>
  ZP_HD float begin(T) const {
    return 0.0f;
  }
  template <class T>
  ZP_HD float step(float acc, int dx, int dy, T v) const {
    const float w = weights[(dy + reach.height) * (2 * reach.width + 1) + dx + reach.width];
    return w == 0.0f ? acc : acc + w * static_cast<float>(v);
  }
  float weight(int dx, int dy) const { return weights[(dy + reach.height) * (2 * reach.width + 1) + dx + reach.width]; }
  ZP_HD float end(float acc) const { return acc + offset; }
};

/// The position of a kernel's own pixel in it; a negative one is the middle, right and below of it for even sizes.
inline int anchor_in(int anchor, int size) { return anchor < 0 ? size / 2 : anchor; }

/// The kernel in the middle of zeros, so that its anchor is the centre.
inline std::vector<float> centred(const std::vector<float>& kernel, Extent size, Extent anchor, Extent& reach) {
  reach = {anchor.width > size.width - 1 - anchor.width ? anchor.width : size.width - 1 - anchor.width,
           anchor.height > size.height - 1 - anchor.height ? anchor.height : size.height - 1 - anchor.height};
  const int pitch = 2 * reach.width + 1;
  std::vector<float> all(std::size_t(pitch) * std::size_t(2 * reach.height + 1), 0.0f);
  for (int j = 0; j < size.height; ++j)
    for (int i = 0; i < size.width; ++i)
      all[std::size_t((j - anchor.height + reach.height) * pitch + i - anchor.width + reach.width)] =
          kernel[std::size_t(j * size.width + i)];
  return all;
}

}  // namespace zp

#endif
