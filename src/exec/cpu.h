// The CPU executor: row bands on threads, inner loops cloned for AVX2 and AVX-512.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_EXEC_CPU_H
#define ZP_EXEC_CPU_H

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/threads.h"
#include "exec/workspace.h"

namespace zp::exec {

namespace clone {
// The same loop for three instruction sets; `flatten` takes the functor along. No FMA: contraction is off anyway.
// Each works on its own copy of the loop: a store of bytes could change what a reference leads to, and such a loop does
// not vectorise.
template <class Loop>
__attribute__((flatten, noinline)) void baseline(const Loop& loop) {
  const Loop local = loop;
  local();
}
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(ZEROPLANE_SANITIZED)
#if defined(__clang__)
#define ZP_AVX512 "avx512f,avx512bw,avx512dq,avx512vl"
#else
#define ZP_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"
#endif
template <class Loop>
__attribute__((target("avx2"), flatten, noinline)) void avx2(const Loop& loop) {
  const Loop local = loop;
  local();
}
template <class Loop>
__attribute__((target(ZP_AVX512), flatten, noinline)) void avx512(const Loop& loop) {
  const Loop local = loop;
  local();
}
template <class Loop>
void run(const Loop& loop) {
  switch (cpu_level()) {
    case CpuLevel::avx512:
      avx512(loop);
      return;
    case CpuLevel::avx2:
      avx2(loop);
      return;
    default:
      baseline(loop);
  }
}
#else
template <class Loop>
void run(const Loop& loop) {
  baseline(loop);
}
#endif
}  // namespace clone

/// A fold that adds weight * sample over the window: `float weight(dx, dy)`, `end(sum)`; samples of weight 0 are not
/// read.
template <class F>
concept WeightedFold = requires(const F& f) {
  { f.weight(0, 0) } -> std::same_as<float>;
};

/// A Point functor that is nothing but a table of bytes.
template <class F>
concept ByteTable = requires(const F& f) {
  { f.table } -> std::convertible_to<const std::uint8_t*>;
  requires sizeof(F) == sizeof(f.table);
};

class Cpu : public Common {
 public:
  static constexpr std::string_view name = "cpu";
  using Common::Common;

  template <class F, class U, class... T>
  void point(const F& f, View<U> out, View<const T>... in) {
    if (out.width <= 0 || out.height <= 0) return;
    if constexpr (PixelFunctor<F>) {
      rows(out, [&](int y) { pixel_row(f, out, y, in...); });
    } else if (((in.channels == out.channels) && ...)) {
      const bool tight = ((out.pitch == row_bytes(out)) && ... && (in.pitch == row_bytes(in)));
      const std::int64_t row = std::int64_t(out.width) * out.channels;
      if (tight) {
        parallel_for(row * out.height, kGrain, [&](std::int64_t begin, std::int64_t end) {
          sample_row(f, end - begin, out.data + begin, (in.data + begin)...);
        });
      } else {
        rows(out, [&](int y) { sample_row(f, row, out.row(y), in.row(y)...); });
      }
    } else {
      rows(out, [&](int y) {
        broadcast_row(f, out.width, out.channels, out.row(y), std::pair{in.row(y), in.channels}...);
      });
    }
  }

  template <class F, class U, class T>
  void gather(const F& f, View<U> out, View<const T> in) {
    if (out.width <= 0 || out.height <= 0) return;
    with_channels<F>(in.channels, [&](auto n) {
      constexpr int N = decltype(n)::value;
      const Source<T, N> source{in};
      rows(out, [&](int y) {
        U* o = out.row(y);
        const int width = out.width, channels = out.channels;
        const auto loop = [=] {
          for (int x = 0; x < width; ++x) store_pixel(o + std::ptrdiff_t(x) * channels, f(source, x, y));
        };
        clone::run(loop);
      });
    });
  }

