// Levels between two percentiles stretched to black .. white.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_STRETCH_CONTRAST_H
#define ZP_OPS_CONTRAST_STRETCH_CONTRAST_H

#include "core/percentiles.h"

namespace zp {

namespace detail_stretch_contrast {

/// As window, with limits for each channel.
template <class T>
struct Stretch {
  float low[4], high[4], range[4];
  float before;  ///< a power of two that keeps differences of large f32 finite
  template <class Source>
  ZP_HD Pixel<T, Source::channels> operator()(const Source& in, int x, int y) const {
    constexpr float white = float(white_of(format_of<T>));
    Pixel<T, Source::channels> p = in.at(x, y);
    for (int c = 0; c < Source::channels; ++c) {
      const float v = float(p[c]) * before;
      const float above = v - low[c];
      const float scaled = above * white;
      const float inside = scaled / range[c];
      const float bounded = v >= high[c] ? white : inside;
      p[c] = to_sample<T>(v <= low[c] ? 0.0f : bounded);
    }
    return p;
  }
};

}  // namespace detail_stretch_contrast

/// (v - a) * white / (b - a) in f32, operation by operation, where a and b are the percentiles `low` and `high` of the
/// image, rounded to f32; 0 at a and below, white at b and above. Percentiles are exact, between two samples on the
/// straight line, as in `percentile`. With per_channel=false all channels share the limits found over all of their
/// samples, which keeps colours; with per_channel=true every channel, also a fourth, has its own.
///
/// Where a = b, as in a constant image, every sample becomes 0, never NaN. f32: the percentiles are those of the finite
/// samples, infinities become 0 and white, NaN stays NaN; without a finite sample a and b are 0.
struct StretchContrast {
  using Shape = Composite;
  static constexpr Info info{
      .name = "stretch_contrast",
      .family = "contrast",
      .summary = "stretch the levels between two percentiles to black .. white",
      .opencv = "normalize with NORM_MINMAX for low=0, high=100; its constant images divide by 0 elsewhere",
      .scikit_image = "same as exposure.rescale_intensity with in_range = numpy.percentile(image, (low, high))"};
  float low = 0, high = 100;
  bool per_channel = false;
  static constexpr std::tuple parameters{
      parameter("low", &StretchContrast::low, "percentile that becomes black",
                {.low = 0, .high = 100, .unit = "percent"}),
      parameter("high", &StretchContrast::high, "percentile that becomes white",
                {.low = 0, .high = 100, .unit = "percent"}),
      parameter("per_channel", &StretchContrast::per_channel, "limits for each channel, not for all together")};
  static constexpr Case cases[] = {{""},
                                   {"low=1,high=99"},
                                   {"low=0.5,high=97.25", kAnyFormat, 3},
                                   {"low=2,high=98,per_channel=true", kAnyFormat, 3}};

  struct Result {
    std::vector<double> low, high;  ///< the values found, one per channel
    static constexpr std::tuple fields{field("low", &Result::low), field("high", &Result::high)};
  };

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (!(low < high))
      refuse(info.name, "low = " + std::to_string(low) + " is not below high = " + std::to_string(high));
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    const double percents[] = {as_written(low), as_written(high)};
    const Percentiles found = percentiles_of<In>(exec, in, percents, {!per_channel, true});
    detail_stretch_contrast::Stretch<In> stretch{{}, {}, {}, 1.0f};
    for (int c = 0; c < in.channels; ++c) {
      const std::size_t k = per_channel ? 2 * std::size_t(c) : 0;
      result.low.push_back(stretch.low[c] = float(found.values[k]));
      result.high.push_back(stretch.high[c] = float(found.values[k + 1]));
      const double range = double(stretch.high[c]) - double(stretch.low[c]);
      if (range > double(std::numeric_limits<float>::max())) stretch.before = 0.25f;
    }
    for (int c = 0; c < in.channels; ++c) {
      stretch.low[c] = stretch.low[c] * stretch.before;
      stretch.high[c] = stretch.high[c] * stretch.before;
      stretch.range[c] = stretch.high[c] - stretch.low[c];
      // Of a constant range no sample is above, infinity neither.
      if (!(stretch.range[c] > 0.0f)) {
        stretch.low[c] = std::numeric_limits<float>::infinity();
        stretch.range[c] = 1.0f;
      }
    }
    exec.gather(stretch, operands.output<Out>(), in);
  }
};

}  // namespace zp

#endif
ZP_OP(StretchContrast)
