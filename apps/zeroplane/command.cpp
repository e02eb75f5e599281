// Global options, usage errors and the arguments of a pipeline.
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

namespace zp::command {
namespace {

struct Globals {
  Options options;
  int threads = 0;
};

std::string head_of(const std::string& argument) { return argument.substr(0, argument.find(':')); }
bool is_operation(const std::string& argument) { return find_operation(head_of(argument)) != nullptr; }

bool is_word(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// A step that was mistyped stands where a file would: a bare word that names nothing on the disk.
void refuse_mistyped(const std::string& argument) {
  const std::string head = head_of(argument);
  if (!is_word(head) || std::filesystem::exists(argument)) return;
  if (argument.find(':') != std::string::npos) as_usage([&] { AnyOperation::parse(argument); });
  const auto names = operation_names();
  const std::string near = nearest(head, names);
  if (!near.empty())
    throw UsageError("'" + argument + "' is neither an operation nor a file; did you mean " + near + "?");
}

}  // namespace

void as_usage(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid_argument && error.kind() != ErrorKind::unsupported) throw;
    throw UsageError(error.what());
  }
}

void add_globals(CLI::App& app) {
  const auto g = std::make_shared<Globals>();
  app.add_option("--device", g->options.device,
                 "auto, none, cuda, cuda:N, simulated:unified, simulated:discrete, simulated:coherent");
  app.add_option("--memory-model", g->options.memory_model, "auto, unified, discrete, coherent");
  app.add_option("--executor", g->options.executor, "auto, cpu, cuda, simulated");
  app.add_option("--threads", g->threads, "CPU threads, 0 for one per core")->check(CLI::Range(0, 4096));
  app.parse_complete_callback([g] {
    as_usage([&] { initialize(g->options); });
    if (g->threads > 0) set_threads(g->threads);
  });
}

std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  const CLI::App* chosen = nullptr;
  std::string suggestion;
  for (int k = 1; k < argc && suggestion.empty(); ++k) {
    const std::string word = std::string(argv[k]).substr(0, std::string(argv[k]).find('='));
    if (word.starts_with("--")) {
      std::vector<std::string> options;
      for (const CLI::App* a : {&app, chosen})
        if (a)
          for (const CLI::Option* o : a->get_options())
            for (const std::string& name : o->get_lnames()) options.push_back("--" + name);
      if (std::find(options.begin(), options.end(), word) == options.end())
        suggestion = nearest(word, std::vector<std::string_view>(options.begin(), options.end()));
    } else if (!chosen && is_word(word)) {
      const auto found = std::find(names.begin(), names.end(), word);
      if (found != names.end())
        chosen = app.get_subcommand(*found);
      else
        suggestion = nearest(word, std::vector<std::string_view>(names.begin(), names.end()));
    }
  }
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (!suggestion.empty()) return text + "; did you mean " + suggestion + "?";
  return text + "; see zeroplane " + (chosen ? chosen->get_name() + " " : "") + "--help";
}

Arguments split_arguments(const std::vector<std::string>& all) {
  Arguments split;
  for (const std::string& argument : all) {
    if (is_operation(argument)) {
      split.steps.push_back(argument);
    } else if (!split.steps.empty()) {
      as_usage([&] { AnyOperation::parse(argument); });
    } else {
      refuse_mistyped(argument);
      split.files.push_back(argument);
    }
  }
  return split;
}

Pipeline make_pipeline(const std::string& step_file, const std::vector<std::string>& steps) {
  std::vector<std::string> all;
  if (!step_file.empty()) {
    std::ifstream file(step_file, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw UsageError(step_file + ": cannot read steps from it");
    all = Pipeline::split_steps(text.str());
  }
  all.insert(all.end(), steps.begin(), steps.end());
  Pipeline pipeline;
  as_usage([&] { pipeline = Pipeline(all); });
  return pipeline;
}

std::vector<std::string> step_keys(const std::vector<std::pair<std::string, Values>>& found) {
  std::vector<std::string> keys;
  std::map<std::string, int> seen;
  for (const auto& [step, values] : found) {
    const int n = ++seen[step];
    keys.push_back(n == 1 ? step : step + " #" + std::to_string(n));
  }
  return keys;
}

}  // namespace zp::command
