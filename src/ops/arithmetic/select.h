// One of two images, pixel by pixel, by a mask.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_ARITHMETIC_SELECT_H
#define ZP_OPS_ARITHMETIC_SELECT_H

#include "core/op.h"
#include "ops/arithmetic/shapes.h"

namespace zp {

/// a where the mask is not 0, else b; samples move as they are. The mask may have any format (NaN is not 0) and one
/// channel, which then serves all, or the result's. An image of one channel serves all channels of the other.
struct Select {
  using Shape = Point;
  static constexpr Info info{.name = "select",
                             .family = "arithmetic",
                             .summary = "mask ? a : b",
                             .min_inputs = 3,
                             .max_inputs = 3,
                             .opencv = "b.copyTo(out), then a.copyTo(out, mask)",
                             .scikit_image = "same as numpy.where(mask, a, b)",
                             .npp = "Copy of b, then Copy of a with the mask"};
  static constexpr std::string_view input_names[] = {"image", "with", "mask"};
  static constexpr CaseInput case_input(int k, const PlaneShape& first) {
    if (k != 2) return {first, Pattern::picture};
    return {{first.width, first.height, 1, Format::u8}, Pattern::mask};
  }
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}, {"", kAnyFormat, 3}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    const PlaneShape out = detail_shapes::shared(info.name, in);
    const PlaneShape& mask = in[2];
    if (mask.width != out.width || mask.height != out.height || (mask.channels != 1 && mask.channels != out.channels))
      refuse(info.name, "the mask is " + describe(mask) + ", but the result is " + describe(out) +
                            "; sizes must be equal, and channels equal or 1");
    return out;
  }

  struct Body {
    template <class U, class T, class M>
    ZP_HD U sample(T a, T b, M mask) const {
      return mask != M(0) ? a : b;
    }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    switch (operands.in[2].shape.format) {
      case Format::u8:
        return by<std::uint8_t, In>(exec, operands);
      case Format::u16:
        return by<std::uint16_t, In>(exec, operands);
      case Format::f32:
        return by<float, In>(exec, operands);
      case Format::u32:
        return by<std::uint32_t, In>(exec, operands);
    }
  }

 private:
  template <class M, class T, class Exec>
  static void by(Exec& exec, const Operands& operands) {
    exec.point(Body{}, operands.output<T>(), operands.input<T>(), operands.input<T>(1), operands.input<M>(2));
  }
};

}  // namespace zp

#endif
ZP_OP(Select)
