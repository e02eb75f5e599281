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

  /// All bits or none: what each relation gives. NaN stands in none of the first three.
  struct Body {
    int less, equal, greater, unordered;
    template <class V>
    ZP_HD static V mask(int bits) {
      return std::is_same_v<V, float> ? static_cast<V>(bits & 1) : static_cast<V>(bits);
    }
    template <class V>
    ZP_HD V operator()(V a, V b) const {
      const V below = mask<V>(less), same = mask<V>(equal), above = mask<V>(greater), other = mask<V>(unordered);
      const V ordered = a < b ? below : (a > b ? above : same);
      return (a == a) & (b == b) ? ordered : other;
    }
  };
  Body bind(const PlaneShape&) const {
    const bool is_ne = kind == Kind::ne;
    return {-int(is_ne || kind == Kind::lt || kind == Kind::le),
            -int(kind == Kind::eq || kind == Kind::le || kind == Kind::ge),
            -int(is_ne || kind == Kind::gt || kind == Kind::ge), -int(is_ne)};
  }
};

}  // namespace zp

#endif
ZP_OP(Compare)
