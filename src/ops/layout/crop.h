// A rectangle cut out of an image.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_CROP_H
#define ZP_OPS_LAYOUT_CROP_H

#include "core/op.h"

namespace zp {

/// The rectangle of `width` x `height` pixels at (x, y); exact. A width or height of 0 reaches to the right or bottom
/// edge. A rectangle that leaves the image is an error.
struct Crop {
  using Shape = Gather;
  static constexpr Info info{.name = "crop",
                             .family = "layout",
                             .summary = "a rectangle cut out",
                             .formats = kAnyFormat,
                             .opencv = "same as a copy of image(Rect(x, y, width, height))",
                             .scikit_image = "same as image[y:y+height, x:x+width]",
                             .npp = "same as Copy from an offset pointer"};
  int x = 0, y = 0, width = 0, height = 0;
  static constexpr double kLargest = std::numeric_limits<int>::max();
  static constexpr std::tuple parameters{
      parameter("x", &Crop::x, "left edge", {.low = 0, .high = kLargest, .unit = "pixels"}),
      parameter("y", &Crop::y, "top edge", {.low = 0, .high = kLargest, .unit = "pixels"}),
      parameter("width", &Crop::width, "width, or 0",
                {.low = 0, .high = kLargest, .unit = "pixels", .automatic = "up to the right edge"}),
      parameter("height", &Crop::height, "height, or 0",
                {.low = 0, .high = kLargest, .unit = "pixels", .automatic = "up to the bottom edge"})};
  static constexpr Case cases[] = {{""}, {"x=1,y=2", kAnyFormat, 3}, {"x=2,y=1,width=3,height=2"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    out.width = extent("x", "width", x, width, in[0].width, in[0]);
    out.height = extent("y", "height", y, height, in[0].height, in[0]);
    return out;
  }

  struct Same {
    template <class V>
    ZP_HD V operator()(V v) const {
      return v;
    }
  };

  template <class Source>
  ZP_HD auto operator()(const Source& in, int column, int row) const {
    return in.at(x + column, y + row);
  }

  /// Whole rows at a time, which is faster than pixel by pixel.
  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<Out> out = operands.output<Out>();
    exec.point(Same{}, out, operands.input<In>().sub(x, y, out.width, out.height));
  }

 private:
  static int extent(std::string_view at_name, std::string_view size_name, int at, int size, int available,
                    const PlaneShape& in) {
    if (at > available || std::int64_t(at) + size > available)
      refuse(info.name, std::string(at_name) + " = " + std::to_string(at) +
                            (size > 0 ? ", " + std::string(size_name) + " = " + std::to_string(size) : std::string()) +
                            ": reaches " + std::to_string(std::int64_t(at) + size) + ", allowed 0 to " +
                            std::to_string(available) + " in " + describe(in));
    return size > 0 ? size : available - at;
  }
};

}  // namespace zp

#endif
ZP_OP(Crop)
