// Scenes by formula: lattice noise, discs and gradients in f32 with + - * / only.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/synth.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/pixel.h"
#include "core/threads.h"
#include "zeroplane/error.h"

namespace zp {
namespace {

constexpr std::string_view kNames[] = {"brightfield", "fluorescence", "bayer", "flat",
                                       "dark",        "zstack",       "ramp",  "noise"};
constexpr std::string_view kPatterns[] = {"rggb", "bggr", "grbg", "gbrg"};

std::uint32_t mixed(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  std::uint32_t h = x * 0x9e3779b1u + y * 0x85ebca77u + seed * 0xc2b2ae3du;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ (h >> 15);
}
float unit(std::uint32_t h) { return float(h >> 8) / 16777216.0f; }

/// Value noise on a lattice of `cell` pixels, smoothed by the cubic 3t^2 - 2t^3; in 0..1.
float cloud(int x, int y, int cell, std::uint32_t seed) {
  const int u = x / cell, v = y / cell;
  const float tx = float(x - u * cell) / float(cell), ty = float(y - v * cell) / float(cell);
  const float sx = tx * tx * (3.0f - 2.0f * tx), sy = ty * ty * (3.0f - 2.0f * ty);
  const auto corner = [&](int dx, int dy) { return unit(mixed(std::uint32_t(u + dx), std::uint32_t(v + dy), seed)); };
  const float top = corner(0, 0) + sx * (corner(1, 0) - corner(0, 0));
  const float bottom = corner(0, 1) + sx * (corner(1, 1) - corner(0, 1));
  return top + sy * (bottom - top);
}

/// From x to the nearest place of a centre in cell u.
float beyond(int x, int u, int cell) {
  const float low = (float(u) + 0.25f) * float(cell), high = (float(u) + 0.75f) * float(cell);
  return float(x) < low ? low - float(x) : float(x) > high ? float(x) - high : 0.0f;
}

/// The disc that covers a pixel.
struct Disc {
  float inside = 0.0f;       ///< 1 inside, 0 outside any, with an edge of `soft` pixels between
  std::uint32_t id = 0;      ///< tells discs apart
  float u = 0.0f, v = 0.0f;  ///< from the centre, in radii
};

/// One disc in each lattice cell.
Disc disc_at(int x, int y, int cell, float least, float most, float soft, std::uint32_t seed) {
  Disc best;
  const int column = x / cell, row = y / cell;
  // Centres lie in the middle half of their cell, so most neighbours are too far away to matter.
  const float reach = most * float(cell) + soft;
  for (int dv = -1; dv <= 1; ++dv)
    for (int du = -1; du <= 1; ++du) {
      if (beyond(x, column + du, cell) > reach || beyond(y, row + dv, cell) > reach) continue;
      const std::uint32_t h = mixed(std::uint32_t(column + du), std::uint32_t(row + dv), seed);
      const float cx = (float(column + du) + 0.25f + 0.5f * unit(h)) * float(cell);
      const float cy = (float(row + dv) + 0.25f + 0.5f * unit(mixed(h, 1, seed))) * float(cell);
      const float radius = (least + (most - least) * unit(mixed(h, 2, seed))) * float(cell);
      const float dx = float(x) - cx, dy = float(y) - cy;
      const float inside = clamped((radius - std::sqrt(dx * dx + dy * dy)) / soft + 0.5f, 0.0f, 1.0f);
      if (inside > best.inside) best = {inside, h | 1u, dx / radius, dy / radius};
    }
  return best;
}

/// Light that falls off from a point beside the centre: 1 at its brightest, about 0.45 in the far corner.
float light(int x, int y, const SynthOptions& o) {
  const float dx = (float(x) - 0.56f * float(o.width)) / float(o.width),
              dy = (float(y) - 0.45f * float(o.height)) / float(o.height);
  return 1.0f - 1.05f * (dx * dx + dy * dy);
}

using Rgb = std::array<float, 3>;

/// Tissue: pale ground, pink fibres, blue-violet nuclei.
Rgb tissue(int x, int y, const SynthOptions& o) {
  const float fibre = cloud(x + 2 * y, y, 97, o.seed) * 0.6f + cloud(x, y + x / 2, 23, o.seed + 1) * 0.4f;
  const float nucleus =
      disc_at(x, y, 71, 0.16f, 0.34f, 3.0f, o.seed + 2).inside * (0.6f + 0.4f * cloud(x, y, 9, o.seed + 3));
  const float eosin = clamped((fibre - 0.35f) * 1.9f, 0.0f, 1.0f);
  Rgb c{0.93f, 0.91f, 0.92f};
  const Rgb pink{0.10f, 0.42f, 0.20f}, violet{0.55f, 0.62f, 0.25f};
  for (std::size_t k = 0; k < 3; ++k) c[k] = c[k] * (1.0f - pink[k] * eosin) * (1.0f - violet[k] * nucleus);
  return c;
}

/// One channel of a tray of coloured balls, lit from the upper left, on textured grey.
float tray(int x, int y, std::size_t channel, const SynthOptions& o) {
  const float ground = 0.52f + 0.10f * cloud(x, y, 211, o.seed) + 0.05f * cloud(x, y, 13, o.seed + 1);
  const Disc ball = disc_at(x, y, 311, 0.20f, 0.42f, 2.0f, o.seed + 2);
  if (ball.inside == 0.0f) return ground;
  const float height = clamped(1.0f - (ball.u * ball.u + ball.v * ball.v), 0.0f, 1.0f);
  const float lit = 0.45f + 0.55f * clamped(0.8f * std::sqrt(height) - 0.4f * (ball.u + ball.v), 0.0f, 1.0f);
  const float du = ball.u + 0.35f, dv = ball.v + 0.35f;
  const float gloss = clamped(1.0f - 14.0f * (du * du + dv * dv), 0.0f, 1.0f);
  const float colour = (0.15f + 0.80f * unit(mixed(ball.id, std::uint32_t(channel), o.seed))) * lit;
  const float seen = colour + 0.5f * gloss * gloss * (0.95f - colour);
  return ground + ball.inside * (seen - ground);
}

float dark_level(int x, int y, const SynthOptions& o) {
  return 0.012f + 0.002f * unit(mixed(std::uint32_t(x), std::uint32_t(y), o.seed + 90));
}
/// 0, 1, 2 for a red, green, blue pixel of the mosaic.
std::size_t site(int x, int y, const SynthOptions& o) {
  const char colour = o.pattern[std::size_t(y & 1) * 2 + std::size_t(x & 1)];
  return colour == 'r' ? 0 : colour == 'g' ? 1 : 2;
}
/// Of the sensor: red and blue see less than green.
constexpr float kResponse[] = {0.62f, 0.94f, 0.71f};
float noise(int x, int y, const SynthOptions& o, std::uint32_t salt) {
  float sum = 0.0f;  // four uniform values make a bell
  for (std::uint32_t k = 0; k < 4; ++k)
    sum += unit(mixed(std::uint32_t(x), std::uint32_t(y), o.seed + salt + k)) - 0.5f;
  return sum;
}

float mono(Scene scene, int x, int y, int slice, const SynthOptions& o) {
  switch (scene) {
    case Scene::fluorescence: {
      const Disc nucleus = disc_at(x, y, 83, 0.15f, 0.38f, 5.0f, o.seed);
      const float glow = 0.03f + 0.05f * cloud(x, y, 307, o.seed + 1);
      const float level = 0.25f + 0.6f * unit(mixed(nucleus.id, 3, o.seed));
      return glow + nucleus.inside * level * (0.75f + 0.25f * cloud(x, y, 11, o.seed + 2)) + 0.01f * noise(x, y, o, 10);
    }
    case Scene::bayer: {
      const std::size_t k = site(x, y, o);
      return dark_level(x, y, o) + 0.85f * tray(x, y, k, o) * light(x, y, o) * kResponse[k] +
             0.002f * noise(x, y, o, 20);
    }
    case Scene::flat:
      return dark_level(x, y, o) + 0.85f * light(x, y, o) * kResponse[site(x, y, o)];
    case Scene::dark:
      return dark_level(x, y, o);
    case Scene::zstack: {
      const int cell = std::max(16, std::min(o.width, o.height) / 12);
      const float blur =
          1.0f +
          4.0f * std::fabs(float(slice) - float(mixed(std::uint32_t(x / cell), std::uint32_t(y / cell), o.seed + 7) %
                                                std::uint32_t(o.slices)));
      return 0.1f + 0.7f * disc_at(x, y, cell, 0.2f, 0.35f, blur, o.seed).inside +
             0.1f * cloud(x, y, 2 + int(blur), o.seed + 4);
    }
    case Scene::ramp:
      return o.width > 1 ? float(x) / float(o.width - 1) : 0.0f;
    case Scene::noise:
      return unit(mixed(std::uint32_t(x), std::uint32_t(y), o.seed));
    case Scene::brightfield:
      break;
  }
  return 0.0f;
}

template <class T>
void draw(View<T> out, Scene scene, int slice, const SynthOptions& o) {
  constexpr float white = float(white_of(format_of<T>));
  parallel_for(out.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (int y = int(begin); y < int(end); ++y)
      for (int x = 0; x < out.width; ++x) {
        if (scene == Scene::brightfield) {
          const Rgb c = tissue(x, y, o);
          const float l = 0.75f + 0.25f * light(x, y, o);
          for (int k = 0; k < 3; ++k)
            out.at(x, y, k) =
                to_sample<T>((c[std::size_t(k)] * l + 0.006f * noise(x, y, o, 30 + 4 * std::uint32_t(k))) * white);
        } else {
          out.at(x, y) = to_sample<T>(mono(scene, x, y, slice, o) * white);
        }
      }
  });
}

}  // namespace

