// An image that takes the distribution of levels of another.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_MATCH_HISTOGRAM_H
#define ZP_OPS_CONTRAST_MATCH_HISTOGRAM_H

#include "core/op.h"
#include "ops/contrast/histograms.h"

namespace zp {

namespace detail_match_histogram {

__extension__ typedef unsigned __int128 Wide;

/// A level and a fraction of the step to the next one that occurs.
struct Position {
  int level = 0;
  Wide numerator = 0, denominator = 1;

  /// Half to even.
  int rounded() const {
    const int whole = level + int(numerator / denominator);
    const Wide twice = numerator % denominator * 2;
    return whole + (twice > denominator || (twice == denominator && whole % 2 != 0));
  }
  double real() const { return double(level) + double(numerator) / double(denominator); }
};

/// For each level that occurs in the image: where its share of samples, up to it, lies among those of the reference.
inline std::vector<Position> positions(std::span<const std::uint64_t> image, std::span<const std::uint64_t> reference) {
  struct Step {
    int level;
    std::uint64_t up_to;
  };
  std::vector<Step> steps;
  std::uint64_t count = 0, total = 0;
  for (std::size_t k = 0; k < reference.size(); ++k)
    if (reference[k]) steps.push_back({int(k), count += reference[k]});
  for (const std::uint64_t n : image) total += n;
  std::vector<Position> found(image.size());
  std::uint64_t up_to = 0;
  std::size_t next = 0;  // the first step above
  for (std::size_t k = 0; k < image.size(); ++k) {
    if (image[k] == 0) continue;
    up_to += image[k];
    const Wide share = Wide(up_to) * count;  // of total * count
    while (next < steps.size() && Wide(steps[next].up_to) * total <= share) ++next;
    if (next == 0 || next == steps.size()) {
      found[k].level = steps[next ? next - 1 : 0].level;
    } else {
      const Step &below = steps[next - 1], &above = steps[next];
      found[k] = {below.level, Wide(above.level - below.level) * (share - Wide(below.up_to) * total),
                  Wide(above.up_to - below.up_to) * total};
    }
  }
  return found;
}

/// 65536 levels from the smallest to the largest finite sample of each channel; NaN has none.
struct FloatLevel {
  static constexpr int kLevels = 65536;
  double low[4], scale[4];
  ZP_HD int operator()(const float* pixel, int channel) const {
    const float v = pixel[channel];
    if (v != v) return -1;
    const double t = (double(v) - low[channel]) * scale[channel];
    return t >= double(kLevels - 1) ? kLevels - 1 : t > 0.0 ? int(t + 0.5) : 0;
  }
};
struct FloatLookup {
  const float* table;
  FloatLevel level;
  static constexpr std::tuple pointers{&FloatLookup::table};
  template <class Source>
  ZP_HD Pixel<float, Source::channels> operator()(const Source& in, int x, int y) const {
    Pixel<float, Source::channels> p = in.at(x, y);
    Pixel<float, Source::channels> q = p;
    for (int c = 0; c < Source::channels; ++c) {
      const int k = level(p.v, c);
      if (k >= 0) q[c] = table[c * FloatLevel::kLevels + k];
    }
    return q;
  }
};

}  // namespace detail_match_histogram

/// Each channel takes the distribution of levels of the reference's channel. A level up to which a share q of the image
/// lies becomes the level up to which q of the reference lies, between two levels of the reference on the straight
/// line; a share below the reference's first gives its smallest level. The reference may have another size; its format
/// is the image's, its channels are the image's or one, which then serves all.
///
/// u8 and u16: from counts of every level, exactly: shares are compared as integers, and the level is rounded once,
/// half to even. f32: both images go through 65536 levels from their smallest to their largest finite sample, so that
/// the result is within 1 / 65535 of the reference's range of the exact one; infinities count as the outermost levels,
/// NaN does not count and stays NaN. A constant image becomes the largest level of the reference.
struct MatchHistogram {
  using Shape = Composite;
  static constexpr Info info{.name = "match_histogram",
                             .family = "contrast",
                             .summary = "give an image the histogram of a reference",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .scikit_image =
                                 "same as exposure.match_histograms of a plane for u8 and u16, which gives floats that "
                                 "are rounded here (it cuts "
                                 "them off with channel_axis); f32 within 1 / 65535 of the range"};
  static constexpr std::string_view input_names[] = {"image", "reference"};
  static constexpr CaseInput case_input(int k, const PlaneShape& first) {
    PlaneShape shape = first;
    if (k == 1 && !first.empty()) shape.width = first.width / 2 + 1, shape.height = first.height + 3;
    return {shape, k == 1 ? Pattern::flat : Pattern::picture};
  }
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    const PlaneShape &image = in[0], &reference = in[1];
    if (reference.format != image.format || (reference.channels != image.channels && reference.channels != 1))
      refuse(info.name, "the reference is " + describe(reference) + ", but the image is " + describe(image) +
                            "; format must be equal, and channels equal or 1");
    if (reference.empty() && !image.empty()) refuse(info.name, "the reference is empty (" + describe(reference) + ")");
    return image;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace detail_match_histogram;
    const View<const In> in = operands.input<In>(), reference = operands.input<In>(1);
    if constexpr (std::is_same_v<In, float>) {
      const FloatLevel level = levels(exec, in), other = levels(exec, reference);
      for (int c = 0; c < reference.channels; ++c)
        if (!(other.scale[c] >= 0.0)) refuse(info.name, "the reference has no finite sample");
      std::vector<float> table;
      each_channel<FloatLevel::kLevels>(exec, in, level, reference, other, [&](const Position& p, int c) {
        table.push_back(float(other.scale[c] > 0.0 ? other.low[c] + p.real() / other.scale[c] : other.low[c]));
      });
      exec.gather(FloatLookup{exec.upload(table), level}, operands.output<Out>(), in);
    } else {
      std::vector<In> table;
      each_channel<histograms::Lookup<In>::bins>(exec, in, histograms::Level{}, reference, histograms::Level{},
                                                 [&](const Position& p, int) { table.push_back(In(p.rounded())); });
      exec.gather(histograms::Lookup<In>{exec.upload(table)}, operands.output<Out>(), in);
    }
  }

