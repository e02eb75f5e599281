// Flat-field correction: uneven illumination and dark current divided out.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_FLAT_FIELD_H
#define ZP_OPS_ARITHMETIC_FLAT_FIELD_H

#include "core/op.h"

namespace zp {

namespace detail_flat_field {

/// (v - dark) * target / (flat - dark), operation by operation; 0 where flat <= dark and where that is not a number.
ZP_HD float corrected(float v, float flat, float dark, float target) {
  const float above = v - dark, range = flat - dark;
  const float scaled = above * target;
  const float value = scaled / range;
  return range > 0.0f && value == value ? value : 0.0f;
}

/// One target for the whole image.
struct Uniform {
  float target;
  ZP_HD float operator()(float v, float flat) const { return corrected(v, flat, 0.0f, target); }
  ZP_HD float operator()(float v, float flat, float dark) const { return corrected(v, flat, dark, target); }
};

/// A target for each channel, or for each site of a 2x2 mosaic.
template <class T>
struct Varied {
  View<const T> flat, dark;  ///< dark: empty if there is none
  float target[4];
  int is_mosaic;
  static constexpr std::tuple pointers{&Varied::flat, &Varied::dark};
  static ZP_HD float at(const View<const T>& plane, int x, int y, int c) {
    return static_cast<float>(plane.at(x, y, plane.channels == 1 ? 0 : c));
  }
  template <class Source>
  ZP_HD Pixel<float, Source::channels> operator()(const Source& in, int x, int y) const {
    const auto p = in.at(x, y);
    Pixel<float, Source::channels> q;
    for (int c = 0; c < Source::channels; ++c)
      q[c] = corrected(static_cast<float>(p[c]), at(flat, x, y, c), dark.width > 0 ? at(dark, x, y, c) : 0.0f,
                       target[is_mosaic ? (y & 1) * 2 + (x & 1) : c]);
    return q;
  }
};

/// flat - dark at every `step`th pixel from (x0, y0) on.
template <class T>
struct Difference {
  static constexpr int channels = 1;
  View<const T> flat, dark;
  int step, x0, y0, channel;
  static constexpr std::tuple pointers{&Difference::flat, &Difference::dark};
  template <class Source>
  ZP_HD Pixel<float, 1> operator()(const Source&, int x, int y) const {
    const int i = x0 + x * step, j = y0 + y * step;
    const float light = Varied<T>::at(flat, i, j, channel);
    return {{dark.width > 0 ? light - Varied<T>::at(dark, i, j, channel) : light}};
  }
};

/// flat - dark of planes of one channel.
struct PlainDifference {
  ZP_HD float operator()(float flat, float dark) const { return flat - dark; }
};

/// Sum and count of what is a number, in double: exact for integers of fewer than 2^37 pixels.
template <class T>
struct Sum {
  struct Value {
    double sum;
    std::int64_t count;
  };
  ZP_HD Value zero() const { return {0, 0}; }
  ZP_HD void lift(Value& v, T sample, std::int64_t) const {
    if (sample != sample) return;
    v.sum += static_cast<double>(sample);
    v.count += 1;
  }
  ZP_HD Value join(const Value& a, const Value& b) const { return {a.sum + b.sum, a.count + b.count}; }
};

}  // namespace detail_flat_field

/// (v - dark) * target / (flat - dark) in f32, operation by operation. Inputs: the frame, the flat (the same scene
/// without specimen), and optionally the dark (the same exposure without light; without it dark is 0). Flat and dark
/// may have one channel, which then serves all. Where flat <= dark, and where the value would not be a number, the
/// result is 0: never NaN. The default target is the mean of flat - dark over all pixels whose difference is a number,
/// in double, rounded to f32: one per channel, or with per=bayer one for each of the four sites of a 2x2 mosaic of one
/// channel, which keeps the mosaic's colours. Integers round half to even and saturate.
struct FlatField {
  using Shape = Point;
  static constexpr Info info{.name = "flat_field",
                             .family = "arithmetic",
                             .summary = "(v - dark) * target / (flat - dark)",
                             .min_inputs = 2,
                             .max_inputs = 3};
  static constexpr std::string_view input_names[] = {"frame", "flat", "dark"};
  static constexpr CaseInput case_input(int k, const PlaneShape& first) {
    return {first, k == 1 ? Pattern::flat : k == 2 ? Pattern::dark : Pattern::picture};
  }
  enum class Per : int { channel, bayer };
  static constexpr std::string_view kPers[] = {"channel", "bayer"};
  float target = kAutomatic;
  Per per = Per::channel;
  static constexpr std::tuple parameters{
      parameter("target", &FlatField::target, "value that the flat itself becomes",
                {.low = 0,
                 .high = std::numeric_limits<float>::max(),
                 .unit = "pixel value",
                 .automatic = "mean of flat - dark"}),
      parameter("per", &FlatField::per, "what has a mean of its own: each channel, or each site of a Bayer mosaic",
                {.choices = kPers})};
  static constexpr Case cases[] = {
      {""}, {"target=100", kAnyFormat, 3}, {"", kAnyFormat, 3}, {"per=bayer", kAnyFormat, 1}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    require_equal_inputs(info.name, in);
    if (per == Per::bayer && in[0].channels != 1)
      refuse(info.name, "per = bayer takes 1 channel, but the frame is " + describe(in[0]));
    return in[0];
  }

