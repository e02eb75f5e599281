// A mask of the samples that compare so.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_COMPARE_H
#define ZP_OPS_ARITHMETIC_COMPARE_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// White where a compares with b as `kind` says, else 0, in the images' own format; channels each on their own. In f32
/// NaN equals nothing and is on no side of anything: every kind but ne gives 0. An image of one channel serves all
/// channels of the other.
struct Compare {
  using Shape = Point;
  static constexpr Info info{.name = "compare",
                             .family = "arithmetic",
                             .summary = "white where a compares with b as asked, else 0",
                             .min_inputs = 2,
                             .max_inputs = 2,
                             .opencv = "same as compare for u8; OpenCV's mask is always u8",
                             .scikit_image = "the mask a < b and its like",
                             .npp = "same as Compare, whose mask is always u8"};
  enum class Kind : int { eq, ne, lt, le, gt, ge };
  static constexpr std::string_view kKinds[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  Kind kind = Kind::eq;
  static constexpr std::tuple parameters{parameter(
      "kind", &Compare::kind, "equal, not equal, less, less or equal, greater, greater or equal", {.choices = kKinds})};
  static constexpr Case cases[] = {{""},       {"kind=ne", kAnyFormat, 3}, {"kind=lt"}, {"kind=le"}, {"kind=gt"},
                                   {"kind=ge"}};

  PlaneShape output(std::span<const PlaneShape> in) const { return detail_shapes::shared(info.name, in); }

  /// What each of the three relations gives; NaN has none of them.
  struct Body {
    float less, equal, greater, unordered;
    template <class V>
    ZP_HD V operator()(V a, V b) const {
      const V below = to_sample<V>(less), same = to_sample<V>(equal), above = to_sample<V>(greater);
      const V other = std::is_same_v<V, float> ? to_sample<V>(unordered) : V(0);
      const V ordered = a < b ? below : (a > b ? above : same);
      return (a == a) & (b == b) ? ordered : other;
    }
  };
  Body bind(const PlaneShape& in) const {
    const float white = float(white_of(in.format));
    const auto gives = [&](bool yes) { return yes ? white : 0.0f; };
    return {gives(kind == Kind::lt || kind == Kind::le || kind == Kind::ne),
            gives(kind == Kind::eq || kind == Kind::le || kind == Kind::ge),
            gives(kind == Kind::gt || kind == Kind::ge || kind == Kind::ne), gives(kind == Kind::ne)};
  }
};

}  // namespace zp

#endif
ZP_OP(Compare)
