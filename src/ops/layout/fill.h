// One value everywhere.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_FILL_H
#define ZP_OPS_LAYOUT_FILL_H

#include "core/op.h"

namespace zp {

namespace detail_fill {

template <class T, int Count>
struct Body {
  static constexpr int channels = 1;  ///< nothing is read
  Pixel<T, Count> value;
  template <class Source>
  ZP_HD Pixel<T, Count> operator()(const Source&, int, int) const {
    return value;
  }
};

}  // namespace detail_fill

/// Every pixel gets `value`: one number for all channels, or one for each. Integers round half to even and saturate.
/// The image gives size, channels and format; its pixels are not read.
struct Fill {
  using Shape = Gather;
  static constexpr Info info{.name = "fill",
                             .family = "layout",
                             .summary = "one value everywhere",
                             .formats = kAnyFormat,
                             .opencv = "same as Mat::setTo",
                             .scikit_image = "same as image[:] = value",
                             .npp = "same as Set"};
  std::vector<float> value = {0};
  static constexpr std::tuple parameters{parameter("value", &Fill::value,
                                                   "one number for all channels, or one for each",
                                                   {.unit = "pixel value", .min_count = 1, .max_count = 4})};
  static constexpr Case cases[] = {
      {""}, {"value=100.5", kAnyFormat, 2}, {"value=0.25/300/-1", kAnyFormat, 3}, {"value=1/2/3/4", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (value.size() > 1 && int(value.size()) != in[0].channels)
      refuse(info.name, "value has " + std::to_string(value.size()) + " numbers, allowed 1" +
                            (in[0].channels > 1 ? " or " + std::to_string(in[0].channels) : std::string()) + " for " +
                            describe(in[0]));
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    switch (operands.out.shape.channels) {
      case 1:
        return filled<Out, 1>(exec, operands);
      case 2:
        return filled<Out, 2>(exec, operands);
      case 3:
        return filled<Out, 3>(exec, operands);
      default:
        return filled<Out, 4>(exec, operands);
    }
  }

 private:
  template <class T, int Count, class Exec>
  void filled(Exec& exec, const Operands& operands) const {
    detail_fill::Body<T, Count> body{};
    for (std::size_t c = 0; c < Count; ++c) body.value[int(c)] = to_sample<T>(value.size() == 1 ? value[0] : value[c]);
    exec.gather(body, operands.output<T>(), operands.input<T>());
  }
};

}  // namespace zp

#endif
ZP_OP(Fill)
