// One sharp image, or the depth, from slices focused at different depths.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STACK_FOCUS_STACK_H
#define ZP_OPS_STACK_FOCUS_STACK_H

#include "core/median_network.h"
#include "core/op.h"
#include "ops/stack/slices.h"

namespace zp {
namespace detail_focus_stack {

enum class Method : int { laplacian, tenengrad };

/// Three rows around a pixel, samples of its neighbours at `left` and `right`.
template <class T>
struct Around {
  const T *above, *here, *below;

  /// Squared contrast, summed over the channels.
  ZP_HD float contrast(Method method, std::ptrdiff_t left, std::ptrdiff_t centre, std::ptrdiff_t right,
                       int channels) const {
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c)
      sum = sum + (method == Method::laplacian ? laplacian(left + c, centre + c, right + c)
                                               : tenengrad(left + c, centre + c, right + c));
    return sum;
  }

 private:
  ZP_HD float laplacian(std::ptrdiff_t l, std::ptrdiff_t c, std::ptrdiff_t r) const {
    const float v = ((float(here[l]) + float(here[r])) + (float(above[c]) + float(below[c]))) - 4.0f * float(here[c]);
    return v * v;
  }
  ZP_HD float tenengrad(std::ptrdiff_t l, std::ptrdiff_t c, std::ptrdiff_t r) const {
    const float x = ((float(above[r]) - float(above[l])) + 2.0f * (float(here[r]) - float(here[l]))) +
                    (float(below[r]) - float(below[l]));
    const float y = ((float(below[l]) - float(above[l])) + 2.0f * (float(below[c]) - float(above[c]))) +
                    (float(below[r]) - float(above[r]));
    return x * x + y * y;
  }
};

inline constexpr int kLargestRadius = 15;

/// Energy of one slice, and where it is the largest so far its number. With one thread, loops over a row of pixels are
/// innermost, so that they vectorise.
template <class T, int Threads>
struct Sharpest {
  static constexpr int threads = Threads, phases = 3;
  static constexpr int kWide = Threads == 1 ? 256 : 64, kHigh = Threads == 1 ? 32 : 16;
  static constexpr int kPitch = kWide + 2 * kLargestRadius, kLines = kHigh + 2 * kLargestRadius;
  struct Shared {
    float contrast[kLines][kPitch];
    float sum[kLines][kWide];  ///< of 2 radius + 1 in a row
  };
  View<const T> in;
  View<float> largest;
  View<std::uint16_t> index;
  int slice, radius;
  Method method;
  static constexpr std::tuple pointers{&Sharpest::in, &Sharpest::largest, &Sharpest::index};

  template <int P>
  ZP_HD void phase(Block2 block, Shared& s) const {
    const int x0 = block.x * kWide, y0 = block.y * kHigh;
    const int n = smaller(kWide, in.width - x0), lines = smaller(kHigh, in.height - y0);
    if constexpr (Threads == 1) {
      if constexpr (P == 0)
        for (int j = 0; j < lines + 2 * radius; ++j) contrast_row(x0, y0 + j - radius, n + 2 * radius, s.contrast[j]);
      else if constexpr (P == 1)
        for (int j = 0; j < lines + 2 * radius; ++j) sum_row(s.contrast[j], n, s.sum[j]);
      else
        for (int j = 0; j < lines; ++j) choose_row(s, j, n, x0, y0 + j);
    } else {
      const int rows = P == 2 ? lines : lines + 2 * radius, columns = P == 0 ? n + 2 * radius : n;
      constexpr int step = P == 0 ? kPitch : kWide;
      for (int k = block.thread; k < rows * step; k += Threads) {
        const int j = k / step, i = k % step;
        if (i >= columns) continue;
        if constexpr (P == 0) {
          const int y = inside(y0 + j - radius, in.height);
          s.contrast[j][i] = contrast_at(around(y), inside(x0 + i - radius, in.width));
        } else if constexpr (P == 1) {
          float sum = s.contrast[j][i];
          for (int d = 1; d <= 2 * radius; ++d) sum = sum + s.contrast[j][i + d];
          s.sum[j][i] = sum;
        } else {
          float sum = s.sum[j][i];
          for (int d = 1; d <= 2 * radius; ++d) sum = sum + s.sum[j + d][i];
          choose(sum, largest.row(y0 + j)[x0 + i], index.row(y0 + j)[x0 + i]);
        }
      }
    }
  }

 private:
  /// The contrast is as symmetric about the edge as the picture, so that its place may be reflected instead.
  ZP_HD static int inside(int i, int n) { return border_index(i, n, Border::reflect101); }

