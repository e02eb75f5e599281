// Grey levels shown in colours.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_APPLY_COLORMAP_H
#define ZP_OPS_POINT_APPLY_COLORMAP_H

#include "core/op.h"
#include "ops/point/color_tables.h"
#include "ops/point/limits.h"
#include "ops/point/window.h"

namespace zp {

namespace detail_colormap {

/// Level of a sample, 0 to 255, and its colour.
template <class T>
struct Colored {
  static constexpr int channels = 1;
  const std::uint32_t* colors;  ///< 256 of 0xbbggrr; for u8 of every sample value, else of every level
  Window::Body levels;
  static constexpr std::tuple pointers{&Colored::colors};
  template <class Source>
  ZP_HD Pixel<std::uint8_t, 3> operator()(const Source& in, int x, int y) const {
    const T v = in.at(x, y)[0];
    std::uint32_t color;
    if constexpr (std::is_same_v<T, std::uint8_t>)
      color = colors[v];
    else
      color = colors[to_sample<std::uint8_t>(levels(static_cast<float>(v)))];
    return {{static_cast<std::uint8_t>(color), static_cast<std::uint8_t>(color >> 8),
             static_cast<std::uint8_t>(color >> 16)}};
  }
};

}  // namespace detail_colormap

/// Colours for an image of one channel: RGB of u8, whatever the image's format. (v - low) * 255 / (high - low) in f32,
/// clamped and rounded half to even, is one of 256 levels; the level's colour follows. NaN, and everything if high =
/// low, has level 0. A high below low is an error.
///
/// viridis, magma and inferno (Smith and van der Walt 2015, CC0) and turbo (Mikhailov 2019) come from splines of our
/// own, at most 1 level of 255 from any entry of the published tables. The others are ramps from black to the colour.
struct ApplyColormap {
  using Shape = Point;
  static constexpr Info info{
      .name = "apply_colormap",
      .family = "point",
      .summary = "grey levels in colours, as RGB of u8",
      .channels = kOneChannel,
      .output = Output::u8,
      .opencv = "applyColorMap within 1 level, which takes u8 only and makes BGR",
      .scikit_image = "matplotlib's maps within 1 level for u8; floats there take the level floor(256 * v)",
      .npp = "LUTPalette with the same colours"};
  using Name = detail_colormap::Name;
  Name name = Name::viridis;
  float low = 0, high = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("name", &ApplyColormap::name, "which colours", {.choices = detail_colormap::kNames}),
      parameter("low", &ApplyColormap::low, "value of the first colour",
                {.low = -detail_limits::kFarthest, .high = detail_limits::kFarthest, .unit = "pixel value"}),
      parameter("high", &ApplyColormap::high, "value of the last colour",
                {.low = -detail_limits::kFarthest,
                 .high = detail_limits::kFarthest,
                 .unit = "pixel value",
                 .automatic = "white of the format"})};
  static constexpr Case cases[] = {{""},
                                   {"name=magma,low=20,high=200"},
                                   {"name=inferno,low=0.2,high=0.7", kFloatFormat},
                                   {"name=turbo,high=40000", bit(Format::u16)},
                                   {"name=grey"},
                                   {"name=red,high=99.5"},
                                   {"name=green,low=300,high=4095", bit(Format::u16)},
                                   {"name=blue"},
                                   {"name=cyan"},
                                   {"name=magenta"},
                                   {"name=yellow,low=7,high=7"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    const Window window = limits(in[0]);
    detail_limits::require_ordered(info.name, window.low, window.high);
    return {in[0].width, in[0].height, 3, Format::u8};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    constexpr bool kIsByte = std::is_same_v<In, std::uint8_t>;
    // Black and white of the window's result are those of u8.
    const Window::Body levels = limits(operands.in[0].shape).bind({1, 1, 1, Format::u8});
    std::vector<std::uint32_t> colors(256);
    for (int v = 0; v < 256; ++v) {
      const int level = kIsByte ? to_sample<std::uint8_t>(levels(static_cast<float>(v))) : v;
      const detail_colormap::Color color = detail_colormap::color_of(name, level);
      colors[std::size_t(v)] = color[0] | std::uint32_t(color[1]) << 8 | std::uint32_t(color[2]) << 16;
    }
    exec.gather(detail_colormap::Colored<In>{exec.upload(colors), levels}, operands.output<Out>(),
                operands.input<In>());
  }

 private:
  Window limits(const PlaneShape& in) const { return {low, is_automatic(high) ? float(white_of(in.format)) : high}; }
};

}  // namespace zp

#endif
ZP_OP(ApplyColormap)
