// One gain for each channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_WHITE_BALANCE_H
#define ZP_OPS_COLOR_WHITE_BALANCE_H

#include <array>

#include "core/op.h"
#include "core/sums.h"
#include "ops/color/select_rank.h"

namespace zp {

/// Multiplies red, green and blue by one gain each, in f32; integers saturate. gains: as given. grey_world: each
/// channel's mean m becomes the mean of the three means (Buchsbaum 1980): gain = ((m_r + m_g) + m_b) / 3 / m.
/// white_patch: each channel's percentile p becomes the largest of the three (Land 1977, with 100; less leaves out
/// specular dots): gain = max / p. The percentile is the sample of rank floor(percentile / 100 (n - 1) + 0.5) in rising
/// order, exact for every format. Means and ranks leave NaN out; gains are computed in double and rounded to f32 once.
/// A mean or percentile that is not above 0 leaves its channel as it is. A fourth channel is kept.
struct WhiteBalance {
  using Shape = Composite;
  static constexpr Info info{
      .name = "white_balance",
      .family = "color",
      .summary = "gains that make white white",
      .channels = kColorChannels,
      .opencv = "gains: as xphoto applyChannelGains; grey_world: GrayworldWB leaves out saturated pixels"};
  enum class Mode : int { gains, grey_world, white_patch };
  static constexpr std::string_view kModes[] = {"gains", "grey_world", "white_patch"};
  Mode mode = Mode::grey_world;
  std::vector<float> gains = {1, 1, 1};
  float percentile = 100;
  static constexpr std::tuple parameters{
      parameter("mode", &WhiteBalance::mode, "where the gains come from", {.choices = kModes}),
      parameter("gains", &WhiteBalance::gains, "red/green/blue, for mode=gains",
                {.low = 0, .high = 1e6, .min_count = 3, .max_count = 3}),
      parameter("percentile", &WhiteBalance::percentile, "of each channel, for mode=white_patch",
                {.low = 0, .high = 100, .unit = "%"})};
  static constexpr Case cases[] = {
      {""}, {"mode=gains,gains=1.8/1/1.4"}, {"mode=white_patch,percentile=99"}, {"mode=white_patch", kAnyFormat, 4}};

  struct Body {
    static constexpr int in_channels = 3, out_channels = 3;
    float gain[3];
    ZP_HD Pixel<float, 3> operator()(const Pixel<float, 3>& p) const {
      return {{p[0] * gain[0], p[1] * gain[1], p[2] * gain[2]}};
    }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const View<const In> in = operands.input<In>();
    Body body{};
    std::array<double, 3> level{};
    double target = 0;
    switch (mode) {
      case Mode::gains:
        break;
      case Mode::grey_world:
        for (int c = 0; c < 3; ++c) {
          const auto sum = exec.reduce(SampleSum<In>{}, in, c);
          level[std::size_t(c)] = sum.count ? double(sum.sum) / double(sum.count) : 0.0;
        }
        target = ((level[0] + level[1]) + level[2]) / 3.0;
        break;
      case Mode::white_patch:
        level = percentiles_of_colors(exec, in, double(percentile));
        target = larger(level[0], larger(level[1], level[2]));
        break;
    }
    for (std::size_t c = 0; c < 3; ++c)
      body.gain[c] = mode == Mode::gains ? gains[c] : level[c] > 0 && target > 0 ? float(target / level[c]) : 1.0f;
    exec.point(body, operands.output<Out>(), in);
  }
};

}  // namespace zp

#endif
ZP_OP(WhiteBalance)
