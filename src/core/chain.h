// Several Point functors as one: each step rounds to the sample's format, so that the result equals step by step.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_CHAIN_H
#define ZP_CORE_CHAIN_H

#include "core/op.h"

namespace zp {

/// A Point functor made of Point functors over samples. An executor keeps the sample in a register from the first step
/// to the last.
template <class... F>
struct ChainBody;

template <class F>
struct ChainBody<F> {
  static_assert(
      !PixelFunctor<F> && !requires { F::pointers; }, "a fused step works on single samples, without tables");
  F first;
  template <class U>
  ZP_HD U sample(U v) const {
    return point_sample<U>(first, v);
  }
};

template <class F, class... R>
struct ChainBody<F, R...> {
  ChainBody<F> first;
  ChainBody<R...> rest;
  template <class U>
  ZP_HD U sample(U v) const {
    return rest.template sample<U>(first.template sample<U>(v));
  }
};

/// The functors of operations, bound to one input.
template <class Op>
auto chain_body(const PlaneShape& in, const Op& op) {
  return ChainBody<decltype(bound(op, in))>{bound(op, in)};
}
template <class Op, class... Rest>
requires(sizeof...(Rest) > 0) auto chain_body(const PlaneShape& in, const Op& op, const Rest&... rest) {
  return ChainBody<decltype(bound(op, in)), decltype(bound(rest, in))...>{chain_body(in, op), chain_body(in, rest...)};
}

}  // namespace zp

#endif
