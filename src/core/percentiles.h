// Exact percentiles of the samples of a channel, or of all channels together.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_PERCENTILES_H
#define ZP_CORE_PERCENTILES_H

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/counting.h"

namespace zp {

namespace detail_percentiles {

/// An unsigned number in the order of the samples.
ZP_HD std::uint32_t key_of(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
inline float sample_of(std::uint32_t key) {
  const std::uint32_t bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
  float v;
  std::memcpy(&v, &bits, sizeof(v));
  return v + 0.0f;  // -0 as 0
}

/// The upper half of the key; one slot more for NaN, and for infinities if only finite samples count.
struct UpperHalf {
  static constexpr int slots = 65536 + 1;
  bool finite;
  ZP_HD std::uint32_t slot(float v) const {
    const bool counts = finite ? v - v == 0.0f : v == v;
    return counts ? key_of(v) >> 16 : 65536u;
  }
};
/// The lower half of the keys that begin with one of a few upper halves; one slot more for all others.
struct LowerHalf {
  static constexpr int slots = 1, kMost = 8;  // no room in a tile: few samples are counted
  std::uint32_t upper[kMost];
  int count;
  ZP_HD std::uint32_t slot(float v) const {
    const std::uint32_t key = key_of(v);
    std::uint32_t found = std::uint32_t(count) << 16;
    for (int k = 0; k < count; ++k) found = key >> 16 == upper[k] ? std::uint32_t(k) << 16 | (key & 0xffffu) : found;
    return found;
  }
};

using Counts = std::vector<std::uint64_t>;

/// Running sums of `bins` counters of a group: a channel, or all of them added.
inline Counts running_sums(const Counts& counts, int used, int bins, int channels, int group, bool together) {
  Counts sums(static_cast<std::size_t>(bins));
  std::uint64_t sum = 0;
  for (int k = 0; k < bins; ++k) {
    for (int c = together ? 0 : group; c < (together ? channels : group + 1); ++c)
      sum += counts[std::size_t(c) * std::size_t(used) + std::size_t(k)];
    sums[std::size_t(k)] = sum;
  }
  return sums;
}

/// A sample that is wanted by its rank, and what is known of its key.
struct Wanted {
  int group;
  std::uint64_t rank;  ///< among the samples that agree with the key so far
  std::uint32_t key = 0;
};
/// The bin of a rank; the rank becomes that within the bin.
inline std::uint32_t bin_of(const Counts& sums, std::uint64_t& rank) {
  const auto at = std::upper_bound(sums.begin(), sums.end(), rank);
  if (at != sums.begin()) rank -= *(at - 1);
  return std::uint32_t(at - sums.begin());
}

/// Between two samples as numpy weighs them; a neighbour at infinity draws the value to itself.
inline double between(double a, double b, double t) {
  if (a == b || t == 0.0) return a;
  if (std::isinf(a) || std::isinf(b)) return std::isinf(a) && (t < 0.5 || !std::isinf(b)) ? a : b;
  const double difference = b - a;
  return t >= 0.5 ? b - difference * (1.0 - t) : a + difference * t;
}

}  // namespace detail_percentiles

/// The decimal number that was written for a float: 99.9, not 99.90000152587890625.
inline double as_written(float v) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), v).ptr;
  double value = double(v);
  std::from_chars(text, end, value);
  return value;
}

struct PercentileOptions {
  bool together = false;  ///< all channels as one
  bool finite = false;    ///< infinities do not count
};
struct Percentiles {
  std::vector<double> values;        ///< for each channel (or once), for each percentile; 0 where no sample counts
  std::vector<std::uint64_t> count;  ///< samples that count, for each channel (or once)
};

/// Of n samples in rising order, percentile p lies at place p / 100 * (n - 1), counted from 0, and between two samples
/// on the straight line: numpy's "linear". NaN does not count. Integers from counts of every level, f32 from the two
/// halves of an order-preserving key: exact.
template <class T, class Exec>
Percentiles percentiles_of(Exec& exec, const View<const T>& in, std::span<const double> percents,
                           PercentileOptions options = {}) {
  using namespace detail_percentiles;
  constexpr bool kFloat = std::is_same_v<T, float>;
  constexpr int kBins = kFloat ? 65536 : 1 << (8 * sizeof(T) % 32), kUsed = kFloat ? kBins + 1 : kBins;
  const int groups = options.together ? 1 : in.channels;
  const Counts counts = [&] {
    if constexpr (kFloat)
      return count_samples<T>(exec, in, UpperHalf{options.finite}, kUsed);
    else
      return count_samples<T>(exec, in, LevelBins<T>{}, kUsed);
  }();
  Percentiles found;
  std::vector<Wanted> wanted;  // two for each value
  std::vector<double> weights;
  for (int g = 0; g < groups; ++g) {
    const Counts sums = running_sums(counts, kUsed, kBins, in.channels, g, options.together);
    const std::uint64_t n = sums.back();
    found.count.push_back(n);
    for (const double p : percents) {
      const double place = n ? double(n - 1) * (p / 100.0) : 0.0, whole = std::floor(place);
      weights.push_back(place - whole);
      for (const std::uint64_t rank : {std::uint64_t(whole), std::uint64_t(whole) + 1}) {
        Wanted w{g, n ? std::min(rank, n - 1) : 0};
        if (n) w.key = bin_of(sums, w.rank);
        wanted.push_back(w);
      }
    }
  }
  if constexpr (kFloat) {
    std::vector<std::uint32_t> upper;
    for (const Wanted& w : wanted)
      if (found.count[std::size_t(w.group)]) upper.push_back(w.key);
    std::sort(upper.begin(), upper.end());
    upper.erase(std::unique(upper.begin(), upper.end()), upper.end());
    for (std::size_t first = 0; first < upper.size(); first += LowerHalf::kMost) {
      LowerHalf lower{{}, int(std::min<std::size_t>(LowerHalf::kMost, upper.size() - first))};
      std::copy_n(upper.begin() + std::ptrdiff_t(first), lower.count, lower.upper);
      const int used = (lower.count << 16) + 1;
      const Counts halves = count_samples<T>(exec, in, lower, used);
      for (int g = 0; g < groups; ++g) {
        const Counts sums = running_sums(halves, used, used - 1, in.channels, g, options.together);
        for (Wanted& w : wanted) {
          if (w.group != g || !found.count[std::size_t(g)]) continue;
          for (int k = 0; k < lower.count; ++k) {
            if (w.key != lower.upper[k]) continue;
            w.rank += k ? sums[(std::size_t(k) << 16) - 1] : 0;
            w.key = lower.upper[k] << 16 | (bin_of(sums, w.rank) & 0xffffu);
            w.group = -1;  // done
            break;
          }
        }
      }
    }
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto value = [&](const Wanted& w) { return kFloat ? double(sample_of(w.key)) : double(w.key); };
    const bool any = found.count[k / percents.size()] != 0;
    found.values.push_back(any ? between(value(wanted[2 * k]), value(wanted[2 * k + 1]), weights[k]) : 0.0);
  }
  return found;
}

}  // namespace zp

#endif
