// Synthetic frames: deterministic test pictures by formula, the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_SYNTH_H
#define ZEROPLANE_SYNTH_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zeroplane/image.h"

namespace zp {

/// brightfield: stained tissue, RGB. fluorescence: bright nuclei on a dim field. bayer: a coloured scene as a mosaic
/// under uneven light, with a dark offset. flat, dark: what flattens the bayer frame of the same seed and size. zstack:
/// slices of discs, each sharp at its own depth. ramp: horizontal ramp over the format's range. noise: uniform noise.
enum class Scene { brightfield, fluorescence, bayer, flat, dark, zstack, ramp, noise };
std::span<const std::string_view> scene_names();

struct SynthOptions {
  int width = 4112, height = 3008;
  Format format = Format::u16;
  std::uint32_t seed = 1;
  int slices = 9;  ///< of a zstack
  /// Colours of the mosaic's top left 2x2 pixels, for bayer and flat: rggb, bggr, grbg or gbrg.
  std::string pattern = "rggb";
};

/// One image, or `slices` of a zstack. Only + - * / and integers are used, so the bits are equal everywhere. Throws
/// invalid_argument for a size that an Image cannot have, a format that is not u8, u16 or f32, and an unknown pattern.
std::vector<Image> synth(Scene scene, const SynthOptions& options = {});

}  // namespace zp

#endif
