// Weights of a sampled Gaussian.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_FILTER_GAUSSIAN_WEIGHTS_H
#define ZP_OPS_FILTER_GAUSSIAN_WEIGHTS_H

#include <cmath>
#include <vector>

namespace zp {

/// e^x for x <= 0 from + - * and exact scaling only, so that every machine has the same bits; within 2 ulp.
inline double falling_exponential(double x) {
  if (!(x > -700.0)) return 0.0;
  constexpr double kLog2e = 1.4426950408889634;
  // ln 2 in two parts; the high one has 32 significant bits, so that n * high is exact.
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  const double n = std::floor(x * kLog2e + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2
  // Taylor: the first term left out, r^14 / 14!, is below 5e-18.
  double sum = 1.0;
  for (int k = 13; k > 0; --k) sum = 1.0 + r * sum / double(k);
  return std::ldexp(sum, int(n));
}

/// The radius that SciPy takes with truncate = 4: 4 sigma rounded half up.
inline int gaussian_radius(double sigma) { return int(4.0 * sigma + 0.5); }

/// exp(-k^2 / (2 sigma^2)) for k = -radius..radius, normalised in double, each rounded to f32 once. Sigma 0 is the
/// identity.
inline std::vector<float> gaussian_weights(double sigma, int radius) {
  std::vector<double> exact(std::size_t(2 * radius + 1));
  double sum = 0.0;
  for (int k = -radius; k <= radius; ++k) {
    const double distance = sigma > 0.0 ? double(k) / sigma : 0.0;
    const double w = sigma > 0.0 ? falling_exponential(-0.5 * distance * distance) : (k == 0 ? 1.0 : 0.0);
    exact[std::size_t(k + radius)] = w;
    sum += w;
  }
  std::vector<float> weights;
  weights.reserve(exact.size());
  for (const double w : exact) weights.push_back(float(w / sum));
  return weights;
}

}  // namespace zp

#endif
