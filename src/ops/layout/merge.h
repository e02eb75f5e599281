// Channels of one image from several images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_MERGE_H
#define ZP_OPS_LAYOUT_MERGE_H

#include "core/op.h"

namespace zp {

namespace detail_merge {

/// Channel c from the c-th plane; the planes beyond Count are not read.
template <class T, int Count>
struct Body {
  static constexpr int channels = 1;
  View<const T> a, b, c, d;
  static constexpr std::tuple pointers{&Body::a, &Body::b, &Body::c, &Body::d};
  template <class Source>
  ZP_HD Pixel<T, Count> operator()(const Source&, int x, int y) const {
    Pixel<T, Count> p;
    p[0] = a.at(x, y);
    p[1] = b.at(x, y);
    if constexpr (Count > 2) p[2] = c.at(x, y);
    if constexpr (Count > 3) p[3] = d.at(x, y);
    return p;
  }
};

}  // namespace detail_merge

/// Two to four images of one channel become the channels of one image, in the order given; exact.
struct Merge {
  using Shape = Gather;
  static constexpr Info info{.name = "merge",
                             .family = "layout",
                             .summary = "images of one channel become channels",
                             .formats = kAnyFormat,
                             .channels = kOneChannel,
                             .min_inputs = 2,
                             .max_inputs = 4,
                             .opencv = "same as merge of one-channel images",
                             .scikit_image = "same as numpy.dstack of one-channel images",
                             .npp = "same as Copy from planes to pixels (P3C3R, P4C4R)"};
  static constexpr std::string_view input_names[] = {"first", "second", "third", "fourth"};
  static constexpr NoParameters parameters{};
  static constexpr Case cases[] = {{""}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    for (std::size_t k = 1; k < in.size(); ++k)
      if (in[k] != in[0])
        refuse(info.name, "input " + std::to_string(k + 1) + " is " + describe(in[k]) + ", but input 1 is " +
                              describe(in[0]) + "; all have one channel, one size and one format");
    PlaneShape out = in[0];
    out.channels = int(in.size());
    return out;
  }

  int halo(const PlaneShape&) const { return 0; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    switch (operands.in.size()) {
      case 2:
        gather<In, 2>(exec, operands);
        break;
      case 3:
        gather<In, 3>(exec, operands);
        break;
      default:
        gather<In, 4>(exec, operands);
        break;
    }
  }

 private:
  template <class T, int Count, class Exec>
  static void gather(Exec& exec, const Operands& operands) {
    const View<const T> none;
    const detail_merge::Body<T, Count> body{operands.input<T>(0), operands.input<T>(1),
                                            Count > 2 ? operands.input<T>(2) : none,
                                            Count > 3 ? operands.input<T>(3) : none};
    exec.gather(body, operands.output<T>(), operands.input<T>(0));
  }
};

}  // namespace zp

#endif
ZP_OP(Merge)
