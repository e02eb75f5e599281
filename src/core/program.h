// Point programs: a list of Point functors over samples, given by value, that a loop steps through.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_PROGRAM_H
#define ZP_CORE_PROGRAM_H

#include <cstring>

#include "core/op.h"

namespace zp {

inline constexpr int kProgramSteps = 16;
inline constexpr std::size_t kFunctorBytes = 48;
/// Samples that one thread takes through a program at once.
inline constexpr int kRun = 8;

/// One operation bound to the format of its input; the functor's bytes.
struct ProgramStep {
  std::uint16_t operation;
  Format in, out;
  alignas(8) unsigned char functor[kFunctorBytes];
};

/// Fits with room to spare into the 4096 bytes of parameters that every kernel has.
struct Program {
  int count;
  ProgramStep steps[kProgramSteps];
};

/// The functor of an operation.
template <class Op>
using FunctorOf = std::remove_cvref_t<decltype(bound(std::declval<const Op&>(), PlaneShape{}))>;

/// float f(float), whatever the samples are: only what comes out is rounded to them.
template <class F>
concept RealFunctor = !TypedFunctor<F, float, float> && requires(const F& f, std::uint8_t v) {
  { f(v) } -> std::same_as<float>;
};

template <class F, class In, class Out>
concept SampleFunctor = TypedFunctor<F, Out, In> || requires(const F& f, In v) {
  { f(v) } -> std::convertible_to<float>;
};

/// Whether a step may be `Op` from In to Out.
template <class Op, class In, class Out>
constexpr bool in_programs() {
  constexpr Format in = format_of<In>, out = format_of<Out>;
  if constexpr (!std::is_same_v<typename Op::Shape, Point> || Op::info.max_inputs != 1) {
    return false;
  } else if constexpr (in == Format::u32 || out == Format::u32 || !(Op::info.formats & bit(in)) ||
                       !output_may_be(Op::info.output, in, out)) {
    return false;
  } else {
    using F = FunctorOf<Op>;
    if constexpr (PixelFunctor<F> || requires { F::pointers; } || !std::is_trivially_copyable_v<F> ||
                  !std::is_default_constructible_v<F>)
      return false;
    else
      return sizeof(F) <= kFunctorBytes && alignof(F) <= 8 && SampleFunctor<F, In, Out>;
  }
}

/// Calls f(In{}, Out{}) with the types of two formats, if they are among u8, u16 and f32.
template <class Call>
ZP_HD constexpr void with_formats(Format in, Format out, const Call& call) {
  const auto second = [&](auto first) {
    if (out == Format::u8)
      call(first, std::uint8_t{});
    else if (out == Format::u16)
      call(first, std::uint16_t{});
    else if (out == Format::f32)
      call(first, float{});
  };
  if (in == Format::u8)
    second(std::uint8_t{});
  else if (in == Format::u16)
    second(std::uint16_t{});
  else if (in == Format::f32)
    second(float{});
}

template <class Op>
constexpr bool in_programs(Format in, Format out) {
  bool found = false;
  with_formats(in, out, [&](auto i, auto o) { found = in_programs<Op, decltype(i), decltype(o)>(); });
  return found;
}

template <class Op>
constexpr bool in_programs() {
  for (const Format in : {Format::u8, Format::u16, Format::f32})
    for (const Format out : {Format::u8, Format::u16, Format::f32})
      if (in_programs<Op>(in, out)) return true;
  return false;
}

/// Between steps a sample is a float, which holds every u8, u16 and f32. With 2^23 added, the low bits of a float are
/// the integer: no conversion instruction, of which a GPU does a quarter or less of what it adds.
template <class T>
ZP_HD float register_of(T v) {
  if constexpr (std::is_same_v<T, float>) {
    return v;
  } else {
    const std::uint32_t bits = 0x4b000000u | v;
    float f;
    std::memcpy(&f, &bits, sizeof(f));
    return f - 8388608.0f;
  }
}
template <class T>
ZP_HD T sample_of(float v) {
  if constexpr (std::is_same_v<T, float>) {
    return v;
  } else {
    const float f = v + 8388608.0f;
    std::uint32_t bits;
    std::memcpy(&bits, &f, sizeof(bits));
    return static_cast<T>(bits);
  }
}

/// One step on the samples of one thread, with the bits that the operation alone gives.
template <class Op>
ZP_HD void program_step(const ProgramStep& step, float (&v)[kRun]) {
  if constexpr (in_programs<Op>()) {
    using F = FunctorOf<Op>;
    F f;
    std::memcpy(&f, step.functor, sizeof(F));
    if constexpr (RealFunctor<F>) {
      for (int k = 0; k < kRun; ++k) v[k] = f(v[k]);
      if (step.out != Format::f32) {
        const float white = step.out == Format::u8 ? 255.0f : 65535.0f;
        for (int k = 0; k < kRun; ++k) v[k] = whole(v[k], white);
      }
    } else {
      with_formats(step.in, step.out, [&](auto i, auto o) {
        using In = decltype(i);
        using Out = decltype(o);
        if constexpr (in_programs<Op, In, Out>())
          for (int k = 0; k < kRun; ++k) v[k] = register_of(point_sample<Out>(f, sample_of<In>(v[k])));
      });
    }
  }
}

}  // namespace zp

#endif
