// The simulated executor: the same index arithmetic as the kernels, on the simulated device's stream, blocks and
// threads in shuffled order, every address checked and translated at launch.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_EXEC_SIMULATED_H
#define ZP_EXEC_SIMULATED_H

#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "core/program.h"
#include "exec/workspace.h"

namespace zp::exec {

namespace detail {
/// A permutation of [0, count), different for each seed; the identity if shuffling is off.
std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed, bool shuffle);
/// Throws if the bytes of a body that was copied hold an address of a block of the device that it does not list in
/// `pointers`.
void require_no_hidden_addresses(device::Runtime& runtime, const void* body, std::size_t bytes, std::string_view label);
}  // namespace detail

class Simulated : public Common {
 public:
  static constexpr std::string_view name = "simulated";
  explicit Simulated(Workspace& workspace) : Common(workspace), runtime_(*workspace.runtime()) {}

  template <class F, class U, class... T>
  void point(const F& f, View<U> out, View<const T>... in) {
    launch("point", f, [this, out = translated(out), args = std::tuple(translated(in)...)](const F& g) {
      return [=, this, order = order(out)] {
        for (const std::int64_t block : order)
          each_pixel(out, block,
                     [&](int x, int y) { std::apply([&](const auto&... v) { point_at(g, out, x, y, v...); }, args); });
      };
    });
  }

  template <class F, class U, class T>
  void gather(const F& f, View<U> out, View<const T> in) {
    launch("gather", f, [this, out = translated(out), in = translated(in)](const F& g) {
      return [=, this, order = order(out)] {
        with_channels<F>(in.channels, [&](auto n) {
          const Source<T, decltype(n)::value> source{in};
          for (const std::int64_t block : order)
            each_pixel(out, block, [&](int x, int y) { store_pixel(&out.at(x, y), g(source, x, y)); });
        });
      };
    });
  }

  template <class F, class U, class T>
  void stencil(const F& f, View<U> out, View<const T> in, Border border, float outside = 0.0f) {
    launch("stencil", f, [this, out = translated(out), in = translated(in), border, outside](const F& g) {
      return [=, this, order = order(out)] {
        const T fill = to_sample<T>(outside);
        const Extent radius = g.radius();
        for (const std::int64_t block : order)
          each_pixel(out, block, [&](int x, int y) {
            for (int c = 0; c < out.channels; ++c)
              out.at(x, y, c) = stencil_sample<U>(g, BorderedWindow<T>{in, x, y, c, border, fill}, radius);
          });
      };
    });
  }

  template <class F, class T>
  typename F::Value reduce(const F& f, View<const T> in, int channel = 0) {
    using Value = typename F::Value;
    const std::int64_t pixels = std::int64_t(in.width) * in.height;
    if (pixels == 0) return f.zero();
    std::int64_t count = chunks_of(pixels);
    Value* values = scratch<Value>(std::size_t(count));
    launch(
        "reduce", f,
        [this, in = translated(in), channel, pixels, count, to = translated(values, std::size_t(count))](const F& g) {
          return [=, order = detail::shuffled(count, seed(), shuffle())] {
            for (const std::int64_t chunk : order) {
              std::vector<Value> lane(kReduceLanes, g.zero());
              for (std::int64_t i = 0; i < kReduceChunk; ++i) {
                const std::int64_t p = chunk * kReduceChunk + i;
                if (p < pixels)
                  g.lift(lane[std::size_t(i % kReduceLanes)], in.at(int(p % in.width), int(p / in.width), channel), p);
              }
              to[chunk] = join_lanes(g, lane);
            }
          };
        });
    while (count > 1) {
      const std::int64_t next = chunks_of(count);
      Value* joined = scratch<Value>(std::size_t(next));
      launch("reduce", f,
             [this, from = translated(values, std::size_t(count)), to = translated(joined, std::size_t(next)), count,
              next](const F& g) {
               return [=, order = detail::shuffled(next, seed(), shuffle())] {
                 for (const std::int64_t chunk : order) {
                   std::vector<Value> lane(kReduceLanes, g.zero());
                   for (std::int64_t i = 0; i < kReduceChunk && chunk * kReduceChunk + i < count; ++i) {
                     Value& v = lane[std::size_t(i % kReduceLanes)];
                     v = g.join(v, from[chunk * kReduceChunk + i]);
                   }
                   to[chunk] = join_lanes(g, lane);
                 }
               };
             });
      values = joined;
      count = next;
    }
    return download(values);
  }

  template <class Body>
  void tiles(const Body& body, int grid_x, int grid_y) {
    const std::int64_t count = std::int64_t(grid_x) * grid_y;
    if (count <= 0) return;
    launch("tiles", body, [this, grid_x, count](const Body& b) {
      return [=, blocks = detail::shuffled(count, seed(), shuffle()),
              threads = detail::shuffled(Body::threads, seed(), shuffle())] {
        const std::unique_ptr<typename Body::Shared> shared(new typename Body::Shared);
        for (const std::int64_t i : blocks) {
          std::memset(static_cast<void*>(shared.get()), 0xCB, sizeof(*shared));
          tile(b, int(i % grid_x), int(i / grid_x), *shared, threads, std::make_integer_sequence<int, Body::phases>{});
        }
      };
    });
  }

