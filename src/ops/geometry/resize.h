// Another size of the same picture.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_RESIZE_H
#define ZP_OPS_GEOMETRY_RESIZE_H

#include <cmath>

#include "core/op.h"
#include "ops/geometry/resize_table.h"
#include "ops/geometry/sample.h"

namespace zp {
namespace detail_resize {

/// How the taps of an axis are joined: two by distance; or weighted, and divided once at the end.
enum class Join { linear, weighted };

/// Tables at the addresses of the executor.
struct Columns {
  const int *first, *count;
  const float* weights;
  int stride;
};

struct Nearest {
  const int *columns, *rows;
  static constexpr std::tuple pointers{&Nearest::columns, &Nearest::rows};
  template <class Source>
  ZP_HD auto operator()(const Source& in, int x, int y) const {
    return in.at(columns[x], rows[y]);
  }
};

/// Column `x` of the input, its rows joined for output row y.
template <Join J>
struct Vertical {
  const int *first, *count;
  const float* weights;
  int stride;
  static constexpr std::tuple pointers{&Vertical::first, &Vertical::count, &Vertical::weights};

  template <class Source>
  ZP_HD Pixel<float, Source::channels> operator()(const Source& in, int x, int y) const {
    constexpr int N = Source::channels;
    const int top = first[y];
    const float* w = weights + std::ptrdiff_t(y) * stride;
    Pixel<float, N> out;
    const auto p = in.at(x, top);
    if constexpr (J == Join::linear) {
      const auto q = in.at(x, top + (w[0] != 0.0f));
      for (int c = 0; c < N; ++c) out[c] = between(float(p[c]), float(q[c]), w[0]);
    } else {
      for (int c = 0; c < N; ++c) out[c] = w[0] * float(p[c]);
      for (int k = 1; k < count[y]; ++k) {
        const auto q = in.at(x, top + k);
        for (int c = 0; c < N; ++c) out[c] = out[c] + w[k] * float(q[c]);
      }
    }
    return out;
  }
};

/// Output column x from columns that `read(column)` gives.
template <Join J, int N, class Read>
ZP_HD Pixel<float, N> join_columns(const Columns& t, int x, float divisor, const Read& read) {
  const int left = t.first[x];
  const float* w = t.weights + std::ptrdiff_t(x) * t.stride;
  Pixel<float, N> out = read(left);
  if constexpr (J == Join::linear) {
    const Pixel<float, N> q = read(left + (w[0] != 0.0f));
    for (int c = 0; c < N; ++c) out[c] = between(out[c], q[c], w[0]);
  } else {
    for (int c = 0; c < N; ++c) out[c] = w[0] * out[c];
    for (int k = 1; k < t.count[x]; ++k) {
      const Pixel<float, N> q = read(left + k);
      for (int c = 0; c < N; ++c) out[c] = out[c] + w[k] * q[c];
    }
    for (int c = 0; c < N; ++c) out[c] = out[c] / divisor;
  }
  return out;
}

/// The second of two passes, over a plane that Vertical made.
template <Join J>
struct Horizontal {
  const int *first, *count;
  const float* weights;
  int stride;
  float divisor;
  static constexpr std::tuple pointers{&Horizontal::first, &Horizontal::count, &Horizontal::weights};

  template <class Source>
  struct Read {
    const Source& in;
    int y;
    ZP_HD auto operator()(int x) const { return in.at(x, y); }
  };
  template <class Source>
  ZP_HD Pixel<float, Source::channels> operator()(const Source& in, int x, int y) const {
    return join_columns<J, Source::channels>(Columns{first, count, weights, stride}, x, divisor, Read<Source>{in, y});
  }
};

/// Both passes at once, for few taps.
template <Join J>
struct Direct {
  const int *first, *count;
  const float* weights;
  int stride;
  const int *row_first, *row_count;
  const float* row_weights;
  int row_stride;
  float divisor;
  static constexpr std::tuple pointers{&Direct::first,     &Direct::count,     &Direct::weights,
                                       &Direct::row_first, &Direct::row_count, &Direct::row_weights};