  ZP_HD Around<T> around(int y) const {
    return {in.row(inside(y - 1, in.height)), in.row(y), in.row(inside(y + 1, in.height))};
  }
  ZP_HD float contrast_at(const Around<T>& rows, int x) const {
    const auto at = [&](int i) { return std::ptrdiff_t(inside(i, in.width)) * in.channels; };
    return rows.contrast(method, at(x - 1), at(x), at(x + 1), in.channels);
  }

  /// NaN is not larger than anything.
  ZP_HD void choose(float energy, float& best, std::uint16_t& best_slice) const {
    const bool wins = slice == 0 || energy > best;
    best_slice = wins ? std::uint16_t(slice) : best_slice;
    best = wins ? (energy == energy ? energy : -1.0f) : best;
  }

  ZP_HD void contrast_row(int x0, int y, int count, float* __restrict to) const {
    const Around<T> rows = around(inside(y, in.height));
    const int first = x0 - radius;
    const int begin = clamped(1 - first, 0, count), end = clamped(in.width - 1 - first, begin, count);
    for (int i = 0; i < begin; ++i) to[i] = contrast_at(rows, inside(first + i, in.width));
    for (int i = end; i < count; ++i) to[i] = contrast_at(rows, inside(first + i, in.width));
    if (method == Method::laplacian)
      contrast_run<Method::laplacian>(rows, first + begin, end - begin, to + begin);
    else
      contrast_run<Method::tenengrad>(rows, first + begin, end - begin, to + begin);
  }
  template <Method M>
  ZP_HD void contrast_run(const Around<T>& rows, int x, int n, float* __restrict to) const {
    const int channels = in.channels;
    if (channels == 1) {
      for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = rows.contrast(M, x + i - 1, x + i, x + i + 1, 1);
    } else {
      for (std::ptrdiff_t i = 0; i < n; ++i)
        to[i] = rows.contrast(M, (x + i - 1) * channels, (x + i) * channels, (x + i + 1) * channels, channels);
    }
  }
  ZP_HD void sum_row(const float* from, int n, float* __restrict to) const {
    for (int i = 0; i < n; ++i) to[i] = from[i];
    for (int d = 1; d <= 2 * radius; ++d)
      for (int i = 0; i < n; ++i) to[i] = to[i] + from[i + d];
  }
  ZP_HD void choose_row(const Shared& s, int j, int n, int x0, int y) const {
    float sum[kWide];
    for (int i = 0; i < n; ++i) sum[i] = s.sum[j][i];
    for (int d = 1; d <= 2 * radius; ++d)
      for (int i = 0; i < n; ++i) sum[i] = sum[i] + s.sum[j + d][i];
    float* __restrict best = largest.row(y) + x0;
    std::uint16_t* __restrict best_slice = index.row(y) + x0;
    for (int i = 0; i < n; ++i) choose(sum[i], best[i], best_slice[i]);
  }
};

/// Pixels of those slices of a group that the index names.
template <class T, int Threads>
struct Compose {
  static constexpr int threads = Threads, phases = 1;
  static constexpr int kRun = detail_stack::kRun<Threads>;
  struct Shared {};
  const T* slices[detail_stack::kGroup];
  std::ptrdiff_t pitches[detail_stack::kGroup];  ///< bytes
  View<const std::uint16_t> index;
  View<T> out;
  int begin, count;  ///< slices
  static constexpr std::tuple pointers{&Compose::slices, &Compose::index, &Compose::out};

  template <int P>
  ZP_HD void phase(Block2 block, Shared&) const {
    const std::int64_t first = (std::int64_t(block.x) * Threads + block.thread) * kRun;
    const std::int64_t last = smaller<std::int64_t>(first + kRun, out.width);
    const std::uint16_t* of = index.row(block.y);
    T* to = out.row(block.y);
    for (std::ptrdiff_t x = first; x < last; ++x) {
      const int k = int(of[x]) - begin;
      if (k < 0 || k >= count) continue;
      const T* from = detail_stack::row_of(slices[k], pitches[k], block.y) + x * out.channels;
      for (int c = 0; c < out.channels; ++c) to[x * out.channels + c] = from[c];
    }
  }
};

}  // namespace detail_focus_stack

