// apply(): runs an operation on views, images and raw pointers, on the CPU or the device.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_APPLY_H
#define ZEROPLANE_APPLY_H

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/chain.h"
#include "core/op.h"
#include "zeroplane/device_view.h"
#include "zeroplane/image.h"

namespace zp {

/// What runs the loops. `automatic`: the CPU for small work and where there is no device, else the device.
enum class Executor { automatic, cpu, cuda, simulated };
std::string_view name_of(Executor executor) noexcept;

/// Forces an executor on this thread while alive. An executor that the process does not have makes the calls inside
/// throw Error(device).
class ExecutorScope {
 public:
  explicit ExecutorScope(Executor executor) noexcept;
  ~ExecutorScope();
  ExecutorScope(const ExecutorScope&) = delete;
  ExecutorScope& operator=(const ExecutorScope&) = delete;

 private:
  Executor outer_;
};

/// What the last call on this thread did.
struct RunReport {
  struct Operand {
    Placement placement;
    std::string reason;
    std::size_t bytes;
  };
  std::string_view operation;
  Executor executor = Executor::automatic;
  std::string_view executor_reason;
  std::vector<Operand> operands;  ///< inputs, then the output; empty on the CPU
};
const RunReport& last_run() noexcept;

/// The library's threads on the CPU; 0 means one per core. See also ZEROPLANE_THREADS.
void set_threads(int count);

template <class... Ops>
struct Chain;

namespace detail {

void run(const Row& row, const void* op, std::span<const ConstPlaneView> in, const PlaneView* out, void* result);
PlaneShape output_of(const Row& row, const void* op, std::span<const ConstPlaneView> in);

template <class X>
concept Plane = std::is_convertible_v<const X&, ConstPlaneView>;
template <class X>
concept WritablePlane = std::is_convertible_v<X&, PlaneView>;

template <class Op>
ResultOf<Op> run_typed(const Op& op, std::span<const ConstPlaneView> in, const PlaneView* out) {
  ResultOf<Op> result{};
  run(row_of<Op>(), &op, in, out, &result);
  return result;
}

template <class Op>
inline constexpr bool makes_image = Op::info.output != Output::none;

}  // namespace detail

/// apply(op, inputs, output): the caller's planes. Returns the operation's Result, or nothing if it has none.
///
/// The output must have the size, channels and format that output_shape(op, ...) says. Point operations may run in
/// place; for other shapes an output that overlaps an input is written through a temporary. The bytes are ready when
/// the call returns. Safe from several threads on different outputs.
///
/// Throws Error: invalid_argument (names operation, parameter, value, range), unsupported (a format or channel count
/// that the operation does not take), device, out_of_memory, staging_forbidden. After an error the output's pixels are
/// unspecified and nothing else changed.
template <Operation Op>
requires(detail::makes_image<Op>) auto apply(const Op& op, std::initializer_list<ConstPlaneView> in,
                                             const PlaneView& out) {
  const ResultOf<Op> result = detail::run_typed(op, std::span<const ConstPlaneView>(in.begin(), in.size()), &out);
  if constexpr (!std::is_same_v<ResultOf<Op>, NoResult>) return result;
}

/// apply(op, image, ...): a new image.
template <Operation Op>
requires(detail::makes_image<Op>) Image apply(const Op& op, std::span<const ConstPlaneView> in) {
  Image out(detail::output_of(detail::row_of<Op>(), &op, in));
  const PlaneView view = out.view();
  detail::run_typed(op, in, &view);
  return out;
}

/// apply(op, planes...): with views the last one is the output. With images there is an output only where more planes
/// are given than the operation has inputs; otherwise a new image is returned.
template <Operation Op, class First, class... Rest>
requires(detail::makes_image<Op>&& detail::Plane<First> &&
         (detail::Plane<Rest> && ...)) auto apply(const Op& op, First&& first, Rest&&... rest) {
  constexpr int planes = 1 + int(sizeof...(Rest));
  constexpr bool images = std::is_same_v<std::remove_cvref_t<First>, Image>;
  if constexpr (images ? planes > Op::info.max_inputs : planes > 1) {
    const std::array<ConstPlaneView, std::size_t(planes)> all{ConstPlaneView(first), ConstPlaneView(rest)...};
    const ConstPlaneView& last = all.back();
    using Last = std::tuple_element_t<std::size_t(planes) - 1, std::tuple<First&, Rest&...>>;
    static_assert(detail::WritablePlane<std::remove_reference_t<Last>>,
                  "the last plane is the output and must be writable");
    const PlaneView out(const_cast<void*>(last.data), last.shape, last.pitch);
    const ResultOf<Op> result = detail::run_typed(op, std::span(all).first(std::size_t(planes) - 1), &out);
    if constexpr (!std::is_same_v<ResultOf<Op>, NoResult>) return result;
  } else {
    const std::array<ConstPlaneView, std::size_t(planes)> all{ConstPlaneView(first), ConstPlaneView(rest)...};
    return apply(op, std::span<const ConstPlaneView>(all));
  }
}

/// apply(op, plane): operations that return values only.
template <Operation Op, class... Planes>
requires(!detail::makes_image<Op> && (detail::Plane<Planes> && ...)) ResultOf<Op> apply(const Op& op,
                                                                                        const Planes&... planes) {
  const std::array<ConstPlaneView, sizeof...(Planes)> in{ConstPlaneView(planes)...};
  return detail::run_typed(op, std::span<const ConstPlaneView>(in), nullptr);
}

/// Raw pointer, width, height: one channel, tight rows, in place.
template <Operation Op, class T>
requires(is_sample<T>) void apply(const Op& op, T* pixels, int width, int height) {
  const View<T> view(pixels, width, height);
  apply(op, {ConstPlaneView(view)}, PlaneView(view));
}

/// Point operations on one image, one after the other, as one call: one choice of executor, one copy each way where
/// copies are needed, one wait. A device keeps a sample in a register from the first step to the last and launches once
/// for up to 16 steps; on the CPU a piece of the image stays in the cache. Operations on whole pixels (color) and those
/// that look up a table given by the caller are launches of their own. The result equals applying them one by one,
/// because each step rounds to its format. functor() is the whole chain as one Point functor, of steps that keep the
/// format, for loops of your own that are compiled with the exactness flags.
template <class... Ops>
struct Chain {
  std::tuple<Ops...> operations;
  Chain(Ops... ops) : operations(std::move(ops)...) {}
  auto functor(const PlaneShape& in) const {
    static_assert(((Ops::info.output == Output::same) && ...), "one functor works in one format");
    return std::apply([&](const auto&... op) { return chain_body(in, op...); }, operations);
  }