  template <class Source>
  struct Read {
    const Source& in;
    const Vertical<J>& vertical;
    int y;
    ZP_HD auto operator()(int x) const { return vertical(in, x, y); }
  };
  template <class Source>
  ZP_HD Pixel<float, Source::channels> operator()(const Source& in, int x, int y) const {
    const Vertical<J> vertical{row_first, row_count, row_weights, row_stride};
    return join_columns<J, Source::channels>(Columns{first, count, weights, stride}, x, divisor,
                                             Read<Source>{in, vertical, y});
  }
};

/// Output columns [begin, end), whose source columns [first, last) fit in a line, or one that alone does not.
struct Run {
  int begin, end, first, last;
};

/// For the CPU: the rows of an output row are joined into a line in L1, in a loop that vectorises, then its columns.
template <Join J, class T>
struct Lines {
  static constexpr int threads = 1, phases = 1;
  static constexpr int kRows = 8;
  static constexpr int kSamples = 4096;
  struct Shared {
    float line[kSamples];
  };
  View<T> out;
  View<const T> in;
  Direct<J> tables;
  const Run* runs;
  int run_count;

  static std::vector<Run> runs_of(const Table& columns, int channels) {
    std::vector<Run> all;
    const int most = kSamples / channels;
    const int width = int(columns.first.size());
    for (int x = 0; x < width; ++x) {
      const int first = columns.first[std::size_t(x)], last = first + columns.count[std::size_t(x)];
      if (all.empty() || first < all.back().first || larger(last, all.back().last) - all.back().first > most)
        all.push_back({x, x, first, last});
      all.back().end = x + 1;
      all.back().last = larger(last, all.back().last);
    }
    return all;
  }

  template <int P>
  ZP_HD void phase(Block2 block, Shared& shared) const {
    const int y0 = block.y * kRows, y1 = smaller(y0 + kRows, out.height);
    for (int y = y0; y < y1; ++y)
      for (int k = 0; k < run_count; ++k) {
        const Run run = runs[k];
        if (run.last - run.first <= kSamples / in.channels) {
          join_rows(y, run.first, run.last, shared.line);
          join_line(y, run, shared.line);
        } else {
          long_column(y, run.begin, shared.line);
        }
      }
  }

 private:
  ZP_HD void join_rows(int y, int first, int last, float* __restrict line) const {
    const int n = (last - first) * in.channels, top = tables.row_first[y];
    const float* w = tables.row_weights + std::ptrdiff_t(y) * tables.row_stride;
    const T* p = in.row(top) + std::ptrdiff_t(first) * in.channels;
    if constexpr (J == Join::linear) {
      const float t = w[0];
      const T* q = in.row(top + (t != 0.0f)) + std::ptrdiff_t(first) * in.channels;
      if (t == 0.0f)
        for (int i = 0; i < n; ++i) line[i] = float(p[i]);
      else
        for (int i = 0; i < n; ++i) line[i] = float(p[i]) + (float(q[i]) - float(p[i])) * t;
    } else {
      for (int i = 0; i < n; ++i) line[i] = w[0] * float(p[i]);
      for (int k = 1; k < tables.row_count[y]; ++k) {
        const T* q = in.row(top + k) + std::ptrdiff_t(first) * in.channels;
        const float weight = w[k];
        for (int i = 0; i < n; ++i) line[i] = line[i] + weight * float(q[i]);
      }
    }
  }

