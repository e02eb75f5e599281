// Places between pixels, and the weights that join their neighbours, in f32.
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

}  // namespace zp

#endif