  template <class F, class U, class T>
  void stencil(const F& f, View<U> out, View<const T> in, Border border, float outside = 0.0f) {
    if (out.width <= 0 || out.height <= 0) return;
    const Extent radius = f.radius();
    const int channels = in.channels, ring = 2 * radius.height + 1;
    const std::ptrdiff_t reach = std::ptrdiff_t(radius.width) * channels, samples = std::ptrdiff_t(in.width) * channels;
    const std::ptrdiff_t stride = samples + 2 * reach + 64;
    const T fill = to_sample<T>(outside);
    // A band repeats 2 * radius rows of its neighbours' extension: bands of several windows keep that small.
    const std::int64_t grain =
        std::max<std::int64_t>(std::int64_t(4) * ring, kGrain / std::max<std::ptrdiff_t>(samples, 1) + 1);
    parallel_for(out.height, grain, [&](std::int64_t begin, std::int64_t end) {
      const std::unique_ptr<T[]> buffer(new T[std::size_t(stride) * std::size_t(ring)]);
      std::vector<const T*> window(static_cast<std::size_t>(ring));
      const auto extend = [&](std::int64_t y) {  // source row y, borders included, into its place in the ring
        T* row = buffer.get() + stride * (((y % ring) + ring) % ring);
        extend_row(row, in, y, radius.width, border, fill);
        return row + reach;
      };
      for (std::int64_t y = begin - radius.height; y < begin + radius.height; ++y) extend(y);
      for (std::int64_t y = begin; y < end; ++y) {
        extend(y + radius.height);
        for (int k = 0; k < ring; ++k) {
          const std::int64_t source = y - radius.height + k;
          window[std::size_t(k)] = buffer.get() + stride * (((source % ring) + ring) % ring) + reach;
        }
        stencil_row(f, out.row(int(y)), samples, channels, window.data() + radius.height, radius);
      }
    });
  }

  /// A stencil along x into samples of V, then one along y: as two calls of stencil, but what lies between them stays
  /// in the cache.
  template <class V, class F, class G, class U, class T>
  void stencil_pair(const F& f, const G& g, View<U> out, View<const T> in, Border border, float outside,
                    float outside_between) {
    if (out.width <= 0 || out.height <= 0) return;
    const int channels = in.channels, reach_x = f.radius().width, reach_y = g.radius().height, ring = 2 * reach_y + 1;
    const std::ptrdiff_t reach = std::ptrdiff_t(reach_x) * channels, samples = std::ptrdiff_t(in.width) * channels;
    const std::ptrdiff_t stride = samples + 64;
    const T fill = to_sample<T>(outside);
    const V fill_between = to_sample<V>(outside_between);
    const std::int64_t grain =
        std::max<std::int64_t>(std::int64_t(4) * ring, kGrain / std::max<std::ptrdiff_t>(samples, 1) + 1);
    parallel_for(out.height, grain, [&](std::int64_t begin, std::int64_t end) {
      const std::unique_ptr<T[]> line(new T[std::size_t(samples + 2 * reach + 64)]);
      const std::unique_ptr<float[]> converted(WeightedFold<F> ? new float[std::size_t(samples + 2 * reach + 64)]
                                                               : nullptr);
      const std::unique_ptr<V[]> buffer(new V[std::size_t(stride) * std::size_t(ring)]);
      std::vector<const V*> window(static_cast<std::size_t>(ring));
      const auto slot = [&](std::int64_t y) { return buffer.get() + stride * (((y % ring) + ring) % ring); };
      const auto pass_x = [&](std::int64_t y) {
        const int source = border_index(int(y), in.height, border);
        if (source < 0) {
          std::fill(slot(y), slot(y) + samples, fill_between);
          return;
        }
        extend_row(line.get(), in, source, reach_x, border, fill);
        if constexpr (WeightedFold<F> && !std::is_same_v<T, float>) {
          // Converted once, not for each weight.
          const auto convert = [from = line.get(), to = converted.get(), n = samples + 2 * reach] {
            for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
          };
          clone::run(convert);
          const float* row = converted.get() + reach;
          stencil_row(f, slot(y), samples, channels, &row, {reach_x, 0});
        } else {
          const T* row = line.get() + reach;
          stencil_row(f, slot(y), samples, channels, &row, {reach_x, 0});
        }
      };
      for (std::int64_t y = begin - reach_y; y < begin + reach_y; ++y) pass_x(y);
      for (std::int64_t y = begin; y < end; ++y) {
        pass_x(y + reach_y);
        for (int k = 0; k < ring; ++k) window[std::size_t(k)] = slot(y - reach_y + k);
        stencil_row(g, out.row(int(y)), samples, channels, window.data() + reach_y, {0, reach_y});
      }
    });
  }