  ZP_HD void join_line(int y, const Run& run, const float* line) const {
    switch (in.channels) {
      case 1:
        return join_columns_of<1>(y, run, line);
      case 2:
        return join_columns_of<2>(y, run, line);
      case 3:
        return join_columns_of<3>(y, run, line);
      default:
        return join_columns_of<4>(y, run, line);
    }
  }
  template <int N>
  struct Read {
    const float* line;
    ZP_HD Pixel<float, N> operator()(int x) const {
      Pixel<float, N> p;
      for (int c = 0; c < N; ++c) p[c] = line[x * N + c];
      return p;
    }
  };
  template <int N>
  ZP_HD void join_columns_of(int y, const Run& run, const float* line) const {
    T* __restrict o = out.row(y);
    const Columns t{tables.first, tables.count, tables.weights, tables.stride};
    const float divisor = tables.divisor;
    const Read<N> read{line - std::ptrdiff_t(run.first) * N};
    for (int x = run.begin; x < run.end; ++x) {
      const Pixel<float, N> p = join_columns<J, N>(t, x, divisor, read);
      for (int c = 0; c < N; ++c) o[std::ptrdiff_t(x) * N + c] = to_sample<T>(p[c]);
    }
  }

  ZP_HD_APART void long_column(int y, int x, float* line) const {
    const int first = tables.first[x], count = tables.count[x], channels = in.channels, most = kSamples / channels;
    const float* w = tables.weights + std::ptrdiff_t(x) * tables.stride;
    float sum[4] = {};
    for (int begin = 0; begin < count; begin += most) {
      const int end = smaller(begin + most, count);
      join_rows(y, first + begin, first + end, line);
      for (int k = begin; k < end; ++k)
        for (int c = 0; c < channels; ++c) {
          const float term = w[k] * line[(k - begin) * channels + c];
          sum[c] = k == 0 ? term : sum[c] + term;
        }
    }
    for (int c = 0; c < channels; ++c)
      out.row(y)[std::ptrdiff_t(x) * channels + c] = to_sample<T>(sum[c] / tables.divisor);
  }
};

/// For the CPU: half the size of one channel of integers, where linear is the mean of four samples: exact, half to
/// even.
template <class T>
struct Halves {
  static constexpr int threads = 1, phases = 1, kRows = 8;
  struct Shared {};
  View<T> out;
  View<const T> in;

  template <int P>
  ZP_HD void phase(Block2 block, Shared&) const {
    using Sum = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;
    constexpr int kRun = 512;
    Sum sums[2 * kRun];
    for (int y = block.y * kRows; y < smaller(block.y * kRows + kRows, out.height); ++y)
      for (int x = 0; x < out.width; x += kRun) {
        const int n = smaller(kRun, out.width - x);
        const T* p = in.row(2 * y) + 2 * std::ptrdiff_t(x);
        const T* q = in.row(2 * y + 1) + 2 * std::ptrdiff_t(x);
        T* __restrict o = out.row(y) + x;
        for (int i = 0; i < 2 * n; ++i) sums[i] = Sum(Sum(p[i]) + Sum(q[i]));
        for (int i = 0; i < n; ++i) {
          const Sum sum = Sum(sums[2 * i] + sums[2 * i + 1]);
          o[i] = T(Sum(sum + 1 + (sum >> 2 & 1)) >> 2);
        }
      }
  }
};

/// For the CPU: linear from far apart columns, which leaves most of each row unread.
template <class T>
struct Sparse {
  static constexpr int threads = 1, phases = 1, kRows = 8;
  struct Shared {};
  View<T> out;
  View<const T> in;
  Direct<Join::linear> tables;