  static_assert((std::is_same_v<typename Ops::Shape, Point> && ...), "a Chain takes Point operations");
  static_assert(((Ops::info.output != Output::none && Ops::info.max_inputs == 1) && ...));
};
template <class... Ops>
Chain(Ops...) -> Chain<Ops...>;

namespace detail {
struct ChainStep {
  const Row* row;
  const void* op;
};
void run_chain(std::span<const ChainStep> steps, const ConstPlaneView& in, const PlaneView& out);
PlaneShape output_of(std::span<const ChainStep> steps, std::span<const ConstPlaneView> in);

template <class... Ops, class Call>
auto with_steps(const Chain<Ops...>& chain, const Call& call) {
  return std::apply(
      [&](const auto&... op) {
        const std::array<ChainStep, sizeof...(Ops)> steps{ChainStep{&row_of<Ops>(), &op}...};
        return call(std::span<const ChainStep>(steps));
      },
      chain.operations);
}
}  // namespace detail

template <class... Ops>
void apply(const Chain<Ops...>& chain, const ConstPlaneView& in, const PlaneView& out) {
  detail::with_steps(chain, [&](auto steps) { detail::run_chain(steps, in, out); });
}
template <class... Ops>
Image apply(const Chain<Ops...>& chain, const Image& in) {
  const ConstPlaneView view = in.view();
  Image out(detail::with_steps(chain, [&](auto steps) { return detail::output_of(steps, std::span(&view, 1)); }));
  apply(chain, view, out.view());
  return out;
}

}  // namespace zp

#endif
