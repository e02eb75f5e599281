// zeroplane compare: identical, or how and where two images differ.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.h"

namespace zp::command {
namespace {

double sample(const ConstPlaneView& v, int x, int y, int c) {
  switch (v.shape.format) {
    case Format::u8:
      return v.as<const std::uint8_t>().at(x, y, c);
    case Format::u16:
      return v.as<const std::uint16_t>().at(x, y, c);
    case Format::f32:
      return double(v.as<const float>().at(x, y, c));
    case Format::u32:
      return v.as<const std::uint32_t>().at(x, y, c);
  }
  return 0;
}

struct Difference {
  double largest = 0, mean = 0, mean_square = 0;
  int x = -1, y = -1, c = -1;
  std::int64_t differing = 0;
};

/// NaN equals NaN; NaN against a number differs by infinity.
Difference difference(const ConstPlaneView& a, const ConstPlaneView& b) {
  Difference d;
  const PlaneShape& s = a.shape;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x)
      for (int c = 0; c < s.channels; ++c) {
        const double p = sample(a, x, y, c), q = sample(b, x, y, c);
        if (p == q || (std::isnan(p) && std::isnan(q))) continue;
        const double e = std::isnan(p) || std::isnan(q) ? INFINITY : std::fabs(p - q);
        ++d.differing;
        d.mean += e;
        d.mean_square += e * e;
        if (e > d.largest) {
          d.largest = e;
          d.x = x;
          d.y = y;
          d.c = c;
        }
      }
  const double n = double(std::max<std::size_t>(s.samples(), 1));
  d.mean /= n;
  d.mean_square /= n;
  return d;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  struct Choice {
    std::string a, b;
    bool json = false;
  };
  auto* sub =
      app.add_subcommand("compare", "A B: identical (exit 0), or largest difference, where, mean, PSNR (exit 1)");
  auto c = std::make_shared<Choice>();
  sub->add_option("a", c->a, "A file")->required();
  sub->add_option("b", c->b, "Another")->required();
  sub->add_flag("--json", c->json, "As JSON");
  sub->final_callback([c, &exit_code] {
    const Image a = read(c->a), b = read(c->b);
    nlohmann::ordered_json j;
    if (a.shape() != b.shape()) {
      exit_code = failed;
      j["identical"] = false;
      j["a"] = describe(a.shape());
      j["b"] = describe(b.shape());
      if (c->json)
        fmt::print("{}\n", j.dump(2));
      else
        fmt::print("different: {} is {}, {} is {}\n", c->a, describe(a.shape()), c->b, describe(b.shape()));
      return;
    }
    const Difference d = difference(a.view(), b.view());
    exit_code = d.differing ? failed : done;
    const double psnr =
        d.mean_square > 0 ? 10.0 * std::log10(white_of(a.format()) * white_of(a.format()) / d.mean_square) : INFINITY;
    j["identical"] = d.differing == 0;
    j["differing_samples"] = d.differing;
    if (d.differing) {
      j["largest"] = std::isfinite(d.largest) ? nlohmann::ordered_json(d.largest) : nlohmann::ordered_json("inf");
      j["at"] = {d.x, d.y, d.c};
      j["mean"] = std::isfinite(d.mean) ? nlohmann::ordered_json(d.mean) : nlohmann::ordered_json("inf");
      j["psnr_db"] = std::isfinite(psnr) ? nlohmann::ordered_json(psnr) : nlohmann::ordered_json("-inf");
    }
    if (c->json)
      fmt::print("{}\n", j.dump(2));
    else if (!d.differing)
      fmt::print("identical\n");
    else
      fmt::print("different: {} of {} samples, largest {:g} at x {} y {} channel {}, mean {:g}, PSNR {:.2f} dB\n",
                 d.differing, a.shape().samples(), d.largest, d.x, d.y, d.c, d.mean, psnr);
  });
}

}  // namespace zp::command
