// Another sample format.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_CONVERT_H
#define ZP_OPS_LAYOUT_CONVERT_H

#include <charconv>
#include <cmath>
#include <numeric>

#include "core/op.h"

namespace zp {

/// Samples in another format. `scale` says what a number becomes:
///
///   range    white to white. From integers to integers v * W / white of exact arithmetic, rounded once, half to even
///            (u16 to u8: v * 255 / 65535; u8 to u16: v * 257); v above white becomes W. From integers to f32 v /
///            white, rounded once; from f32 v * W in f32, then divided by white unless that is 1.
///   none     the number itself.
///   2.5      any number: v * 2.5 in f32.
///
/// `white` is the input's own maximum (4095 for 12 bits in u16), and serves range only. `offset`, in values of the
/// output, is added last, in f32; with an offset or a white that is no integer, range on integers is v * W / white in
/// f32. Results round half to even and saturate; NaN becomes 0 in integers. Labels (u32) have no white: range needs it
/// as a parameter, and samples above 2^24 are rounded to f32 first.
struct Convert {
  using Shape = Point;
  static constexpr Info info{
      .name = "convert",
      .family = "layout",
      .summary = "another sample format",
      .formats = kAnyFormat,
      .output = Output::any,
      .opencv = "scale=none: same as convertTo; range: convertTo with the ratio of whites, within 1",
      .scikit_image = "img_as_ubyte, img_as_uint, img_as_float32; u16 to u8 rounds here and truncates there",
      .npp = "same as Convert (scale=none) and Scale within 1 (range)"};
  enum class Target : int { u8, u16, f32 };
  static constexpr std::string_view kTargets[] = {"u8", "u16", "f32"};
  Target format = Target::f32;
  std::string scale = "range";
  float offset = 0;
  float white = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("format", &Convert::format, "of the result", {.choices = kTargets}),
      parameter("scale", &Convert::scale, "range (white to white), none, or a number"),
      parameter("offset", &Convert::offset, "what is added last", {.unit = "pixel value of the result"}),
      parameter("white", &Convert::white, "largest value of the input, for scale=range",
                {.low = 0, .high = 4294967295.0, .unit = "pixel value", .automatic = "white of the input's format"})};
  static constexpr Case cases[] = {{"format=f32", kAllFormats},
                                   {"format=u8", kAllFormats, 3},
                                   {"format=u16", kAllFormats},
                                   {"format=u8,white=4095", bit(Format::u16)},
                                   {"format=u16,white=1023", bit(Format::u16)},
                                   {"format=u8,scale=none"},
                                   {"format=f32,scale=none"},
                                   {"format=u16,scale=0.5,offset=3"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    bind(in[0]);
    PlaneShape out = in[0];
    out.format = static_cast<Format>(int(format));
    return out;
  }

  /// What the numbers of a body ask for, least work first.
  enum class Way : int { plain, divided, times, by_257, exact };

  struct Body {
    float factor, divisor, offset;
    // v * numerator / denominator in exact arithmetic, v at most top.
    std::uint32_t top, numerator, denominator;
    float ratio;
    Way way;

    template <Way W, class U, class T>
    ZP_HD U by(T v) const {
      if constexpr (W == Way::plain || W == Way::divided) {
        const float scaled = static_cast<float>(v) * factor;
        return to_sample<U>((W == Way::divided ? scaled / divisor : scaled) + offset);
      } else {
        const auto wide = static_cast<std::uint32_t>(v), n = wide < top ? wide : top;
        if constexpr (W == Way::times) {
          return static_cast<U>(n * numerator);
        } else if constexpr (W == Way::by_257) {
          return static_cast<U>((n * 255u + 32895u) >> 16);  // the nearest integer to n / 257; there are no ties
        } else {
          // The quotient in f32 is wrong by less than 1/2, so one step to either side makes it the nearest integer.
          const auto q = static_cast<std::int32_t>(static_cast<float>(static_cast<std::int32_t>(n)) * ratio + 0.5f);
          const auto half = static_cast<std::int32_t>(denominator);
          const auto rest =
              static_cast<std::int32_t>(2 * (n * numerator - static_cast<std::uint32_t>(q) * denominator));
          const std::int32_t odd = q & 1;  // a tie goes to the even neighbour
          const std::int32_t up = rest + odd > half ? 1 : 0, down = rest - odd < -half ? 1 : 0;
          return static_cast<U>(q + up - down);
        }
      }
    }
    template <class U, class T>
    ZP_HD U sample(T v) const {
      if constexpr (std::is_integral_v<T> && std::is_integral_v<U> && sizeof(T) <= 2) {
        if (way == Way::times) return by<Way::times, U>(v);
        if (way == Way::by_257) return by<Way::by_257, U>(v);
        if (way == Way::exact) return by<Way::exact, U>(v);
      }
      return way == Way::divided ? by<Way::divided, U>(v) : by<Way::plain, U>(v);
    }
    /// For the plain and divided ways, which are all that start or end in f32.
    ZP_HD float operator()(float v) const { return sample<float>(v); }
  };

  /// A body whose way is known when it is compiled: a loop without branches.
  template <Way W>
  struct Fixed {
    Body body;
    template <class U, class T>
    ZP_HD U sample(T v) const {
      return body.by<W, U>(v);
    }
  };

  static constexpr FormatSet in_pieces = kAnyFormat;

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const Body body = bind(operands.in[0].shape);
    const auto with = [&](auto f) { exec.point(f, operands.output<Out>(), operands.input<In>()); };
    if constexpr (std::is_integral_v<In> && std::is_integral_v<Out> && sizeof(In) <= 2) {
      switch (body.way) {
        case Way::times:
          return with(Fixed<Way::times>{body});
        case Way::by_257:
          return with(Fixed<Way::by_257>{body});
        case Way::exact:
          return with(Fixed<Way::exact>{body});
        default:
          break;
      }
    }
    if (body.way == Way::divided)
      with(Fixed<Way::divided>{body});
    else
      with(Fixed<Way::plain>{body});
  }

