// A threshold found from the histogram.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_AUTO_THRESHOLD_H
#define ZP_OPS_CONTRAST_AUTO_THRESHOLD_H

#include <array>
#include <vector>

#include "core/math.h"
#include "core/op.h"
#include "core/threshold.h"
#include "ops/contrast/histograms.h"

namespace zp {

/// Finds a threshold T for each channel and applies it; foreground is v > T, kinds as in `threshold`.
///
/// otsu: largest variance between the classes v <= T and v > T (Otsu 1979). triangle: the level farthest from the line
/// between the histogram's peak and its farther end (Zack, Rogers, Latt 1977). Of equal maxima the smallest T counts.
/// li: smallest cross entropy, by Li and Tam's iteration (1998) from the mean, until a step is below half a level (u8,
/// u16) or a thousandth of a bin (f32). mean: mean of all pixels. T is rounded to f32.
///
/// u8 and u16: 256 and 65536 bins, one per level. f32: 65536 equal bins between the smallest and the largest finite
/// sample, 256 for triangle, which empty bins mislead; of otsu and triangle, T is the largest sample of the bins up to
/// T's, so that an image of few levels has the same otsu T in every format; li takes a bin's middle for its samples;
/// mean is exact. NaN is left out and is background; infinities fall into the outermost bins and count for otsu,
/// triangle and li only. Where all samples are equal T is their value and nothing is foreground; without any finite
/// sample T is 0.
struct AutoThreshold {
  using Shape = Composite;
  static constexpr Info info{
      .name = "auto_threshold",
      .family = "contrast",
      .summary = "threshold chosen from the image: Otsu, triangle, Li or mean",
      .opencv = "otsu same as threshold with THRESH_OTSU; triangle differs (it steps one level off)",
      .scikit_image = "same as threshold_otsu, _triangle, _li, _mean for u8 and u16; f32 within a bin"};
  enum class Method : int { otsu, triangle, li, mean };
  static constexpr std::string_view kMethods[] = {"otsu", "triangle", "li", "mean"};
  using Kind = ThresholdKind;

  Method method = Method::otsu;
  Kind kind = Kind::binary;
  static constexpr std::tuple parameters{
      parameter("method", &AutoThreshold::method, "how the threshold is found", {.choices = kMethods}),
      parameter("kind", &AutoThreshold::kind, "what foreground and background become", {.choices = kThresholdKinds})};
  static constexpr Case cases[] = {{""},
                                   {"method=triangle,kind=binary_inverse"},
                                   {"method=li,kind=to_zero"},
                                   {"method=mean,kind=truncate"},
                                   {"method=otsu", kAnyFormat, 3}};

  struct Result {
    std::vector<double> threshold;  ///< one per channel
    static constexpr std::tuple fields{field("threshold", &Result::threshold)};
  };

  struct FloatBin {
    int channel, bins;
    double low, scale;
    ZP_HD int of(float v) const {
      if (v != v) return -1;
      const double t = (double(v) - low) * scale;
      return t >= double(bins) ? bins - 1 : t > 0.0 ? int(t) : 0;
    }
    ZP_HD int operator()(const float* pixel, int) const { return of(pixel[channel]); }
  };
  /// The largest finite sample in the bins up to `last`.
  struct LargestUpTo {
    FloatBin bin;
    int last;
    using Value = float;
    ZP_HD float zero() const { return -__builtin_inff(); }
    ZP_HD void lift(float& v, float sample, std::int64_t) const {
      if (sample - sample == 0.0f && bin.of(sample) <= last) v = larger(v, sample);
    }
    ZP_HD float join(float a, float b) const { return larger(a, b); }
  };

  /// Each channel by its own threshold.
  template <class T>
  struct Mask {
    ThresholdSelect of[4];
    template <class Source>
    ZP_HD Pixel<T, Source::channels> operator()(const Source& in, int x, int y) const {
      Pixel<T, Source::channels> p = in.at(x, y);
      for (int c = 0; c < Source::channels; ++c) p[c] = of[c](p[c]);
      return p;
    }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    float limit[4] = {};
    if constexpr (std::is_same_v<In, float>) {
      for (int c = 0; c < in.channels; ++c) limit[c] = find_float(exec, in, c);
    } else {
      constexpr int bins = int(white_of(format_of<In>)) + 1;
      const std::uint64_t* counts = histograms::count<bins>(exec, in, histograms::Level{}, in.channels);
      const std::vector<std::uint64_t> all = exec.download(counts, std::size_t(bins) * std::size_t(in.channels));
      for (int c = 0; c < in.channels; ++c)
        limit[c] = float(find(std::span(all).subspan(std::size_t(c) * bins, bins), 0.0, 0.5));
    }
    for (int c = 0; c < in.channels; ++c) result.threshold.push_back(double(limit[c]));
    Mask<In> mask{};
    for (int c = 0; c < in.channels; ++c)
      mask.of[c] = threshold_select(kind, limit[c], float(white_of(format_of<In>)), format_of<In>);
    if (in.channels == 1)
      exec.point(mask.of[0], operands.output<In>(), in);
    else
      exec.gather(mask, operands.output<In>(), in);
  }

