// Smoothing that keeps edges.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_BILATERAL_H
#define ZP_OPS_FILTER_BILATERAL_H

#include "core/math.h"
#include "core/op.h"

namespace zp {

namespace detail_bilateral {

struct Tap {
  int x, y;
  float weight;
};

/// exp(-d^2 / 2) at d = k / kStepsPerSigma; 0 from kSigmas up.
inline constexpr int kSigmas = 8, kStepsPerSigma = 512, kSteps = kSigmas * kStepsPerSigma;
inline const std::vector<float>& range_table() {
  static const std::vector<float> table = [] {
    std::vector<float> t;
    t.reserve(kSteps + 1);
    for (int k = 0; k < kSteps; ++k) {
      const double d = double(k) / kStepsPerSigma;
      t.push_back(float(math::exp(-0.5 * d * d)));
    }
    t.push_back(0.0f);
    return t;
  }();
  return table;
}

/// A rectangle of pixels with its halo, channel by channel. With one thread, loops over a row of pixels are innermost,
/// so that they vectorise.
template <class T, int Threads>
struct Tile {
  static constexpr int kReach = 15;
  static constexpr int kAcross = Threads == 1 ? 1 : 32, kDown = Threads / kAcross;      // threads
  static constexpr int kWide = Threads == 1 ? 128 : 32, kHigh = Threads == 1 ? 16 : 8;  // pixels
  static constexpr int kPitch = kWide + 2 * kReach, kLines = kHigh + 2 * kReach;
  View<T> out;
  View<const T> in;
  const Tap* taps;
  const float* range;
  int tap_count, radius;
  float steps;  ///< of the table for a difference of 1
  Border border;
  T outside;
  const float* levels = nullptr;  ///< of bytes: range_weight of every distance; null if there is none
  static constexpr std::tuple pointers{&Tile::out, &Tile::in, &Tile::taps, &Tile::range, &Tile::levels};

  /// Distances of bytes: their differences over four channels.
  static constexpr int kLevels = 4 * 255 + 1;
  static constexpr bool kSharedLevels = Threads > 1 && std::is_same_v<T, std::uint8_t>;

  struct Shared {
    float value[4][kLines][kPitch];
    float level[kSharedLevels ? kLevels : 1];
  };
  static constexpr int threads = Threads, phases = 2;

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int x0 = b.x * kWide, y0 = b.y * kHigh;
    const int n = out.width - x0 < kWide ? out.width - x0 : kWide;
    const int lines = out.height - y0 < kHigh ? out.height - y0 : kHigh;
    if constexpr (P == 0) {
      load(b.thread, x0, n, y0, lines, s);
      if constexpr (kSharedLevels)
        for (int k = b.thread; k < 255 * in.channels + 1; k += Threads) s.level[k] = levels[k];
    } else if constexpr (Threads == 1) {
      for (int j = 0; j < lines; ++j) filter_row(s, j, n, out.row(y0 + j) + std::ptrdiff_t(x0) * out.channels);
    } else {
      const int i = b.thread % kAcross, j = b.thread / kAcross;
      T* to = out.row(y0 + j) + std::ptrdiff_t(x0 + i) * out.channels;
      if (i >= n || j >= lines) return;
      if (in.channels == 1)
        filter_pixel<1>(s, i, j, to);
      else
        filter_pixel<0>(s, i, j, to);
    }
  }

  /// exp(-d^2 / 2) for a distance: the table's nearest entry and its slope, within 5e-7.
  ZP_HD float range_weight(float distance) const {
    const float at = distance * steps;
    const float inside = at < static_cast<float>(kSteps) ? at : static_cast<float>(kSteps);  // NaN: the last entry, 0
    const float nearest = (inside + 8388608.0f) - 8388608.0f;
    const float w = range[static_cast<std::int32_t>(nearest)];
    const float slope = nearest * ((inside - nearest) * (1.0f / (kStepsPerSigma * kStepsPerSigma)));
    return w - w * slope;
  }

 private:
  ZP_HD void load(int thread, int x0, int n, int y0, int lines, Shared& s) const {
    const int total = n + 2 * radius, channels = in.channels;
    const int begin = x0 < radius ? radius - x0 : 0;
    const int end = in.width - x0 + radius < total ? in.width - x0 + radius : total;
    for (int j = thread / kAcross; j < lines + 2 * radius; j += kDown) {
      const int y = border_index(y0 - radius + j, in.height, border);
      for (int c = 0; c < channels; ++c) {
        float* to = s.value[c][j];
        for (int i = thread % kAcross; i < total; i += kAcross) {
          const int x = i >= begin && i < end ? x0 - radius + i : border_index(x0 - radius + i, in.width, border);
          to[i] = static_cast<float>(x < 0 || y < 0 ? outside : in.row(y)[std::ptrdiff_t(x) * channels + c]);
        }
      }
    }
  }