  Body bind(const PlaneShape& in) const {
    const auto target = static_cast<Format>(int(format));
    // An offset of -0: adding it changes no value, not even -0.
    Body body{1.0f, 1.0f, offset == 0.0f ? -0.0f : offset, 0, 1, 1, 1.0f, Way::plain};
    if (scale == "none") return body;
    if (scale != "range") {
      body.factor = number();
      return body;
    }
    if (in.format == Format::u32 && is_automatic(white)) refuse(info.name, "scale = range needs white = ... for u32");
    const float in_white = is_automatic(white) ? float(white_of(in.format)) : white;
    if (in_white == 0.0f) refuse(info.name, "white = 0, allowed above 0 to 4294967295 pixel value");
    const auto out_white = float(white_of(target));
    body.factor = out_white;
    body.divisor = in_white;
    body.way = in_white == 1.0f ? Way::plain : Way::divided;
    const bool integers = in.format <= Format::u16 && target <= Format::u16;
    if (integers && offset == 0.0f && in_white <= 65535.0f && in_white == std::floor(in_white)) {
      body.top = static_cast<std::uint32_t>(in_white);
      const auto w = static_cast<std::uint32_t>(out_white), common = std::gcd(w, body.top);
      body.numerator = w / common;
      body.denominator = body.top / common;
      body.ratio = static_cast<float>(body.numerator) / static_cast<float>(body.denominator);
      body.way = body.denominator == 1                            ? Way::times
                 : body.denominator == 257 && body.numerator == 1 ? Way::by_257
                                                                  : Way::exact;
    }
    return body;
  }

 private:
  float number() const {
    float value = 0;
    const char* end = scale.data() + scale.size();
    const auto [stop, error] = std::from_chars(scale.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
      refuse(info.name, "scale = " + scale + ", allowed range, none or a number");
    return value;
  }
};

}  // namespace zp

#endif
ZP_OP(Convert)
