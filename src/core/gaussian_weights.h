// Weights of a sampled Gaussian.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_GAUSSIAN_WEIGHTS_H
#define ZP_CORE_GAUSSIAN_WEIGHTS_H

#include <cstddef>
#include <vector>

#include "core/math.h"

namespace zp {

/// The radius that SciPy takes with truncate = 4: 4 sigma rounded half up.
inline int gaussian_radius(double sigma) { return int(4.0 * sigma + 0.5); }

/// exp(-k^2 / (2 sigma^2)) for k = -radius..radius, normalised in double, each rounded to f32 once. Sigma 0 is the
/// identity.
inline std::vector<float> gaussian_weights(double sigma, int radius) {
  std::vector<double> exact(std::size_t(2 * radius + 1));
  double sum = 0.0;
  for (int k = -radius; k <= radius; ++k) {
    const double distance = sigma > 0.0 ? double(k) / sigma : 0.0;
    const double w = sigma > 0.0 ? math::exp(-0.5 * distance * distance) : (k == 0 ? 1.0 : 0.0);
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
