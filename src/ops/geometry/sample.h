// Reading an image between its pixels: nearest, linear and cubic, with borders, in f32.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_SAMPLE_H
#define ZP_OPS_GEOMETRY_SAMPLE_H

#include "core/op.h"

namespace zp {

enum class Interpolation : int { nearest, linear, cubic };
inline constexpr std::string_view kInterpolationNames[] = {"nearest", "linear", "cubic"};

/// Coordinates this far out, and NaN, give the border value whatever the border is.
inline constexpr int kFarthest = 1 << 30;
/// Largest width or height that an operation is asked for.
inline constexpr double kLargestSide = 1 << 30;

/// A coordinate as its pixel and the fraction in [0, 1) towards the next one; integers are pixel centres.
struct Position {
  int whole;
  float fraction;
  bool known;
};

/// Tests "inside", which NaN fails, before anything becomes an integer.
template <class Float>
ZP_HD Position position_of(Float v) {
  const bool known = v > Float(-kFarthest) && v < Float(kFarthest);
  const Float safe = known ? v : Float(0);
  int whole = static_cast<int>(safe);
  whole = Float(whole) > safe ? whole - 1 : whole;
  float fraction = static_cast<float>(safe - Float(whole));
  // A fraction just under 1 may have been rounded up to it.
  const bool next = fraction >= 1.0f;
  whole = next ? whole + 1 : whole;
  fraction = next ? 0.0f : fraction;
  return {whole, fraction, known};
}

/// Weights of the four pixels around a fraction t in [0, 1): Keys 1981 with a = -0.75.
struct CubicWeights {
  float w[4];
};
ZP_HD CubicWeights cubic_weights(float t) {
  constexpr float a = -0.75f;
  const float u = 1.0f - t, t1 = t + 1.0f;
  CubicWeights k;
  k.w[0] = ((a * t1 - 5.0f * a) * t1 + 8.0f * a) * t1 - 4.0f * a;
  k.w[1] = ((a + 2.0f) * t - (a + 3.0f)) * t * t + 1.0f;
  k.w[2] = ((a + 2.0f) * u - (a + 3.0f)) * u * u + 1.0f;
  k.w[3] = ((1.0f - k.w[0]) - k.w[1]) - k.w[2];
  return k;
}

/// Between a and b. Equal ends stay exactly equal, and at t = 0 nothing of b (which may be NaN) is taken.
ZP_HD float between(float a, float b, float t) { return t == 0.0f ? a : a + (b - a) * t; }

template <Interpolation M>
struct Sampler {
  Border border;
  float value;  ///< outside, where the border is constant or the coordinate is not known; already rounded to the format

  template <class Source>
  ZP_HD Pixel<float, Source::channels> operator()(const Source& in, Position x, Position y) const {
    constexpr int N = Source::channels;
    Pixel<float, N> out;
    if (!x.known || !y.known) {
      for (int c = 0; c < N; ++c) out[c] = value;
      return out;
    }
    if constexpr (M == Interpolation::nearest) {
      fetch(in, x.whole + (x.fraction >= 0.5f), y.whole + (y.fraction >= 0.5f), out);
    } else if constexpr (M == Interpolation::linear) {
      Pixel<float, N> p[2][2];
      neighbours<2>(in, x.whole, y.whole, p);
      for (int c = 0; c < N; ++c)
        out[c] = between(between(p[0][0][c], p[0][1][c], x.fraction), between(p[1][0][c], p[1][1][c], x.fraction),
                         y.fraction);
    } else {
      Pixel<float, N> p[4][4];
      neighbours<4>(in, x.whole - 1, y.whole - 1, p);
      const CubicWeights kx = cubic_weights(x.fraction), ky = cubic_weights(y.fraction);
      for (int c = 0; c < N; ++c) {
        float line[4];
        for (int j = 0; j < 4; ++j)
          line[j] = x.fraction == 0.0f ? p[j][1][c] : weighted(kx, p[j][0][c], p[j][1][c], p[j][2][c], p[j][3][c]);
        out[c] = y.fraction == 0.0f ? line[1] : weighted(ky, line[0], line[1], line[2], line[3]);
      }
    }
    return out;
  }

 private:
  ZP_HD static float weighted(const CubicWeights& k, float a, float b, float c, float d) {
    return ((k.w[0] * a + k.w[1] * b) + k.w[2] * c) + k.w[3] * d;
  }

  template <class Source>
  ZP_HD void fetch(const Source& in, int x, int y, Pixel<float, Source::channels>& out) const {
    const int i = border_index(x, in.width(), border), j = border_index(y, in.height(), border);
    if (i < 0 || j < 0) {
      for (int c = 0; c < Source::channels; ++c) out[c] = value;
    } else {
      const auto p = in.at(i, j);
      for (int c = 0; c < Source::channels; ++c) out[c] = static_cast<float>(p[c]);
    }
  }

  template <int K, class Source>
  ZP_HD void neighbours(const Source& in, int x, int y, Pixel<float, Source::channels> (&p)[K][K]) const {
    if (x >= 0 && y >= 0 && x + K <= in.width() && y + K <= in.height()) {
      for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i) {
          const auto q = in.at(x + i, y + j);
          for (int c = 0; c < Source::channels; ++c) p[j][i][c] = static_cast<float>(q[c]);
        }
    } else {
      for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i) fetch(in, x + i, y + j, p[j][i]);
    }
  }
};

/// Calls f(std::integral_constant<Interpolation, M>).
template <class Call>
void with_interpolation(Interpolation method, Call&& call) {
  switch (method) {
    case Interpolation::nearest:
      return call(std::integral_constant<Interpolation, Interpolation::nearest>{});
    case Interpolation::linear:
      return call(std::integral_constant<Interpolation, Interpolation::linear>{});
    case Interpolation::cubic:
      return call(std::integral_constant<Interpolation, Interpolation::cubic>{});
  }
}

}  // namespace zp

#endif
