// Inputs by formula and results by hash.
// SPDX-License-Identifier: Apache-2.0
#include "registry/cases.h"

#include <cmath>
#include <cstring>

#include "kernels/row.h"
#include "registry/arguments.h"
#include "zeroplane/hash.h"

namespace zp::registry {
namespace {

std::uint32_t mixed(std::uint32_t x, std::uint32_t y, std::uint32_t c, std::uint32_t seed) {
  std::uint32_t h = x * 0x9e3779b1u ^ (y * 0x85ebca77u + 0x165667b1u) ^ (c * 0xc2b2ae3du) ^ (seed * 0x27d4eb2fu);
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ (h >> 15);
}

/// A picture in 0..65535: ramps, blocks, discs, noise, black and white patches.
std::uint32_t picture(int x, int y, int c, unsigned seed) {
  const std::uint32_t noise = mixed(std::uint32_t(x), std::uint32_t(y), std::uint32_t(c), seed);
  const int u = (x + 7 * int(seed)) / 24, v = y / 16;
  switch ((u + 3 * v + int(seed)) % 6) {
    case 0:
      return noise & 0xffffu;
    case 1:
      return std::uint32_t((x * 1021 + y * 353 + c * 9001) & 0xffff);
    case 2:
      return ((x ^ y) & 4) ? 65535u : 0u;
    case 3:
      return 20000u + std::uint32_t(c) * 12000u + (noise & 0x3ffu);
    case 4: {
      const int dx = x % 24 - 12, dy = y % 16 - 8;
      return dx * dx + dy * dy < 40 ? 60000u - (noise & 0xfffu) : 3000u + (noise & 0x7ffu);
    }
    default:
      return c == 0 ? 65535u : 0u;
  }
}

double pattern_value(Pattern pattern, int x, int y, int c, unsigned seed, const PlaneShape& s) {
  switch (pattern) {
    case Pattern::picture:
      return picture(x, y, c, seed) / 65535.0;
    case Pattern::mask:
      return picture(x, y, 0, seed) > 40000u ? 1.0 : 0.0;
    case Pattern::coordinates_x:
    case Pattern::coordinates_y: {
      // Positions around the pixel's own, in 1/256 steps, some outside.
      const double jitter =
          double(mixed(std::uint32_t(x), std::uint32_t(y), pattern == Pattern::coordinates_x ? 1u : 2u, seed) % 2048u) /
              256.0 -
          4.0;
      return (pattern == Pattern::coordinates_x ? x : y) + jitter;
    }
    case Pattern::flat:
      return 0.35 + 0.5 * (double((x * 37 + y * 61) % 256) / 256.0) * (double(s.width) > 0 ? 1.0 : 0.0);
    case Pattern::dark:
      return double(mixed(std::uint32_t(x), std::uint32_t(y), std::uint32_t(c), seed) % 1024u) / 65536.0;
  }
  return 0.0;
}

template <class T>
void paint_as(View<T> view, Pattern pattern, unsigned seed, const PlaneShape& s) {
  const bool coordinates = pattern == Pattern::coordinates_x || pattern == Pattern::coordinates_y;
  const double scale = coordinates ? 1.0 : white_of(format_of<T>);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      for (int c = 0; c < view.channels; ++c) {
        const double v = pattern_value(pattern, x, y, c, seed, s) * scale;
        if constexpr (std::is_same_v<T, float>) {
          view.at(x, y, c) = float(v);
        } else if constexpr (std::is_same_v<T, std::uint32_t>) {
          view.at(x, y, c) = picture(x, y, c, seed) % 17u;
        } else {
          view.at(x, y, c) = T(std::floor(v + 0.5));
        }
      }
}

constexpr int kCaseSlices = 5;

int first_channels(ChannelSet set) {
  for (int c = 1; c <= 4; ++c)
    if (set & (1 << c)) return c;
  return 1;
}

}  // namespace

std::string OperationCase::text() const {
  std::string t = arguments.empty() ? "default" : arguments;
  if (shape.channels != 1) t += " " + std::to_string(shape.channels) + "ch";
  return t;
}

std::vector<OperationCase> all_cases(int width, int height, std::string_view filter) {
  std::vector<OperationCase> all;
  for (const detail::Row* row : detail::all_rows()) {
    if (!row->info->name.starts_with(filter)) continue;
    for (const Case& c : row->cases)
      for (const Format f : {Format::u8, Format::u16, Format::f32, Format::u32}) {
        if (!(row->info->formats & c.formats & bit(f))) continue;
        const int channels = c.channels ? c.channels : first_channels(row->info->channels);
        all.push_back({AnyOperation(row->info->name, c.arguments), std::string(c.arguments),
                       PlaneShape{width, height, channels, f}});
      }
  }
  return all;
}

void paint(const PlaneView& view, Pattern pattern, unsigned seed) {
  switch (view.shape.format) {
    case Format::u8:
      paint_as(view.as<std::uint8_t>(), pattern, seed, view.shape);
      break;
    case Format::u16:
      paint_as(view.as<std::uint16_t>(), pattern, seed, view.shape);
      break;
    case Format::f32:
      paint_as(view.as<float>(), pattern, seed, view.shape);
      break;
    case Format::u32:
      paint_as(view.as<std::uint32_t>(), pattern, seed, view.shape);
      break;
  }
}

std::vector<Image> case_inputs(const OperationCase& c) {
  std::vector<Image> inputs;
  const detail::Row& row = c.operation.row();
  const int count = row.info->stack ? kCaseSlices : row.info->max_inputs;
  for (int k = 0; k < count; ++k) {
    const CaseInput input = row.case_input(k, c.shape);
    inputs.emplace_back(input.shape);
    paint(inputs.back().view(), input.pattern, unsigned(k + 1));
  }
  return inputs;
}

std::string result_hash(const Image* image, const Values& values) {
  std::string text = image ? hash_text(hash(image->view())) : "";
  for (const auto& [name, value] : values) {
    text += " " + name + "=";
    const auto add = [&text](double v) {
      char buffer[40];
      std::snprintf(buffer, sizeof(buffer), "%a/", std::isnan(v) ? std::fabs(double(kAutomatic)) : v);
      text += buffer;
    };
    if (const auto* v = std::get_if<double>(&value))
      add(*v);
    else if (const auto* list = std::get_if<std::vector<double>>(&value))
      for (const double v : *list) add(v);
    else if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&value))
      for (const std::int64_t v : *whole) text += std::to_string(v) + "/";
    else if (const auto* i = std::get_if<std::int64_t>(&value))
      text += std::to_string(*i);
    else if (const auto* u = std::get_if<std::uint64_t>(&value))
      text += std::to_string(*u);
    else if (const auto* b = std::get_if<bool>(&value))
      text += *b ? "true" : "false";
    else
      text += std::get<std::string>(value);
  }
  if (values.empty()) return text;
  const PlaneShape line{int(text.size()), 1, 1, Format::u8};
  return hash_text(hash(ConstPlaneView(text.data(), line)));
}

std::string case_hash(const OperationCase& c, std::span<const Image> inputs) {
  const std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
  Values values;
  const Image image = c.operation.evaluate(views, &values);
  return result_hash(c.operation.makes_image() ? &image : nullptr, values);
}

}  // namespace zp::registry
