// The colours of colour maps, 256 of each.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_COLOR_TABLES_H
#define ZP_OPS_POINT_COLOR_TABLES_H

#include <array>

#include "core/op.h"

namespace zp::detail_colormap {

enum class Name : int { viridis, magma, inferno, turbo, grey, red, green, blue, cyan, magenta, yellow };
inline constexpr std::string_view kNames[] = {"viridis", "magma", "inferno", "turbo",   "grey",  "red",
                                              "green",   "blue",  "cyan",    "magenta", "yellow"};

/// A channel as a uniform cubic B-spline: 17 pieces of 15 levels.
using Spline = std::array<int, 20>;
using Splines = std::array<Spline, 3>;

// Our own fits: the whole numbers of least error against the published tables, which all entries meet within 1 level.
inline constexpr Splines kViridis = {
    {{62, 69, 72, 73, 67, 61, 53, 46, 41, 35, 30, 31, 44, 69, 100, 136, 175, 216, 254, 287},
     {-20, 0, 24, 42, 61, 78, 94, 109, 123, 137, 151, 165, 179, 192, 204, 213, 221, 227, 230, 239},
     {60, 85, 106, 123, 133, 139, 141, 142, 142, 142, 139, 134, 125, 112, 95, 72, 47, 20, 29, 88}}};
inline constexpr Splines kMagma = {
    {{12, -3, 8, 25, 48, 75, 98, 121, 145, 170, 194, 218, 238, 248, 253, 254, 254, 253, 252, 248},
     {0, -1, 6, 19, 16, 14, 26, 34, 43, 50, 59, 69, 87, 114, 142, 171, 198, 226, 253, 278},
     {-15, 1, 32, 64, 105, 124, 128, 130, 129, 125, 118, 107, 94, 90, 98, 116, 137, 163, 191, 219}}};
inline constexpr Splines kInferno = {
    {{14, -4, 9, 28, 57, 80, 105, 128, 152, 176, 198, 218, 234, 244, 252, 252, 250, 239, 244, 298},
     {7, -3, 7, 15, 7, 13, 23, 31, 39, 49, 60, 76, 97, 121, 147, 176, 205, 236, 256, 267},
     {-24, 2, 32, 71, 102, 109, 111, 109, 102, 92, 77, 62, 43, 26, -1, 17, 54, 100, 173, 190}}};
inline constexpr Splines kTurbo = {
    {{29, 49, 65, 71, 73, 48, 19, 27, 80, 143, 183, 221, 248, 257, 250, 234, 208, 171, 124, 67},
     {-30, 19, 62, 103, 140, 178, 214, 236, 252, 257, 250, 227, 198, 163, 116, 73, 45, 20, 4, -13},
     {-59, 64, 162, 226, 260, 249, 206, 172, 122, 70, 48, 54, 61, 50, 28, 10, 4, 0, 2, 8}}};

/// The spline at level v, rounded to a sample, in integers.
inline std::uint8_t value_at(const Spline& spline, int v) {
  constexpr int kLevels = 15, kCube = kLevels * kLevels * kLevels, kWeights = 6 * kCube;
  const int piece = smaller(v / kLevels, int(spline.size()) - 4), t = v - piece * kLevels, u = kLevels - t;
  const int weights[] = {u * u * u, 4 * kCube - 6 * kLevels * t * t + 3 * t * t * t,
                         4 * kCube - 6 * kLevels * u * u + 3 * u * u * u, t * t * t};
  int sum = kWeights / 2;
  for (int k = 0; k < 4; ++k) sum += weights[k] * spline[std::size_t(piece + k)];
  return static_cast<std::uint8_t>(clamped(sum, 0, 255 * kWeights) / kWeights);
}

using Color = std::array<std::uint8_t, 3>;

/// The colour of level v, 0 to 255.
inline Color color_of(Name name, int v) {
  const auto level = static_cast<std::uint8_t>(v);
  const auto fitted = [&](const Splines& s) -> Color {
    return {value_at(s[0], v), value_at(s[1], v), value_at(s[2], v)};
  };
  switch (name) {
    case Name::viridis:
      return fitted(kViridis);
    case Name::magma:
      return fitted(kMagma);
    case Name::inferno:
      return fitted(kInferno);
    case Name::turbo:
      return fitted(kTurbo);
    case Name::grey:
      return {level, level, level};
    case Name::red:
      return {level, 0, 0};
    case Name::green:
      return {0, level, 0};
    case Name::blue:
      return {0, 0, level};
    case Name::cyan:
      return {0, level, level};
    case Name::magenta:
      return {level, 0, level};
    case Name::yellow:
      return {level, level, 0};
  }
  return {};
}

}  // namespace zp::detail_colormap

#endif