  template <int P>
  ZP_HD void phase(Block2 block, Shared&) const {
    const Columns t{tables.first, tables.count, tables.weights, tables.stride};
    for (int y = block.y * kRows; y < smaller(block.y * kRows + kRows, out.height); ++y) {
      const int top = tables.row_first[y];
      const float down = tables.row_weights[std::ptrdiff_t(y) * tables.row_stride];
      const T* p = in.row(top);
      const T* q = in.row(top + (down != 0.0f));
      T* __restrict o = out.row(y);
      for (int x = 0; x < out.width; ++x) {
        const float right = t.weights[std::ptrdiff_t(x) * t.stride];
        const int i = t.first[x], j = i + (right != 0.0f);
        const float a = between(float(p[i]), float(q[i]), down), b = between(float(p[j]), float(q[j]), down);
        o[x] = to_sample<T>(between(a, b, right));
      }
    }
  }
};

}  // namespace detail_resize

/// Pixel centres: source = (destination + 0.5) * S / D - 0.5, with S / D from the actual sizes, as whole numbers;
/// indices and weights come from tables in double. Give width and height, or one of them (the other keeps the
/// proportions), or scale: width = round(S * scale), at least 1.
///
/// nearest: pixel floor((d + 0.5) S / D). linear: the two nearest. cubic: Keys, IEEE ASSP 29 (1981), a = -0.75.
/// lanczos3: sinc(t) sinc(t / 3), |t| < 3 (Duchon 1979), weights scaled to sum 1. For these three the edge pixel
/// repeats outside. area: the exact average of what the destination pixel covers, shrinking or enlarging: whole-number
/// weights and one division, so that sums of u8 and u16 under 2^24 are exact. antialias: where an axis shrinks, linear,
/// cubic and lanczos3 are stretched by S / D; what reaches outside is left out and the weights are scaled to sum 1 (as
/// Pillow and PyTorch do); no effect on nearest and area. Rows are joined first, then columns, in f32; integer results
/// clamp and never wrap. NaN spreads to what has it with a weight other than 0. Sizes are independent: an axis of equal
/// size is copied.
struct Resize {
  using Shape = Gather;
  static constexpr Info info{
      .name = "resize",
      .family = "geometry",
      .summary = "another size of the same picture",
      .opencv =
          "as resize: nearest is INTER_NEAREST_EXACT, linear and cubic within 1 (fixed-point weights "
          "there); it has Lanczos of 8 taps; antialias: it has none",
      .scikit_image =
          "as transform.resize order 0 and 1 without its Gaussian; its cubic is a spline; area of a whole "
          "factor is downscale_local_mean",
      .npp = "as Resize with the centre convention; its cubic is Catmull-Rom"};
  enum class Method : int { nearest, linear, cubic, area, lanczos3 };
  static constexpr std::string_view kMethods[] = {"nearest", "linear", "cubic", "area", "lanczos3"};
  int width = 0, height = 0;
  float scale = kAutomatic;
  Method method = Method::linear;
  bool antialias = false;
  static constexpr std::tuple parameters{
      parameter(
          "width", &Resize::width, "of the result",
          {.low = 0, .high = kLargestSide, .unit = "pixels", .automatic = "0: from scale, or in proportion to height"}),
      parameter(
          "height", &Resize::height, "of the result",
          {.low = 0, .high = kLargestSide, .unit = "pixels", .automatic = "0: from scale, or in proportion to width"}),
      parameter("scale", &Resize::scale, "result size / image size, instead of width and height",
                {.low = 1e-9, .high = 1e9, .automatic = "from width and height"}),
      parameter("method", &Resize::method, "how pixels are joined", {.choices = kMethods}),
      parameter("antialias", &Resize::antialias, "stretch the kernel where the image shrinks")};
  static constexpr Case cases[] = {{"scale=0.5"},
                                   {"width=77,height=53,method=cubic"},
                                   {"scale=0.37,method=area", kAnyFormat, 3},
                                   {"scale=1.7,method=nearest"},
                                   {"scale=0.3,method=lanczos3,antialias=true"},
                                   {"width=40,antialias=true"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    const bool scaled = !is_automatic(scale);
    if (scaled && (width != 0 || height != 0))
      refuse(info.name, "scale and width or height are given; give one of the two");
    if (!scaled && width == 0 && height == 0) refuse(info.name, "width, height or scale must be given");
    if (scaled) {
      out.width = side("width", in[0].width, double(scale));
      out.height = side("height", in[0].height, double(scale));
    } else {
      out.width = width != 0 ? width : side("width", in[0].width, double(height) / in[0].height);
      out.height = height != 0 ? height : side("height", in[0].height, double(width) / in[0].width);
    }
    return out;
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    using detail_resize::Join, detail_resize::Kernel, detail_resize::Table;
    const View<const In> in = operands.input<In>();
    const View<In> out = operands.output<In>();
    const Kernel kernel = kernel_of(method);
    const bool stretched = antialias && (in.width > out.width || in.height > out.height);
    if (kernel == Kernel::linear && !stretched) {
      launch<Join::linear>(exec, out, in, detail_resize::plain_linear_table(in.width, out.width),
                           detail_resize::plain_linear_table(in.height, out.height));
      return;
    }
    const Table columns = detail_resize::weight_table(kernel, in.width, out.width, antialias);
    const Table rows = detail_resize::weight_table(kernel, in.height, out.height, antialias);
    if (kernel == Kernel::nearest)
      exec.gather(detail_resize::Nearest{exec.upload(columns.first), exec.upload(rows.first)}, out, in);
    else
      launch<Join::weighted>(exec, out, in, columns, rows);
  }

 private:
  static int side(std::string_view name, int from, double factor) {
    if (from == 0) return 0;
    const double exact = std::round(double(from) * factor);
    if (!(exact <= kLargestSide))
      refuse(info.name,
             "the " + std::string(name) + " would be " + std::to_string(exact) + " pixels, allowed 1 to 1073741824");
    return exact < 1 ? 1 : int(exact);
  }

  static detail_resize::Kernel kernel_of(Method method) {
    using detail_resize::Kernel;
    switch (method) {
      case Method::nearest:
        return Kernel::nearest;
      case Method::linear:
        return Kernel::linear;
      case Method::cubic:
        return Kernel::cubic;
      case Method::area:
        return Kernel::area;
      default:
        return Kernel::lanczos3;
    }
  }

  /// More taps than this, and a plane between two passes costs less than reading the neighbourhood.
  static constexpr std::int64_t kDirectTaps = 16;

  template <detail_resize::Join J, class T, class Exec>
  static void launch(Exec& exec, const View<T>& out, const View<const T>& in, const detail_resize::Table& columns,
                     const detail_resize::Table& rows) {
    const detail_resize::Direct<J> direct{
        exec.upload(columns.first),    exec.upload(columns.count), exec.upload(columns.weights), columns.stride,
        exec.upload(rows.first),       exec.upload(rows.count),    exec.upload(rows.weights),    rows.stride,
        columns.divisor * rows.divisor};
    if constexpr (Exec::name == "cpu") {
      if constexpr (J == detail_resize::Join::linear) {
        if constexpr (std::is_integral_v<T>) {
          using Half = detail_resize::Halves<T>;
          if (in.channels == 1 && in.width == 2 * std::int64_t(out.width) && in.height == 2 * std::int64_t(out.height))
            return exec.tiles(Half{out, in}, 1, (out.height + Half::kRows - 1) / Half::kRows);
        }
        using Few = detail_resize::Sparse<T>;
        if (in.channels == 1 && in.width >= 3 * std::int64_t(out.width))
          return exec.tiles(Few{out, in, direct}, 1, (out.height + Few::kRows - 1) / Few::kRows);
      }
      using Tile = detail_resize::Lines<J, T>;
      const std::vector<detail_resize::Run> runs = Tile::runs_of(columns, in.channels);
      exec.tiles(Tile{out, in, direct, exec.upload(runs), int(runs.size())}, 1,
                 (out.height + Tile::kRows - 1) / Tile::kRows);
    } else if (std::int64_t(columns.longest) * rows.longest <= kDirectTaps) {
      exec.gather(direct, out, in);
    } else {
      const View<float> between_passes = exec.template plane<float>(in.width, out.height, in.channels);
      exec.gather(detail_resize::Vertical<J>{direct.row_first, direct.row_count, direct.row_weights, direct.row_stride},
                  between_passes, in);
      exec.gather(
          detail_resize::Horizontal<J>{direct.first, direct.count, direct.weights, direct.stride, direct.divisor}, out,
          View<const float>(between_passes));
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Resize)