  /// Reduces channel `channel` of the image to one value.
  template <class F, class T>
  typename F::Value reduce(const F& f, View<const T> in, int channel = 0) {
    using Value = typename F::Value;
    const std::int64_t pixels = std::int64_t(in.width) * in.height;
    if (pixels == 0) return f.zero();
    std::vector<Value> values(std::size_t(chunks_of(pixels)));
    parallel_for(std::int64_t(values.size()), 8, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t chunk = begin; chunk < end; ++chunk) {
        Value* to = &values[std::size_t(chunk)];
        const auto loop = [=] { *to = reduce_chunk(f, in, channel, chunk); };
        clone::run(loop);
      }
    });
    while (values.size() > 1) {
      std::vector<Value> next(std::size_t(chunks_of(std::int64_t(values.size()))));
      for (std::size_t chunk = 0; chunk < next.size(); ++chunk) {
        std::array<Value, kReduceLanes> lane;
        lane.fill(f.zero());
        const std::size_t first = chunk * kReduceChunk, last = std::min(values.size(), first + kReduceChunk);
        for (std::size_t i = first; i < last; ++i) {
          Value& v = lane[(i - first) % kReduceLanes];
          v = f.join(v, values[i]);
        }
        next[chunk] = join_lanes(f, lane);
      }
      values.swap(next);
    }
    return values[0];
  }

  template <class Body>
  void tiles(const Body& body, int grid_x, int grid_y) {
    const std::int64_t count = std::int64_t(grid_x) * grid_y;
    parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
      // Not on the stack: shared structs reach 48 KB, and task stacks are the caller's.
      const std::unique_ptr<typename Body::Shared> shared(new typename Body::Shared);
      for (std::int64_t i = begin; i < end; ++i) {
        const int bx = int(i % grid_x), by = int(i / grid_x);
        const auto loop = [&] { tile(body, bx, by, *shared, std::make_integer_sequence<int, Body::phases>{}); };
        clone::run(loop);
      }
    });
  }

 private:
  static constexpr std::int64_t kGrain = 1 << 15;  // samples: a band's input stays within L2

  template <class T>
  static std::ptrdiff_t row_bytes(const View<T>& v) {
    return std::ptrdiff_t(v.width) * v.channels * std::ptrdiff_t(sizeof(T));
  }

  template <class U, class Row>
  static void rows(const View<U>& out, const Row& row) {
    const std::int64_t grain = kGrain / std::max<std::int64_t>(std::int64_t(out.width) * out.channels, 1) + 1;
    parallel_for(out.height, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t y = begin; y < end; ++y) row(int(y));
    });
  }

  template <class F, class U, class... T>
  static void sample_row(const F& f, std::int64_t n, U* out, const T*... in) {
    const auto loop = [=] {
#pragma GCC ivdep
      for (std::int64_t i = 0; i < n; ++i) out[i] = point_sample<U>(f, in[i]...);
    };
    if constexpr (ByteTable<F> && sizeof...(T) == 1 && std::is_same_v<U, std::uint8_t> &&
                  (std::is_same_v<T, std::uint8_t> && ...))
      look_up(f.table, n, out, in...);
    else
      clone::run(loop);
  }

  /// Eight samples in each access to the image.
  static void look_up(const std::uint8_t* table, std::int64_t n, std::uint8_t* out, const std::uint8_t* in) {
    std::int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
      std::uint64_t from, to = 0;
      std::memcpy(&from, in + i, 8);
      for (int k = 0; k < 64; k += 8) to |= std::uint64_t(table[from >> k & 0xff]) << k;
      std::memcpy(out + i, &to, 8);
    }
    for (; i < n; ++i) out[i] = table[in[i]];
  }

  template <class F, class U, class... T>
  static void broadcast_row(const F& f, int width, int channels, U* out, std::pair<const T*, int>... in) {
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        const std::ptrdiff_t i = std::ptrdiff_t(x) * channels + c;
        out[i] = point_sample<U>(f, in.first[in.second == channels ? i : x]...);
      }
  }

  template <class F, class U, class T>
  static void pixel_row(const F& f, const View<U>& out, int y, const View<const T>& in) {
    U* o = out.row(y);
    const T* p = in.row(y);
    const int width = out.width, in_channels = in.channels, out_channels = out.channels;
    const auto loop = [=] {
      if (in_channels == F::in_channels) {
        for (int x = 0; x < width; x += kPixelRun)
          pixel_run(f, std::min(kPixelRun, width - x), p + std::ptrdiff_t(x) * F::in_channels,
                    o + std::ptrdiff_t(x) * F::out_channels);
      } else {
        for (int x = 0; x < width; ++x)
          point_pixel(f, p + std::ptrdiff_t(x) * in_channels, in_channels, o + std::ptrdiff_t(x) * out_channels);
      }
    };
    clone::run(loop);
  }

  /// A run of pixels channel by channel, in L1: loops over neighbouring samples vectorise, those over pixels of three
  /// channels hardly do.
  static constexpr int kPixelRun = 256;
  template <class F, class U, class T>
  static void pixel_run(const F& f, int n, const T* in, U* out) {
    constexpr int I = F::in_channels, O = F::out_channels;
    float from[I][kPixelRun];
    U to[O][kPixelRun];
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < I; ++c) from[c][i] = static_cast<float>(in[i * I + c]);
#pragma GCC ivdep
    for (int i = 0; i < n; ++i) {
      Pixel<float, I> v;
      for (int c = 0; c < I; ++c) v[c] = from[c][i];
      const Pixel<float, O> q = f(v);
      for (int c = 0; c < O; ++c) to[c][i] = to_sample<U>(q[c]);
    }
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < O; ++c) out[i * O + c] = to[c][i];
  }

  template <class T>
  static void extend_row(T* row, const View<const T>& in, std::int64_t y, int radius, Border border, T fill) {
    const std::ptrdiff_t reach = std::ptrdiff_t(radius) * in.channels, samples = std::ptrdiff_t(in.width) * in.channels;
    const int source_y = border_index(int(y), in.height, border);
    if (source_y < 0) {
      std::fill(row, row + samples + 2 * reach, fill);
      return;
    }
    const T* source = in.row(source_y);
    std::memcpy(row + reach, source, std::size_t(samples) * sizeof(T));
    for (int dx = 1; dx <= radius; ++dx) {
      const int left = border_index(-dx, in.width, border), right = border_index(in.width - 1 + dx, in.width, border);
      for (int c = 0; c < in.channels; ++c) {
        row[reach - std::ptrdiff_t(dx) * in.channels + c] =
            left < 0 ? fill : source[std::ptrdiff_t(left) * in.channels + c];
        row[reach + samples + std::ptrdiff_t(dx - 1) * in.channels + c] =
            right < 0 ? fill : source[std::ptrdiff_t(right) * in.channels + c];
      }
    }
  }

  template <class T>
  struct RowWindow {
    using Sample = T;
    const T* const* rows;
    std::ptrdiff_t i;
    int channels;
    ZP_HD T operator()(int dx, int dy) const { return rows[dy][i + std::ptrdiff_t(dx) * channels]; }
  };

  template <class F, class U, class T>
  static void stencil_row(const F& f, U* __restrict out, std::ptrdiff_t samples, int channels, const T* const* rows,
                          Extent radius) {
    if constexpr (WeightedFold<F>) {
      weighted_row(f, out, samples, channels, rows, radius);
      return;
    }
    const auto loop = [=] {
      if constexpr (FoldFunctor<F>) {
        constexpr int kRun = 256;
        using Acc = decltype(f.begin(T{}));
        for (std::ptrdiff_t first = 0; first < samples; first += kRun) {
          const int n = int(std::min<std::ptrdiff_t>(kRun, samples - first));
          Acc acc[kRun];
          for (int j = 0; j < n; ++j) acc[j] = f.begin(rows[0][first + j]);
          for (int dy = -radius.height; dy <= radius.height; ++dy)
            for (int dx = -radius.width; dx <= radius.width; ++dx) {
              const T* p = rows[dy] + first + std::ptrdiff_t(dx) * channels;
#pragma GCC ivdep
              for (int j = 0; j < n; ++j) acc[j] = f.step(acc[j], dx, dy, p[j]);
            }
          for (int j = 0; j < n; ++j) {
            const auto v = f.end(acc[j]);
            if constexpr (std::is_same_v<decltype(f.end(acc[0])), U>)
              out[first + j] = v;
            else
              out[first + j] = to_sample<U>(static_cast<float>(v));
          }
        }
      } else {
        // By way of a local row: a byte written to `out` itself could be one of the pointers in `rows` to the compiler.
        constexpr int kRun = 256;
        for (std::ptrdiff_t first = 0; first < samples; first += kRun) {
          const int n = int(std::min<std::ptrdiff_t>(kRun, samples - first));
          U result[kRun];
#pragma GCC ivdep
          for (int j = 0; j < n; ++j) result[j] = stencil_sample<U>(f, RowWindow<T>{rows, first + j, channels}, radius);
          std::memcpy(out + first, result, std::size_t(n) * sizeof(U));
        }
      }
    };
    clone::run(loop);
  }

  /// Several terms at once, so that sums stay in registers from one to the next; in the window's order.
  template <class F, class U, class T>
  static void weighted_row(const F& f, U* out, std::ptrdiff_t samples, int channels, const T* const* rows,
                           Extent radius) {
    std::vector<float> weights;
    std::vector<const T*> terms;
    const std::size_t most = std::size_t(2 * radius.width + 1) * std::size_t(2 * radius.height + 1);
    weights.reserve(most);
    terms.reserve(most);
    for (int dy = -radius.height; dy <= radius.height; ++dy)
      for (int dx = -radius.width; dx <= radius.width; ++dx)
        if (const float w = f.weight(dx, dy); w != 0.0f) {
          weights.push_back(w);
          terms.push_back(rows[dy] + std::ptrdiff_t(dx) * channels);
        }
    const auto loop = [f, out, samples, w = weights.data(), p = terms.data(), count = int(weights.size())] {
      constexpr int kRun = 512;
      float acc[kRun];
      U result[kRun];
      for (std::ptrdiff_t first = 0; first < samples; first += kRun) {
        const int n = int(std::min<std::ptrdiff_t>(kRun, samples - first));
        for (int j = 0; j < n; ++j) acc[j] = 0.0f;
        int k = 0;
        for (; k + 8 <= count; k += 8) add_terms<8>(acc, n, w + k, p + k, first);
        if (count - k >= 4) add_terms<4>(acc, n, w + k, p + k, first), k += 4;
        if (count - k >= 2) add_terms<2>(acc, n, w + k, p + k, first), k += 2;
        if (count - k >= 1) add_terms<1>(acc, n, w + k, p + k, first);
        for (int j = 0; j < n; ++j) result[j] = to_sample<U>(f.end(acc[j]));
        std::memcpy(out + first, result, std::size_t(n) * sizeof(U));
      }
    };
    clone::run(loop);
  }
  template <int N, class T>
  static void add_terms(float* acc, int n, const float* weights, const T* const* terms, std::ptrdiff_t first) {
    float w[N];
    const T* p[N];
    for (int k = 0; k < N; ++k) w[k] = weights[k], p[k] = terms[k] + first;
#pragma GCC ivdep
    for (int j = 0; j < n; ++j) {
      float sum = acc[j];
      for (int k = 0; k < N; ++k) sum = sum + w[k] * static_cast<float>(p[k][j]);
      acc[j] = sum;
    }
  }

  template <class F, class T>
  static typename F::Value reduce_chunk(const F& f, const View<const T>& in, int channel, std::int64_t chunk) {
    using Value = typename F::Value;
    const std::int64_t pixels = std::int64_t(in.width) * in.height;
    const std::int64_t first = chunk * kReduceChunk, last = std::min(pixels, first + kReduceChunk);
    const auto each_run = [&](const auto& lift) {
      for (std::int64_t p = first; p < last;) {
        const int y = int(p / in.width), x = int(p % in.width), t = int((p - first) % kReduceLanes);
        const std::int64_t n = std::min({last - p, std::int64_t(in.width - x), std::int64_t(kReduceLanes - t)});
        lift(t, int(n), in.row(y) + std::ptrdiff_t(x) * in.channels + channel, p);
        p += n;
      }
    };
    if constexpr (requires { typename F::template Lanes<T>; }) {
      typename F::template Lanes<T> lanes(f);
      // Samples that lie apart come together first, so that one loop serves all channel counts.
      each_run([&](int t, int n, const T* row, std::int64_t p) {
        if (in.channels == 1) {
          lanes.lift(t, n, row, p);
        } else {
          T together[kReduceLanes];
          for (int j = 0; j < n; ++j) together[j] = row[std::ptrdiff_t(j) * in.channels];
          lanes.lift(t, n, together, p);
        }
      });
      return lanes.value();
    } else {
      std::array<Value, kReduceLanes> lane;
      lane.fill(f.zero());
      each_run([&](int t, int n, const T* row, std::int64_t p) {
        Value* lanes = lane.data() + t;
        for (int j = 0; j < n; ++j) f.lift(lanes[j], row[std::ptrdiff_t(j) * in.channels], p + j);
      });
      return join_lanes(f, lane);
    }
  }

  template <int P, class Body>
  ZP_HD static void tile_phase(const Body& body, int bx, int by, typename Body::Shared& shared) {
    for (int t = 0; t < Body::threads; ++t) body.template phase<P>(Block2{bx, by, t}, shared);
  }
  template <class Body, int... P>
  ZP_HD static void tile(const Body& body, int bx, int by, typename Body::Shared& shared,
                         std::integer_sequence<int, P...>) {
    (tile_phase<P>(body, bx, by, shared), ...);
  }
};

}  // namespace zp::exec

#endif