  /// body(v) for kRun samples at a time, as floats; planes of equal size and channels, u8, u16 or f32 each.
  template <class Body>
  void samples(const Body& body, const PlaneView& out, const ConstPlaneView& in) {
    launch("program", body, [this, out = translated(out), in = translated(in)](const Body& b) {
      const std::int64_t row = std::int64_t(out.shape.width) * out.shape.channels, runs = (row + kRun - 1) / kRun;
      return [=, order = detail::shuffled(runs * out.shape.height, seed(), shuffle())] {
        with_formats(in.shape.format, out.shape.format, [&](auto i, auto o) {
          using In = decltype(i);
          using Out = decltype(o);
          for (const std::int64_t k : order) {
            const int y = int(k / runs);
            const std::int64_t first = k % runs * kRun, count = std::min<std::int64_t>(kRun, row - first);
            const In* p = in.template as<const In>().row(y) + first;
            Out* q = out.template as<Out>().row(y) + first;
            float v[kRun] = {};
            for (std::int64_t s = 0; s < count; ++s) v[s] = register_of(p[s]);
            b(v);
            for (std::int64_t s = 0; s < count; ++s) q[s] = sample_of<Out>(v[s]);
          }
        });
      };
    });
  }

 private:
  static constexpr int kBlockWidth = 32, kBlockHeight = 8;

  std::uint64_t seed() { return device::simulated_control(runtime_)->next_seed(); }
  bool shuffle() const { return device::simulated_control(runtime_)->options().shuffle; }

  template <class T>
  View<T> translated(View<T> v) {
    if (v.width <= 0 || v.height <= 0) return v;
    const std::size_t bytes =
        std::size_t(v.pitch) * std::size_t(v.height - 1) + std::size_t(v.width) * std::size_t(v.channels) * sizeof(T);
    v.data = static_cast<T*>(runtime_.translate(v.data, bytes));
    return v;
  }
  template <class Void>
  BasicPlaneView<Void> translated(BasicPlaneView<Void> v) {
    if (!v.shape.empty()) v.data = static_cast<Void*>(runtime_.translate(v.data, v.span_bytes()));
    return v;
  }
  template <class T>
  T* translated(T* p, std::size_t count) {
    return translated_bytes(p, count * sizeof(T));
  }
  template <class T>
  T* translated_bytes(T* p, std::size_t bytes) {
    return static_cast<T*>(runtime_.translate(p, bytes));
  }

  template <class T>
  T* translated(T* p) {
    return p ? translated_bytes(p, std::max<std::size_t>(1, runtime_.reachable(p))) : p;
  }

  template <class B, class Member>
  void translate_member(B& body, Member B::*member) {
    auto& m = body.*member;
    if constexpr (std::is_array_v<Member>) {
      // Not of views: GCC 12 clears more than the padding in an array of structs.
      static_assert(std::is_pointer_v<std::remove_extent_t<Member>>);
      for (auto& element : m) element = translated(element);
    } else {
      m = translated(m);
    }
  }

  /// Copies a body and replaces the addresses it lists by the host bytes behind them.
  template <class B>
  B translated_body(const B& body, std::string_view label) {
    B copy = body;
    if constexpr (requires { B::pointers; })
      std::apply(
          [&](auto... member) { (translate_member(copy, static_cast<decltype(as_member<B>(member))>(member)), ...); },
          B::pointers);
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&copy);  // what lies between members is not the body's
    detail::require_no_hidden_addresses(runtime_, &copy, sizeof(copy), label);
#endif
#endif
    return copy;
  }
  template <class B, class C, class Member>
  static auto as_member(Member C::*m) -> Member B::* {
    return m;
  }

  template <class B, class Make>
  void launch(std::string_view label, const B& body, const Make& make) {
    workspace_->launched();
    runtime_.launch(workspace_->stream(), label, make(translated_body(body, label)));
  }

  template <class U>
  std::vector<std::int64_t> order(const View<U>& out) {
    if (out.width <= 0 || out.height <= 0) return {};
    const std::int64_t bx = (out.width + kBlockWidth - 1) / kBlockWidth,
                       by = (out.height + kBlockHeight - 1) / kBlockHeight;
    return detail::shuffled(bx * by, seed(), shuffle());
  }
  template <class U, class Call>
  static void each_pixel(const View<U>& out, std::int64_t block, const Call& call) {
    const std::int64_t bx = (out.width + kBlockWidth - 1) / kBlockWidth;
    const int x0 = int(block % bx) * kBlockWidth, y0 = int(block / bx) * kBlockHeight;
    for (int y = y0; y < y0 + kBlockHeight && y < out.height; ++y)
      for (int x = x0; x < x0 + kBlockWidth && x < out.width; ++x) call(x, y);
  }

  template <class F, class U, class... T>
  static void point_at(const F& f, const View<U>& out, int x, int y, const View<const T>&... in) {
    if constexpr (PixelFunctor<F>) {
      (point_pixel(f, &in.at(x, y), in.channels, &out.at(x, y)), ...);
    } else {
      for (int c = 0; c < out.channels; ++c)
        out.at(x, y, c) = point_sample<U>(f, in.at(x, y, in.channels == out.channels ? c : 0)...);
    }
  }

  template <int P, class Body>
  static void tile_phase(const Body& body, int bx, int by, typename Body::Shared& shared,
                         const std::vector<std::int64_t>& threads) {
    for (const std::int64_t t : threads) body.template phase<P>(Block2{bx, by, int(t)}, shared);
  }
  template <class Body, int... P>
  static void tile(const Body& body, int bx, int by, typename Body::Shared& shared,
                   const std::vector<std::int64_t>& threads, std::integer_sequence<int, P...>) {
    (tile_phase<P>(body, bx, by, shared, threads), ...);
  }

  device::Runtime& runtime_;
};

}  // namespace zp::exec

#endif
