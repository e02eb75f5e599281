// zeroplane synth: deterministic frames.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/synth.h"

#include <algorithm>
#include <memory>

#include "command.h"

namespace zp::command {

void add_synth(CLI::App& app, int&) {
  struct Choice {
    std::string kind, out, format = "u16";
    SynthOptions options;
  };
  auto* sub = app.add_subcommand(
      "synth", "KIND OUT: a deterministic frame: brightfield, fluorescence, bayer, flat, dark, zstack, ramp, noise");
  auto c = std::make_shared<Choice>();
  sub->add_option("kind", c->kind, "The scene")->required();
  sub->add_option("out", c->out, "The file")->required();
  sub->add_option("--width", c->options.width, "Pixels")->check(CLI::Range(1, 1 << 20));
  sub->add_option("--height", c->options.height, "Pixels")->check(CLI::Range(1, 1 << 20));
  sub->add_option("--format", c->format, "u8, u16 or f32")->check(CLI::IsMember({"u8", "u16", "f32"}));
  sub->add_option("--seed", c->options.seed, "Another picture of the same kind");
  sub->add_option("--pattern", c->options.pattern, "Of the mosaic: rggb, bggr, grbg or gbrg")
      ->check(CLI::IsMember({"rggb", "bggr", "grbg", "gbrg"}));
  sub->add_option("--slices", c->options.slices, "Of a zstack")->check(CLI::Range(1, 4096));
  sub->final_callback([c] {
    const auto names = scene_names();
    const auto scene = std::find(names.begin(), names.end(), c->kind);
    if (scene == names.end()) {
      const std::string near = nearest(c->kind, names);
      std::string all;
      for (const auto name : names) all += (all.empty() ? "" : ", ") + std::string(name);
      throw UsageError("no scene '" + c->kind + "'" +
                       (near.empty() ? "; there are " + all : "; did you mean " + near + "?"));
    }
    for (const Format f : {Format::u8, Format::u16, Format::f32})
      if (name_of(f) == c->format) c->options.format = f;
    const std::vector<Image> images = synth(Scene(scene - names.begin()), c->options);
    if (images.size() == 1)
      write(c->out, images[0]);
    else
      write_pages(c->out, std::vector<ConstPlaneView>(images.begin(), images.end()));
  });
}

}  // namespace zp::command