 private:
  template <class Exec>
  float find_float(Exec& exec, View<const float> in, int channel) const {
    const histograms::Finite::Value finite = exec.reduce(histograms::Finite{}, in, channel);
    if (finite.count == 0) return 0.0f;
    if (!(finite.low < finite.high)) return finite.low;
    if (method == Method::mean) return float(finite.sum / double(finite.count));
    const double range = double(finite.high) - double(finite.low);
    if (method == Method::triangle) return at_bin(exec, in, binned<256>(exec, in, channel, finite.low, range));
    const auto [bin, t] = binned<65536>(exec, in, channel, finite.low, range);
    if (method == Method::li) return float(double(finite.low) + t * (range / 65536.0));
    return at_bin(exec, in, {bin, t});
  }

  struct Binned {
    FloatBin bin;
    double t;
  };
  template <int Bins, class Exec>
  Binned binned(Exec& exec, View<const float> in, int channel, float low, double range) const {
    const FloatBin bin{channel, Bins, double(low), double(Bins) / range};
    const std::uint64_t* counts = histograms::count<Bins>(exec, in, bin, 1);
    return {bin, find(exec.download(counts, Bins), 0.5, 0.001)};
  }
  template <class Exec>
  static float at_bin(Exec& exec, View<const float> in, const Binned& found) {
    return exec.reduce(LargestUpTo{found.bin, int(found.t)}, in, found.bin.channel);
  }

  /// T in bins, counted from 0; `middle` is where in its bin a sample lies, `step` ends li's iteration. At least one
  /// sample.
  double find(std::span<const std::uint64_t> counts, double middle, double step) const {
    const int bins = int(counts.size());
    // Samples up to each bin, and the sum of their bins.
    std::vector<std::uint64_t> up_to(counts.size()), sum_to(counts.size());
    std::uint64_t count = 0, sum = 0;
    int low = -1, high = 0, peak = 0;
    for (int i = 0; i < bins; ++i) {
      const std::uint64_t n = counts[std::size_t(i)];
      if (n && low < 0) low = i;
      if (n) high = i;
      if (n > counts[std::size_t(peak)]) peak = i;
      up_to[std::size_t(i)] = count += n;
      sum_to[std::size_t(i)] = sum += n * std::uint64_t(i);
    }
    if (low == high) return low;
    switch (method) {
      case Method::otsu: {
        double best = -1.0;
        int at = low;
        for (int i = low; i < high; ++i) {
          if (counts[std::size_t(i)] == 0) continue;  // the same classes as one bin before
          // (n S1 - n1 S)^2 / (n1 n2), n^2 times the variance. The difference is exact: equal maxima stay equal.
          __extension__ typedef __int128 Wide;
          const std::uint64_t below = up_to[std::size_t(i)], above = count - below;
          const double d = double(Wide(count) * sum_to[std::size_t(i)] - Wide(below) * sum);
          const double variance = d * d / (double(below) * double(above));
          if (variance > best) {
            best = variance;
            at = i;
          }
        }
        return at;
      }
      case Method::triangle: {
        // Distances times the line's length, in integers: peak * steps - base * count.
        const bool right = peak - low < high - peak;  // the farther end is the bright one
        const std::int64_t top = std::int64_t(counts[std::size_t(peak)]), base = right ? high - peak : peak - low;
        std::int64_t best = 0;
        int at = right ? high : low;
        bool found = false;
        for (int i = right ? peak + 1 : low; i < (right ? high + 1 : peak); ++i) {
          const std::int64_t distance =
              top * (right ? high - i : i - low) - base * std::int64_t(counts[std::size_t(i)]);
          if (!found || distance > best) {
            best = distance;
            at = i;
            found = true;
          }
        }
        return at;
      }
      case Method::li: {
        const auto mean_of = [&](std::uint64_t n, std::uint64_t s) {
          return double(s) / double(n) - double(low) + middle;
        };
        double next = mean_of(count, sum);
        // Converges in some ten steps; the bound only keeps a rounding cycle from running on.
        for (int k = 0; k < 1000; ++k) {
          const double current = next;
          const int last = clamped(int(current - middle), 0, high - low - 1) + low;  // background: bins up to it
          const std::uint64_t below = up_to[std::size_t(last)], sum_below = sum_to[std::size_t(last)];
          const double back = mean_of(below, sum_below), fore = mean_of(count - below, sum - sum_below);
          if (back == 0.0) break;
          next = (fore - back) / math::detail::log_core(fore / back);
          const double moved = next - current;
          if (moved <= step && -moved <= step) break;
        }
        return next + double(low);
      }
      case Method::mean:
        break;
    }
    return double(sum) / double(count);
  }
};

}  // namespace zp

#endif
ZP_OP(AutoThreshold)
