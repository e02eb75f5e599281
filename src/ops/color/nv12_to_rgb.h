// Camera frames in NV12 to RGB.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_NV12_TO_RGB_H
#define ZP_OPS_COLOR_NV12_TO_RGB_H

#include "core/op.h"
#include "ops/color/ycbcr.h"

namespace zp {

namespace detail_nv12_to_rgb {

struct Body {
  static constexpr int channels = 1;
  YcbcrToRgbBody convert;
  View<const std::uint8_t> chroma;
  static constexpr std::tuple pointers{&Body::chroma};
  template <class Source>
  ZP_HD Pixel<float, 3> operator()(const Source& luma, int x, int y) const {
    const std::uint8_t* uv = chroma.row(y >> 1) + std::ptrdiff_t(x >> 1) * 2;
    return convert(Pixel<float, 3>{{float(luma.at(x, y)[0]), float(uv[0]), float(uv[1])}});
  }
};

}  // namespace detail_nv12_to_rgb

/// Two planes of u8: luma, one channel, and chroma, two channels (Cb, Cr) of half the width and height, rounded up. A
/// frame that lies in one buffer is two views of it.
///
/// Each pixel takes the chroma of its 2x2 block, without interpolation: chroma is taken to lie in the middle of the
/// block (as in JPEG and MPEG-1), and the nearest one is chosen. Odd widths and heights use the last column and row of
/// chroma for one pixel. Arithmetic, standards and ranges are those of YcbcrToRgb; cameras and decoders give the
/// limited range, which is the default here.
struct Nv12ToRgb {
  using Shape = Gather;
  static constexpr Info info{.name = "nv12_to_rgb",
                             .family = "color",
                             .summary = "camera frames (luma and half-size chroma) to RGB",
                             .formats = bit(Format::u8),
                             .channels = kOneChannel,
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "bt601, limited: as cvtColorTwoPlane YUV2RGB_NV12 within 1",
                             .npp = "as NV12ToRGB (bt601, full) and NV12ToRGB_709HDTV within its rounding"};
  static constexpr std::string_view input_names[] = {"luma", "chroma"};
  YcbcrStandard standard = YcbcrStandard::bt601;
  YcbcrRange range = YcbcrRange::limited;
  static constexpr std::tuple parameters{
      parameter("standard", &Nv12ToRgb::standard, "luma weights", {.choices = kYcbcrStandardNames}),
      parameter("range", &Nv12ToRgb::range, "of luma and chroma", {.choices = kYcbcrRangeNames})};
  static constexpr Case cases[] = {{""}, {"standard=bt709"}, {"range=full"}};

  static constexpr CaseInput case_input(int k, const PlaneShape& first) {
    return {k == 0 ? first : chroma_of(first), Pattern::picture};
  }

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (in[1] != chroma_of(in[0]))
      refuse(info.name, "chroma is " + describe(in[1]) + ", but luma of " + describe(in[0]) + " has " +
                            describe(chroma_of(in[0])));
    PlaneShape out = in[0];
    out.channels = 3;
    return out;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    exec.gather(detail_nv12_to_rgb::Body{ycbcr_to_rgb_body(standard, range, Format::u8), operands.input<In>(1)},
                operands.output<Out>(), operands.input<In>(0));
  }

 private:
  static constexpr PlaneShape chroma_of(const PlaneShape& luma) {
    return {luma.width / 2 + luma.width % 2, luma.height / 2 + luma.height % 2, 2, Format::u8};
  }
};

}  // namespace zp

#endif
ZP_OP(Nv12ToRgb)