 private:
  /// The scale is 0 for equal samples, NaN without any.
  template <class Exec>
  static detail_match_histogram::FloatLevel levels(Exec& exec, const View<const float>& in) {
    detail_match_histogram::FloatLevel level{};
    for (int c = 0; c < in.channels; ++c) {
      const histograms::Finite::Value finite = exec.reduce(histograms::Finite{}, in, c);
      const double range = double(finite.high) - double(finite.low);
      level.low[c] = finite.count ? double(finite.low) : 0.0;
      level.scale[c] = !finite.count ? std::numeric_limits<double>::quiet_NaN()
                       : range > 0.0 ? double(detail_match_histogram::FloatLevel::kLevels - 1) / range
                                     : 0.0;
    }
    return level;
  }

  template <int Bins, class Exec, class T, class Level, class Put>
  static void each_channel(Exec& exec, const View<const T>& in, const Level& level, const View<const T>& reference,
                           const Level& other, const Put& put) {
    const auto counted = [&](const View<const T>& image, const Level& bin) {
      const std::uint64_t* counts = histograms::count<Bins>(exec, image, bin, image.channels);
      return exec.download(counts, std::size_t(Bins) * std::size_t(image.channels));
    };
    const std::vector<std::uint64_t> ours = counted(in, level), theirs = counted(reference, other);
    for (int c = 0; c < in.channels; ++c) {
      const int d = reference.channels == 1 ? 0 : c;
      for (const auto& p : detail_match_histogram::positions(std::span(ours).subspan(std::size_t(c) * Bins, Bins),
                                                             std::span(theirs).subspan(std::size_t(d) * Bins, Bins)))
        put(p, d);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(MatchHistogram)