  ZP_HD static float size_of(float v) { return v < 0.0f ? -v : v; }

  template <int Channels>
  ZP_HD void filter_pixel(const Shared& s, int i, int j, T* to) const {
    const int channels = Channels ? Channels : in.channels;
    float centre[4], sum[4], total = 0.0f;
    for (int c = 0; c < channels; ++c) {
      centre[c] = s.value[c][j + radius][i + radius];
      sum[c] = 0.0f;
    }
    for (int k = 0; k < tap_count; ++k) {
      const Tap tap = taps[k];
      float difference[4], distance = 0.0f;
      for (int c = 0; c < channels; ++c) {
        difference[c] = s.value[c][j + radius + tap.y][i + radius + tap.x] - centre[c];
        distance = distance + size_of(difference[c]);
      }
      float w;
      if constexpr (kSharedLevels)
        w = tap.weight * s.level[static_cast<std::int32_t>(distance)];
      else
        w = tap.weight * range_weight(distance);
      total = total + w;
      for (int c = 0; c < channels; ++c) sum[c] = sum[c] + w * difference[c];
    }
    for (int c = 0; c < channels; ++c) to[c] = to_sample<T>(centre[c] + sum[c] / total);
  }

  /// One channel of bytes: the weights of the 256 distances are known.
  ZP_HD void filter_levels(const Shared& s, int j, int n, T* to) const {
    float total[kWide], sum[kWide];
    const float* centre = s.value[0][j + radius] + radius;
    const float* weight_of = levels;
    for (int i = 0; i < n; ++i) total[i] = sum[i] = 0.0f;
    for (int k = 0; k < tap_count; ++k) {
      const Tap tap = taps[k];
      const float* p = s.value[0][j + radius + tap.y] + radius + tap.x;
#pragma GCC ivdep
      for (int i = 0; i < n; ++i) {
        const float difference = p[i] - centre[i];
        const float w = tap.weight * weight_of[static_cast<std::int32_t>(size_of(difference))];
        total[i] = total[i] + w;
        sum[i] = sum[i] + w * difference;
      }
    }
    for (int i = 0; i < n; ++i) to[i] = to_sample<T>(centre[i] + sum[i] / total[i]);
  }

  ZP_HD void filter_row(const Shared& s, int j, int n, T* to) const {
    const int channels = in.channels;
    if constexpr (std::is_same_v<T, std::uint8_t>)
      if (channels == 1 && levels) return filter_levels(s, j, n, to);
    float total[kWide], sum[4][kWide], weight[kWide], distance[kWide];
    for (int i = 0; i < n; ++i) total[i] = 0.0f;
    for (int c = 0; c < channels; ++c)
      for (int i = 0; i < n; ++i) sum[c][i] = 0.0f;
    for (int k = 0; k < tap_count; ++k) {
      const Tap tap = taps[k];
      for (int i = 0; i < n; ++i) distance[i] = 0.0f;
      for (int c = 0; c < channels; ++c) {
        const float* centre = s.value[c][j + radius] + radius;
        const float* p = s.value[c][j + radius + tap.y] + radius + tap.x;
#pragma GCC ivdep
        for (int i = 0; i < n; ++i) distance[i] = distance[i] + size_of(p[i] - centre[i]);
      }
#pragma GCC ivdep
      for (int i = 0; i < n; ++i) {
        weight[i] = tap.weight * range_weight(distance[i]);
        total[i] = total[i] + weight[i];
      }
      for (int c = 0; c < channels; ++c) {
        const float* centre = s.value[c][j + radius] + radius;
        const float* p = s.value[c][j + radius + tap.y] + radius + tap.x;
        float* to_sum = sum[c];
#pragma GCC ivdep
        for (int i = 0; i < n; ++i) to_sum[i] = to_sum[i] + weight[i] * (p[i] - centre[i]);
      }
    }
    for (int c = 0; c < channels; ++c) {
      const float* centre = s.value[c][j + radius] + radius;
      for (int i = 0; i < n; ++i) to[std::ptrdiff_t(i) * channels + c] = to_sample<T>(centre[i] + sum[c][i] / total[i]);
    }
  }
};

}  // namespace detail_bilateral

