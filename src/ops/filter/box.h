// Mean over a rectangle around each pixel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_BOX_H
#define ZP_OPS_FILTER_BOX_H

#include "core/op.h"
#include "core/separable.h"

namespace zp {

namespace detail_box {

/// The samples of a line that belong to the window: `size` of them, centre at size / 2.
struct Line {
  int size;
  bool vertical;
  ZP_HD int reach() const { return size / 2; }
  ZP_HD Extent radius() const { return vertical ? Extent{0, reach()} : Extent{reach(), 0}; }
  /// An even size has one sample less behind the centre.
  ZP_HD bool holds(int dx, int dy) const { return (vertical ? dy : dx) < size - reach(); }
};

/// Sum along a line in Sum, integers or f32.
template <class Sum>
struct LineSum {
  Line line;
  ZP_HD Extent radius() const { return line.radius(); }
  template <class T>
  ZP_HD Sum begin(T) const {
    return 0;
  }
  template <class T>
  ZP_HD Sum step(Sum acc, int dx, int dy, T v) const {
    return line.holds(dx, dy) ? static_cast<Sum>(acc + static_cast<Sum>(v)) : acc;
  }
  /// Of f32: what is not in the window weighs nothing.
  float weight(int dx, int dy) const requires std::is_same_v<Sum, float> { return line.holds(dx, dy) ? 1.0f : 0.0f; }
  ZP_HD Sum end(Sum acc) const { return acc; }
};

/// The last sum and the division. Wide is the type whose quotient cannot round onto a tie between two integers.
template <class Sum, class Wide, class Out>
struct LineMean : LineSum<Sum> {
  int count;
  ZP_HD Out end(Sum acc) const {
    if constexpr (std::is_same_v<Wide, double>) {
      // acc may need 32 bits, and not every instruction set converts those; adding 2^52 rounds half to even.
      const double sum = static_cast<double>(static_cast<std::int32_t>(acc >> 1)) * 2.0 +
                         static_cast<double>(static_cast<std::int32_t>(acc & 1));
      const double rounded = (sum / static_cast<double>(count) + 4503599627370496.0) - 4503599627370496.0;
      return static_cast<Out>(static_cast<std::int32_t>(rounded));
    } else if constexpr (std::is_same_v<Sum, float>) {
      return to_sample<Out>(acc / static_cast<float>(count));
    } else {
      return to_sample<Out>(static_cast<float>(static_cast<std::int32_t>(acc)) / static_cast<float>(count));
    }
  }
};

}  // namespace detail_box

/// Mean of a rectangle. Integers: the exact sum, divided and rounded once, half to even. f32: sums of each row of the
/// rectangle from left to right, those from top to bottom, one division. Of an even size the centre is the pixel right
/// of and below the middle, as in OpenCV. NaN reaches every pixel whose rectangle holds it.
struct Box {
  using Shape = Composite;
  static constexpr Info info{.name = "box",
                             .family = "filter",
                             .summary = "mean of a rectangle around each pixel",
                             .opencv = "same as blur; ties are rounded half to even",
                             .scikit_image = "same as scipy.ndimage.uniform_filter in f32; rank.mean truncates",
                             .npp = "FilterBoxBorder within 1"};
  static constexpr int kMaxSize = 255;
  int radius = 1;
  Extent size{0, 0};
  Border border = Border::reflect101;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("radius", &Box::radius, "half width of a square window",
                {.low = 0, .high = kMaxSize / 2, .unit = "pixels"}),
      parameter("size", &Box::size, "width and height of the window",
                {.low = 0, .high = kMaxSize, .unit = "pixels", .automatic = "0: 2 radius + 1"}),
      parameter("border", &Box::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &Box::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{""},
                                   {"radius=7,border=replicate"},
                                   {"size=4x9,border=wrap", kAnyFormat, 3},
                                   {"radius=2,border=constant,value=1"}};

  int halo(const PlaneShape&) const { return (size.height ? size.height : 2 * radius + 1) / 2; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const int width = size.width ? size.width : 2 * radius + 1, height = size.height ? size.height : 2 * radius + 1;
    const float outside = float(to_sample<In>(value));
    if constexpr (std::is_same_v<In, float>) {
      // What lies above and below is summed as a row of the image would be.
      float outside_sum = 0.0f;
      for (int k = 0; k < width; ++k) outside_sum = outside_sum + outside;
      means<float, float, float, In, Out>(exec, operands, width, height, outside_sum);
    } else if constexpr (std::is_same_v<In, std::uint8_t>) {
      // 255 * 255 fits u16. A quotient below 256 is off by at most 2^-17, less than its distance to a tie, 1 / (2 *
      // 255^2).
      means<std::uint16_t, std::uint32_t, float, In, Out>(exec, operands, width, height, outside * float(width));
    } else if (width * height < 256) {
      // Sums stay below 2^24, and quotients below 65536 are off by at most 2^-9, less than 1 / (2 * 255).
      means<std::uint32_t, std::uint32_t, float, In, Out>(exec, operands, width, height, outside * float(width));
    } else {
      // Sums stay below 65535 * 255^2 < 2^32.
      means<std::uint32_t, std::uint32_t, double, In, Out>(exec, operands, width, height, outside * float(width));
    }
  }

 private:
  template <class Between, class Sum, class Wide, class In, class Out, class Exec>
  void means(Exec& exec, const Operands& operands, int width, int height, float outside_sum) const {
    using namespace detail_box;
    const View<const In> in = operands.input<In>();
    stencil_pair<Between>(exec, LineSum<Between>{{width, false}},
                          LineMean<Sum, Wide, Out>{{{height, true}}, width * height}, in, operands.output<Out>(),
                          border, value, outside_sum);
  }
};

}  // namespace zp

#endif
ZP_OP(Box)
