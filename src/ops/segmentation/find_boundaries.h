// Outlines of labelled objects.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_FIND_BOUNDARIES_H
#define ZP_OPS_SEGMENTATION_FIND_BOUNDARIES_H

#include "core/components.h"
#include "core/op.h"

namespace zp {

/// Mask (255 and 0) of the pixels along the boundaries between labels, 0 being background. A pixel lies at a boundary
/// if one of its 4 or 8 neighbours has another label; the edge of the image is no boundary. mode=inner: pixels of
/// objects at a boundary, those on both sides of where two objects touch. mode=outer: background pixels at a boundary,
/// and again both sides of where two objects touch, which is: pixels of objects at a boundary with another object among
/// their 8 neighbours. One channel; a mask is an image of one label.
struct FindBoundaries {
  using Shape = Composite;
  static constexpr Info info{.name = "find_boundaries",
                             .family = "segmentation",
                             .summary = "outlines of labelled objects, as a mask",
                             .formats = kIntegerFormats | bit(Format::u32),
                             .channels = kOneChannel,
                             .output = Output::u8,
                             .scikit_image =
                                 "same as segmentation.find_boundaries with mode inner and outer; "
                                 "connectivity 4 is 1 there, 8 is 2"};
  enum class Mode : int { inner, outer };
  static constexpr std::string_view kModes[] = {"inner", "outer"};

  int connectivity = 4;
  Mode mode = Mode::inner;
  static constexpr std::tuple parameters{
      parameter("connectivity", &FindBoundaries::connectivity, "neighbours of a pixel: 4 or 8", {.low = 4, .high = 8}),
      parameter("mode", &FindBoundaries::mode, "pixels inside of the objects, or around them", {.choices = kModes})};
  static constexpr Case cases[] = {{""}, {"connectivity=8"}, {"mode=outer"}, {"connectivity=8,mode=outer"}};

  struct Window {
    std::uint32_t eight, outer;  ///< all bits or none: selects that loops can vectorise
    ZP_HD Extent radius() const { return {1, 1}; }
    /// Collects the bits in which v is not the centre, and v itself where it is not.
    template <class T>
    static ZP_HD void look(T centre, T v, T& differs, T& another) {
      differs = T(differs | (v ^ centre));
      another = T(another | (v == centre ? T(0) : v));
    }
    template <class W>
    ZP_HD std::uint8_t operator()(const W& w) const {
      using T = typename W::Sample;
      const T centre = w(0, 0);
      T straight = 0, diagonal = 0, another = 0;
      look<T>(centre, w(-1, 0), straight, another);
      look<T>(centre, w(1, 0), straight, another);
      look<T>(centre, w(0, -1), straight, another);
      look<T>(centre, w(0, 1), straight, another);
      look<T>(centre, w(-1, -1), diagonal, another);
      look<T>(centre, w(1, -1), diagonal, another);
      look<T>(centre, w(-1, 1), diagonal, another);
      look<T>(centre, w(1, 1), diagonal, another);
      const T differs = T(straight | (diagonal & T(eight)));
      const T background = centre == T(0) ? T(1) : T(0);
      const T chosen = T((centre & T(~outer)) | ((background | another) & T(outer)));
      return differs == T(0) ? 0 : chosen == T(0) ? 0 : 255;
    }
  };

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_connectivity(info.name, connectivity);
    return {in[0].width, in[0].height, 1, Format::u8};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    // An edge that repeats shows a pixel nothing but itself and neighbours that it has anyway.
    exec.stencil(Window{connectivity == 8 ? ~0u : 0u, mode == Mode::outer ? ~0u : 0u}, operands.output<std::uint8_t>(),
                 operands.input<In>(), Border::replicate);
  }
};

}  // namespace zp

#endif
ZP_OP(FindBoundaries)
