// zeroplane stats: minimum, maximum, mean, deviation and histogram of a pipeline's result, as JSON.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "zeroplane/hash.h"

namespace zp::command {
namespace {

struct StatsChoice {
  std::vector<std::string> arguments;
  std::string step_file;
  int bins = 256;
};

Image result_of(const Pipeline& pipeline, const std::string& file, std::vector<std::pair<std::string, Values>>* found) {
  if (!pipeline.takes_stack()) return pipeline.run(read(file), found);
  const auto pages = [&](const std::function<void(Image)>& take) {
    read_pages(file, [&](int, Image page) { take(std::move(page)); });
  };
  return pipeline.run_stack(pages, found);
}

void print_statistics(const StatsChoice& choice) {
  const Arguments split = split_arguments(choice.arguments);
  if (split.files.size() != 1) throw UsageError("stats needs one input file: zeroplane stats IN [OP...]");
  const Pipeline pipeline = make_pipeline(choice.step_file, split.steps);
  std::vector<std::pair<std::string, Values>> found;
  const Image image = result_of(pipeline, split.files[0], &found);
  nlohmann::ordered_json j;
  j["file"] = split.files[0];
  j["width"] = image.width();
  j["height"] = image.height();
  j["channels"] = image.channels();
  j["format"] = name_of(image.format());
  j["hash"] = hash_text(hash(image.view()));
  const ConstPlaneView view = image.view();
  const auto add = [&](const char* name, const std::string& arguments) {
    j[name] = nlohmann::ordered_json::parse(to_json(AnyOperation(name, arguments).run(std::span(&view, 1), nullptr)));
  };
  add("min_max", "");
  add("mean", "");
  add("deviation", "");
  add("histogram", fmt::format("bins={}", choice.bins));
  const auto keys = step_keys(found);
  for (std::size_t k = 0; k < found.size(); ++k)
    j["steps"][keys[k]] = nlohmann::ordered_json::parse(to_json(found[k].second));
  fmt::print("{}\n", j.dump(2));
}

}  // namespace

void add_stats(CLI::App& app, int&) {
  auto* sub =
      app.add_subcommand("stats", "IN [OP...]: minimum, maximum, mean, deviation and histogram of the result, as JSON");
  const auto c = std::make_shared<StatsChoice>();
  sub->add_option("arguments", c->arguments, "An input file, then operations")->required();
  sub->add_option("-p,--pipeline", c->step_file, "Read steps from a file; those of the command line follow");
  sub->add_option("--bins", c->bins, "Histogram bins, 256 if not said")->check(CLI::Range(1, 65536));
  sub->final_callback([c] { print_statistics(*c); });
}

}  // namespace zp::command