  int halo(const PlaneShape&) const { return -1; }  ///< the mean of the flat is that of all its rows

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace detail_flat_field;
    const View<const In> frame = operands.input<In>(), flat = operands.input<In>(1);
    const View<const In> dark = operands.in.size() > 2 ? operands.input<In>(2) : View<const In>();
    const View<Out> out = operands.output<Out>();
    // One channel of flat and dark serves all channels of the frame, and so has one mean.
    const int channels = flat.channels > dark.channels || dark.width == 0 ? flat.channels : dark.channels;
    const int means = !is_automatic(target) ? 0 : per == Per::bayer ? 4 : channels;
    if (means <= 1) {
      const Uniform uniform{means ? mean(exec, flat, dark, 1, 0, 0) : target};
      if (dark.width > 0)
        exec.point(uniform, out, frame, flat, dark);
      else
        exec.point(uniform, out, frame, flat);
      return;
    }
    const bool is_mosaic = per == Per::bayer;
    Varied<In> varied{flat, dark, {0, 0, 0, 0}, is_mosaic};
    for (int k = 0; k < means; ++k)
      varied.target[k] = is_mosaic ? mean(exec, flat, dark, 2, k, 0) : mean(exec, flat, dark, 1, 0, k);
    exec.gather(varied, out, frame);
  }

 private:
  /// Mean of flat - dark in one channel, over all pixels (step 1) or over the pixels of one site (step 2).
  template <class T, class Exec>
  static float mean(Exec& exec, View<const T> flat, View<const T> dark, int step, int site, int channel) {
    using namespace detail_flat_field;
    const auto of = [](const auto& s) {
      return s.count > 0 ? static_cast<float>(s.sum / static_cast<double>(s.count)) : 0.0f;
    };
    if (step == 1 && dark.width == 0) return of(exec.reduce(Sum<T>{}, flat, channel));
    const int x0 = site & 1, y0 = site >> 1;
    const int width = (flat.width - x0 + step - 1) / step, height = (flat.height - y0 + step - 1) / step;
    if (width <= 0 || height <= 0) return 0.0f;
    const View<float> difference = exec.template plane<float>(width, height);
    if (step == 1 && flat.channels == 1 && dark.channels == 1)
      exec.point(PlainDifference{}, difference, flat, dark);
    else
      exec.gather(Difference<T>{flat, dark, step, x0, y0, channel}, difference, flat);
    return of(exec.reduce(Sum<float>{}, View<const float>(difference), 0));
  }
};

}  // namespace zp

#endif
ZP_OP(FlatField)
