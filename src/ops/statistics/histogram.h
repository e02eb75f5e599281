// Histogram of each channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STATISTICS_HISTOGRAM_H
#define ZP_OPS_STATISTICS_HISTOGRAM_H

#include <limits>

#include "core/counting.h"
#include "core/op.h"
#include "ops/statistics/extremes.h"

namespace zp {

/// Equal bins over [low, high]: bin k holds low + k * w <= v < low + (k + 1) * w with w = (high - low) / bins, and the
/// last one also v = high. By default integers have one bin for each level, and f32 has 256 bins. A range that is not
/// given is that of the format where integers have one bin for each level, else from the smallest to the largest finite
/// sample of the image (as numpy; half below and half above it if they are equal). NaN and samples outside of the range
/// are counted apart. Positions are found in double, exactly for integers.
struct Histogram {
  using Shape = Reduce;
  static constexpr Info info{
      .name = "histogram",
      .family = "statistics",
      .summary = "counts in equal bins of each channel",
      .output = Output::none,
      .opencv = "calcHist leaves the upper end of the range out",
      .scikit_image = "same as numpy.histogram, whose rounded edges may miss a sample that lies on one",
      .npp = "HistogramEven leaves the upper end of the range out"};
  static constexpr int kMaxBins = 65536;
  static constexpr double kLargest = std::numeric_limits<float>::max();
  int bins = 0;
  float low = kAutomatic, high = kAutomatic;
  static constexpr std::tuple parameters{
      parameter("bins", &Histogram::bins, "number of bins",
                {.low = 0, .high = kMaxBins, .automatic = "0: one for each level of integers, 256 for f32"}),
      parameter("low", &Histogram::low, "lower end of the first bin",
                {.low = -kLargest,
                 .high = kLargest,
                 .unit = "pixel value",
                 .automatic = "0 for one bin per level, else the smallest sample"}),
      parameter("high", &Histogram::high, "upper end of the last bin",
                {.low = -kLargest,
                 .high = kLargest,
                 .unit = "pixel value",
                 .automatic = "white for one bin per level, else the largest sample"})};
  static constexpr Case cases[] = {{""},
                                   {"bins=10"},
                                   {"bins=16,low=0.25,high=0.75", kFloatFormat, 3},
                                   {"bins=100,low=20,high=200", kIntegerFormats, 3}};
  struct Result {
    std::vector<std::int64_t> counts;     ///< bins of the first channel, then of the next
    std::vector<std::int64_t> nan_count;  ///< one per channel
    std::vector<std::int64_t> below;      ///< samples below low, one per channel
    std::vector<std::int64_t> above;      ///< samples above high, one per channel
    int bins = 0;                         ///< as used
    double low = 0, high = 0;             ///< as used
    static constexpr std::tuple fields{field("counts", &Result::counts), field("nan_count", &Result::nan_count),
                                       field("below", &Result::below),   field("above", &Result::above),
                                       field("bins", &Result::bins),     field("low", &Result::low),
                                       field("high", &Result::high)};
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const View<const In> in = operands.input<In>();
    constexpr bool kInteger = !std::is_same_v<In, float>;
    constexpr int kLevels = kInteger ? 1 << (8 * sizeof(In) % 32) : 256;
    RangeBins range{low, high, bins ? bins : kLevels};
    if (kInteger && range.bins == kLevels) {
      if (is_automatic(low)) range.low = 0;
      if (is_automatic(high)) range.high = kLevels - 1;
    } else if (is_automatic(low) || is_automatic(high)) {
      fit(exec, in, range);
    }
    if (!(range.low < range.high))
      refuse(info.name, "low = " + std::to_string(range.low) + " is not below high = " + std::to_string(range.high));

    result.bins = range.bins;
    result.low = range.low;
    result.high = range.high;
    result.counts.assign(std::size_t(range.bins) * std::size_t(in.channels), 0);
    const int used = kInteger ? kLevels : range.bins + 3;
    const std::vector<std::uint64_t> counts = [&] {
      if constexpr (kInteger)
        return count_samples<In>(exec, in, LevelBins<In>{}, used);
      else
        return count_samples<In>(exec, in, range, used);
    }();
    for (int c = 0; c < in.channels; ++c) {
      std::int64_t apart[3] = {0, 0, 0};  // NaN, below, above
      for (int k = 0; k < used; ++k) {
        const int slot = kInteger ? int(range.slot(float(k))) : k;
        const std::int64_t count = std::int64_t(counts[std::size_t(c) * std::size_t(used) + std::size_t(k)]);
        if (slot < range.bins)
          result.counts[std::size_t(c) * std::size_t(range.bins) + std::size_t(slot)] += count;
        else
          apart[slot - range.bins] += count;
      }
      result.nan_count.push_back(apart[0]);
      result.below.push_back(apart[1]);
      result.above.push_back(apart[2]);
    }
  }

 private:
  /// The ends that were not given, from the finite samples of all channels.
  template <class In, class Exec>
  void fit(Exec& exec, const View<const In>& in, RangeBins& range) const {
    double smallest = 0, largest = 0;
    bool any = false;
    for (int c = 0; c < in.channels; ++c) {
      const auto found = exec.reduce(Extremes<In>{true}, in, c);
      if (found.low_pixel == Extremes<In>::kNowhere) continue;
      smallest = any ? smaller(smallest, double(found.low)) : double(found.low);
      largest = any ? larger(largest, double(found.high)) : double(found.high);
      any = true;
    }
    if (is_automatic(low)) range.low = smallest;
    if (is_automatic(high)) range.high = largest;
    if (is_automatic(low) && is_automatic(high) && smallest == largest) {
      // A tenth of a millionth of large values, where a half would be lost in them.
      const double half = larger(0.5, (largest < 0 ? -largest : largest) * 1e-7);
      range.low = smallest - half;
      range.high = largest + half;
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Histogram)