/// Each pixel from the slice that is sharpest around it, or the number of that slice (from 0, u16, one channel): a
/// depth map in units of the distance between slices.
///
/// Sharpness is the squared contrast, summed over the channels and over a square of (2 radius + 1)^2 pixels. laplacian:
/// the square of left + right + above + below - 4 centre (energy of the Laplacian, Subbarao and Tyan, IEEE PAMI 20,
/// 1998). tenengrad: the sum of squares of the two Sobel derivatives (Tenenbaum 1970; Krotkov, IJCV 1, 1988). All in
/// f32: rows of the square from left to right, then their sums from top to bottom; the image is reflected about its
/// edge pixels. The first of equally sharp slices wins, so that featureless places have depth 0; a slice with NaN in
/// reach never wins against one without. Then the numbers are smoothed by a median over a square of `consistency`,
/// which takes out lone wrong ones, edges repeated.
struct FocusStack {
  using Shape = Composite;
  static constexpr Info info{.name = "focus_stack",
                             .family = "stack",
                             .summary = "one sharp image from slices focused at different depths, or their depth map",
                             .min_inputs = 1,
                             .max_inputs = detail_stack::kMostSlices,
                             .output = Output::any,
                             .opencv = "it has no focus stacking; Laplacian or Sobel, boxFilter and argmax by hand",
                             .scikit_image = "it has none; the same from numpy.argmax over scipy.ndimage sums",
                             .stack = true};
  static constexpr std::string_view input_names[] = {"slices"};
  using Method = detail_focus_stack::Method;
  static constexpr std::string_view kMethods[] = {"laplacian", "tenengrad"};
  enum class Product : int { image, depth };
  static constexpr std::string_view kProducts[] = {"image", "depth"};
  int radius = 4;
  Method method = Method::laplacian;
  int consistency = 1;
  Product product = Product::image;
  static constexpr std::tuple parameters{
      parameter("radius", &FocusStack::radius, "half width of the square over which sharpness is summed",
                {.low = 0, .high = detail_focus_stack::kLargestRadius, .unit = "pixels"}),
      parameter("method", &FocusStack::method, "what sharpness is", {.choices = kMethods}),
      parameter("consistency", &FocusStack::consistency,
                "half width of the median over the slice numbers; 0: as they are",
                {.low = 0, .high = 2, .unit = "pixels"}),
      parameter("output", &FocusStack::product, "the sharp image, or the number of the sharpest slice",
                {.choices = kProducts})};
  static constexpr Case cases[] = {{""},
                                   {"radius=2,method=tenengrad,consistency=2", kAnyFormat, 3},
                                   {"output=depth"},
                                   {"radius=0,method=tenengrad,consistency=0,output=depth", kAnyFormat, 2}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    detail_stack::require_equal_slices(info.name, in);
    return product == Product::image ? in[0] : PlaneShape{in[0].width, in[0].height, 1, Format::u16};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    // A depth map from u16 slices has their format too.
    if constexpr (std::is_same_v<Out, std::uint16_t>)
      if (product == Product::depth) return smooth<In>(exec, operands, operands.output<Out>());
    if constexpr (std::is_same_v<In, Out>) {
      const View<std::uint16_t> index =
          exec.template plane<std::uint16_t>(operands.out.shape.width, operands.out.shape.height);
      smooth<In>(exec, operands, index);
      compose<In>(exec, operands, index);
    }
  }

 private:
  template <class Exec>
  static constexpr int kThreads = Exec::name == "cpu" ? 1 : 256;

  /// The number of the sharpest slice, smoothed.
  template <class T, class Exec>
  void smooth(Exec& exec, const Operands& operands, const View<std::uint16_t>& to) const {
    if (consistency == 0) return sharpest<T>(exec, operands, to);
    const View<std::uint16_t> raw = exec.template plane<std::uint16_t>(to.width, to.height);
    sharpest<T>(exec, operands, raw);
    if (consistency == 1)
      exec.stencil(NetworkMedian<1>{}, to, View<const std::uint16_t>(raw), Border::replicate);
    else
      exec.stencil(NetworkMedian<2>{}, to, View<const std::uint16_t>(raw), Border::replicate);
  }

  template <class T, class Exec>
  void sharpest(Exec& exec, const Operands& operands, const View<std::uint16_t>& index) const {
    using Body = detail_focus_stack::Sharpest<T, kThreads<Exec>>;
    const View<float> largest = exec.template plane<float>(index.width, index.height);
    for (std::size_t k = 0; k < operands.in.size(); ++k)
      exec.tiles(Body{operands.input<T>(k), largest, index, int(k), radius, method},
                 (index.width + Body::kWide - 1) / Body::kWide, (index.height + Body::kHigh - 1) / Body::kHigh);
  }

  template <class T, class Exec>
  static void compose(Exec& exec, const Operands& operands, const View<std::uint16_t>& index) {
    detail_focus_stack::Compose<T, kThreads<Exec>> body{};
    body.index = index;
    body.out = operands.output<T>();
    for (std::size_t begin = 0; begin < operands.in.size(); begin += std::size_t(body.count)) {
      body.begin = int(begin);
      body.count = detail_stack::take_slices(operands, begin, body.slices, body.pitches);
      detail_stack::launch_runs(exec, body, index.width, index.height);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(FocusStack)