std::span<const std::string_view> scene_names() { return kNames; }

std::vector<Image> synth(Scene scene, const SynthOptions& o) {
  if (o.format == Format::u32) throw Error(ErrorKind::invalid_argument, "synth: format u32, allowed u8, u16, f32");
  if (o.slices < 1 || o.slices > 4096)
    throw Error(ErrorKind::invalid_argument, "synth: slices = " + std::to_string(o.slices) + ", allowed 1 to 4096");
  if (std::find(std::begin(kPatterns), std::end(kPatterns), o.pattern) == std::end(kPatterns))
    throw Error(ErrorKind::invalid_argument, "synth: pattern = '" + o.pattern + "', allowed rggb, bggr, grbg, gbrg");
  std::vector<Image> images;
  for (int slice = 0; slice < (scene == Scene::zstack ? o.slices : 1); ++slice) {
    Image image(o.format, o.width, o.height, scene == Scene::brightfield ? 3 : 1);
    if (!image.empty()) {
      switch (o.format) {
        case Format::u8:
          draw(image.as<std::uint8_t>(), scene, slice, o);
          break;
        case Format::u16:
          draw(image.as<std::uint16_t>(), scene, slice, o);
          break;
        default:
          draw(image.as<float>(), scene, slice, o);
          break;
      }
    }
    images.push_back(std::move(image));
  }
  return images;
}

}  // namespace zp
