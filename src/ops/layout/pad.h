// Pixels added around an image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_PAD_H
#define ZP_OPS_LAYOUT_PAD_H

#include "core/op.h"

namespace zp {

/// `left`, `top`, `right` and `bottom` pixels added; the image itself is unchanged. All borders, any reach. `value`
/// fills every channel of a constant border; integers round half to even and saturate.
struct Pad {
  using Shape = Gather;
  static constexpr Info info{.name = "pad",
                             .family = "layout",
                             .summary = "pixels added around the image",
                             .formats = kAnyFormat,
                             .opencv = "same as copyMakeBorder",
                             .scikit_image = "same as numpy.pad: edge, symmetric, reflect, wrap, constant",
                             .npp = "same as CopyConstBorder, CopyReplicateBorder, CopyWrapBorder"};
  int left = 0, top = 0, right = 0, bottom = 0;
  Border border = Border::constant;
  float value = 0;
  static constexpr double kLargest = std::numeric_limits<int>::max();
  static constexpr std::tuple parameters{
      parameter("left", &Pad::left, "added at the left", {.low = 0, .high = kLargest, .unit = "pixels"}),
      parameter("top", &Pad::top, "added at the top", {.low = 0, .high = kLargest, .unit = "pixels"}),
      parameter("right", &Pad::right, "added at the right", {.low = 0, .high = kLargest, .unit = "pixels"}),
      parameter("bottom", &Pad::bottom, "added at the bottom", {.low = 0, .high = kLargest, .unit = "pixels"}),
      parameter("border", &Pad::border, "what the added pixels are", {.choices = kBorderNames}),
      parameter("value", &Pad::value, "of a constant border", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{"left=1,top=2,right=3,bottom=4"},
                                   {"left=5,right=9,border=replicate", kAnyFormat, 3},
                                   {"top=40,bottom=1,border=reflect"},
                                   {"left=300,top=3,border=reflect101"},
                                   {"left=7,top=7,right=7,bottom=7,border=wrap"},
                                   {"left=2,top=2,value=200"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    out.width = extent("left", "right", left, right, in[0].width);
    out.height = extent("top", "bottom", top, bottom, in[0].height);
    return out;
  }

  template <class Source>
  ZP_HD auto operator()(const Source& in, int x, int y) const {
    using T = typename Source::Sample;
    const int i = border_index(x - left, in.width(), border), j = border_index(y - top, in.height(), border);
    const bool outside = i < 0 || j < 0;
    auto p = in.at(outside ? 0 : i, outside ? 0 : j);
    const T fill = to_sample<T>(value);
    for (int c = 0; c < Source::channels; ++c) p[c] = outside ? fill : p[c];
    return p;
  }

 private:
  static int extent(std::string_view before_name, std::string_view after_name, int before, int after, int size) {
    const std::int64_t sum = std::int64_t(before) + size + after;
    if (sum > std::numeric_limits<int>::max())
      refuse(info.name, std::string(before_name) + " = " + std::to_string(before) + ", " + std::string(after_name) +
                            " = " + std::to_string(after) + ": with the image's " + std::to_string(size) + " that is " +
                            std::to_string(sum) + " pixels, allowed up to " +
                            std::to_string(std::numeric_limits<int>::max()));
    return int(sum);
  }
};

}  // namespace zp

#endif
ZP_OP(Pad)
