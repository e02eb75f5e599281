// Histogram equalization.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_EQUALIZE_H
#define ZP_OPS_CONTRAST_EQUALIZE_H

#include "core/op.h"
#include "ops/contrast/histograms.h"

namespace zp {

namespace detail_equalize {

/// The table of one channel from its counters.
template <class T>
struct MakeTable {
  static constexpr int bins = int(white_of(format_of<T>)) + 1, each = bins / histograms::kTableThreads<bins>;
  const std::uint64_t* counts;
  T* table;
  static constexpr std::tuple pointers{&MakeTable::counts, &MakeTable::table};

  static constexpr int threads = histograms::kTableThreads<bins>, steps = histograms::kTableSteps<bins>;
  static constexpr int phases = steps + 3;
  struct Shared {
    std::uint64_t sum[2][threads];
    std::uint64_t darkest;  ///< pixels of the darkest level there is
  };
  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const std::uint64_t* h = counts + std::ptrdiff_t(b.x) * bins + b.thread * each;
    const std::uint64_t before = P > steps && b.thread ? s.sum[0][b.thread - 1] : 0;
    if constexpr (P == 0) {
      std::uint64_t sum = 0;
      for (int k = 0; k < each; ++k) sum += h[k];
      s.sum[0][b.thread] = sum;
    } else if constexpr (P <= steps) {
      histograms::scan_step<P - 1>(s.sum, b.thread);
    } else if constexpr (P == steps + 1) {
      if (before == 0 && s.sum[0][b.thread] != 0) {
        int k = 0;
        while (h[k] == 0) ++k;
        s.darkest = h[k];
      }
    } else {
      const std::uint64_t others = s.sum[0][threads - 1] - s.darkest;
      const float scale = float(white_of(format_of<T>)) / float(others);
      std::uint64_t sum = before;
      for (int k = 0; k < each; ++k) {
        sum += h[k];
        const int level = b.thread * each + k;
        T* to = table + std::ptrdiff_t(b.x) * bins + level;
        if (others == 0)
          *to = T(level);
        else
          *to = sum == 0 ? T(0) : to_sample<T>(float(sum - s.darkest) * scale);
      }
    }
  }
};

}  // namespace detail_equalize

/// Histogram equalization of each channel, at the full resolution of its format (256 or 65536 levels): the darkest
/// level there is becomes 0, level v becomes round((pixels up to v - pixels of the darkest) * white / (pixels - pixels
/// of the darkest)) in f32, half to even. An image of one level stays as it is.
struct Equalize {
  using Shape = Composite;
  static constexpr Info info{
      .name = "equalize",
      .family = "contrast",
      .summary = "spread the levels evenly (histogram equalization)",
      .formats = kIntegerFormats,
      .opencv = "same as equalizeHist (u8, one channel); u16 and more channels too",
      .scikit_image = "differs: equalize_hist returns floats and does not move the darkest level to 0",
      .npp = "differs: a histogram, an integral and a LUT call by hand"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using namespace detail_equalize;
    const View<const In> in = operands.input<In>();
    constexpr int bins = MakeTable<In>::bins;
    const std::uint64_t* counts = histograms::count<bins>(exec, in, histograms::Level{}, in.channels);
    In* table = exec.template scratch<In>(std::size_t(bins) * std::size_t(in.channels));
    exec.tiles(MakeTable<In>{counts, table}, in.channels, 1);
    histograms::look_up(exec, static_cast<const In*>(table), operands.output<In>(), in);
  }
};

}  // namespace zp

#endif
ZP_OP(Equalize)