/// c + sum(w * (v - c)) / sum(w) over the pixels v within `radius` of c (Tomasi and Manduchi 1998), in raster order in
/// f32; w = exp(-r^2 / (2 sigma_space^2)) * exp(-d^2 / (2 sigma_range^2)), where r is the distance in the plane and d
/// the sum over the channels of |v - c|: all channels move together. sigma_range is in the format's own pixel values,
/// so that u16 images of 257 * v with 257 times the sigma give 257 times what u8 gives, within rounding. Weights are
/// within 1e-6 of these, and 0 from 8 sigma_range up; sigma_range 0 leaves the image as it is. Constant images stay
/// exactly as they are. NaN and infinity make their channel NaN in every pixel whose circle holds them.
struct Bilateral {
  using Shape = Composite;
  static constexpr Info info{
      .name = "bilateral",
      .family = "filter",
      .summary = "smoothing that keeps edges",
      .opencv =
          "same as bilateralFilter (u8 and f32, 1 and 3 channels) within 1 in u8: same circle, distance and "
          "automatic radius",
      .scikit_image = "differs: restoration.denoise_bilateral takes the whole square and the Euclidean colour distance",
      .npp = "differs: FilterBilateralGaussBorder takes a square and variances"};
  int radius = 0;
  float sigma_space = 2;
  float sigma_range = kAutomatic;
  Border border = Border::reflect101;
  float value = 0;
  static constexpr std::tuple parameters{
      parameter("radius", &Bilateral::radius, "of the circle that is looked at",
                {.low = 0, .high = 15, .unit = "pixels", .automatic = "0: round(1.5 sigma_space), 1 to 15"}),
      parameter("sigma_space", &Bilateral::sigma_space, "standard deviation of the weights in the plane",
                {.low = 0, .high = 1e6, .unit = "pixels"}),
      parameter("sigma_range", &Bilateral::sigma_range, "standard deviation of the weights of differences",
                {.low = 0, .high = 1e30, .unit = "pixel value", .automatic = "a tenth of white"}),
      parameter("border", &Bilateral::border, "what lies outside", {.choices = kBorderNames}),
      parameter("value", &Bilateral::value, "outside of the border constant", {.unit = "pixel value"})};
  static constexpr Case cases[] = {{""},
                                   {"radius=5,sigma_space=3,border=replicate", kAnyFormat, 3},
                                   {"radius=2,sigma_space=50,sigma_range=20", kIntegerFormats, 4},
                                   {"sigma_space=1,sigma_range=1,border=constant,value=1"}};

  int halo(const PlaneShape&) const { return radius ? radius : automatic_radius(); }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace detail_bilateral;
    constexpr int kThreads = Exec::name == "cpu" ? 1 : 256;
    using Body = Tile<In, kThreads>;
    const View<const In> in = operands.input<In>();
    const int reach = radius ? radius : automatic_radius();
    const std::vector<Tap> taps = circle(reach);
    const float sigma = is_automatic(sigma_range) ? float(white_of(format_of<In>)) / 10.0f : sigma_range;
    // Of sigma 0 and the like the largest finite number: 0 times it is 0, all else lies beyond the table.
    const double steps = sigma > 0.0f ? double(kStepsPerSigma) / double(sigma) : 3e38;
    Body body{operands.output<Out>(),
              in,
              exec.upload(taps),
              exec.upload(range_table()),
              int(taps.size()),
              reach,
              float(steps < 3e38 ? steps : 3e38),
              border,
              to_sample<In>(value)};
    if constexpr (std::is_same_v<In, std::uint8_t>) {
      std::vector<float> levels;
      levels.reserve(Body::kLevels);
      Body known = body;
      known.range = range_table().data();
      for (int v = 0; v < 255 * in.channels + 1; ++v) levels.push_back(known.range_weight(float(v)));
      body.levels = exec.upload(levels);
    }
    exec.tiles(body, int((std::int64_t(in.width) + Body::kWide - 1) / Body::kWide),
               int((std::int64_t(in.height) + Body::kHigh - 1) / Body::kHigh));
  }

 private:
  int automatic_radius() const {
    const int rounded = to_sample<std::uint8_t>(1.5f * sigma_space);
    return rounded < 1 ? 1 : (rounded > 15 ? 15 : rounded);
  }

  std::vector<detail_bilateral::Tap> circle(int reach) const {
    std::vector<detail_bilateral::Tap> taps;
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const int square = x * x + y * y;
        if (square > reach * reach) continue;
        const double distance =
            sigma_space > 0.0f ? -0.5 * double(square) / (double(sigma_space) * sigma_space) : (square ? -1000.0 : 0.0);
        const auto weight = float(math::exp(distance));
        if (weight > 0.0f) taps.push_back({x, y, weight});
      }
    return taps;
  }
};

}  // namespace zp

#endif
ZP_OP(Bilateral)
