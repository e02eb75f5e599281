// zeroplane run: a pipeline over a file, its pages, or many files.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "command.h"
#include "zeroplane/hash.h"

namespace zp::command {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct RunChoice {
  std::vector<std::string> arguments;
  std::string step_file, compression;
  bool explain = false, print_hash = false, all_pages = false;
  int page = -1, quality = 95;
};

std::string placements(const RunReport& run) {
  std::string text;
  for (const auto& operand : run.operands) text += (text.empty() ? "" : ", ") + std::string(name_of(operand.placement));
  return text.empty() ? "host" : text;
}

void explain(const StepReport& s) {
  fmt::print(stderr, "{:<44} {:>9.2f} ms  {:<9} {:<34} staged {} B in, {} B out  -> {}\n", s.operation, s.milliseconds, name_of(s.run.executor),
             placements(s.run), s.counted.bytes_to_device, s.counted.bytes_to_host, describe(s.output));
}

void print_values(const std::string& input, bool many, const std::vector<std::pair<std::string, Values>>& found) {
  if (found.empty()) return;
  Json j = Json::object();
  if (many) j["file"] = input;
  for (const auto& [step, values] : found) {
    std::string key = step;
    for (int n = 2; j.contains(key); ++n) key = step + " #" + std::to_string(n);
    j[key] = Json::parse(to_json(values));
  }
  fmt::print("{}\n", j.dump(2));
}

/// OUT for one input: a file, a pattern with {name} and {page}, or a folder.
std::string output_path(const std::string& out, const std::string& in, int page, bool folder) {
  const fs::path input(in);
  if (folder) {
    std::string extension = input.extension().string();
    return (fs::path(out) / (input.stem().string() + (page >= 0 ? fmt::format("_{:04}", page) : "") + extension)).string();
  }
  std::string path = out;
  const auto put = [&path](const std::string& mark, const std::string& text) {
    for (std::size_t at = 0; (at = path.find(mark, at)) != std::string::npos; at += text.size()) path.replace(at, mark.size(), text);
  };
  put("{page}", fmt::format("{:04}", std::max(page, 0)));
  put("{name}", input.stem().string());
  return path;
}

Image processed(const Pipeline& pipeline, Image image, const std::string& name, bool many, const RunChoice& choice) {
  std::vector<std::pair<std::string, Values>> values;
  Image result = pipeline.run(std::move(image), &values, choice.explain ? Pipeline::Observer(explain) : Pipeline::Observer());
  print_values(name, many, values);
  if (choice.print_hash) fmt::print("{}  {}\n", hash_text(hash(result.view())), name);
  return result;
}

bool is_tiff(const std::string& path) {
  const std::string e = fs::path(path).extension().string();
  return e == ".tif" || e == ".tiff" || e == ".TIF" || e == ".TIFF";
}

void run_file(const Pipeline& pipeline, const std::string& in, const std::string& out, bool folder, bool many, const RunChoice& choice) {
  WriteOptions write_options;
  write_options.compression = choice.compression;
  write_options.quality = choice.quality;
  const bool by_page = out.find("{page}") != std::string::npos;
  const FileInfo info = inspect(in);
  if (choice.page >= info.pages)
    throw Error(ErrorKind::invalid_argument, fmt::format("{}: has {} page{}, numbered from 0; --page {}", in, info.pages, info.pages == 1 ? "" : "s", choice.page));
  const bool every_page = info.pages > 1 && choice.page < 0 && (choice.all_pages || by_page || is_tiff(output_path(out, in, -1, folder)));
  if (!every_page) {
    if (info.pages > 1 && choice.page < 0) fmt::print(stderr, "{}: first of {} pages\n", in, info.pages);
    Image image;
    if (choice.page > 0) {
      read_pages(in, [&](int k, Image page) {
        if (k == choice.page) image = std::move(page);
      });
    } else {
      image = read(in);
    }
    const Image result = processed(pipeline, std::move(image), in, many, choice);
    write(output_path(out, in, by_page ? std::max(choice.page, 0) : -1, folder), result, write_options);
    return;
  }
  std::vector<Image> results;
  read_pages(in, [&](int k, Image page) {
    Image result = processed(pipeline, std::move(page), fmt::format("{} page {}", in, k), true, choice);
    if (by_page || !is_tiff(output_path(out, in, -1, folder)))
      write(output_path(out, in, k, folder), result, write_options);
    else
      results.push_back(std::move(result));
  });
  if (!results.empty()) write_pages(output_path(out, in, -1, folder), std::vector<ConstPlaneView>(results.begin(), results.end()), write_options);
}

int run_all(const RunChoice& choice) {
  const Arguments split = split_arguments(choice.arguments);
  if (split.files.size() < 2) throw UsageError("run needs at least one input file and an output: zeroplane run IN... OUT OP[:key=value,...]...");
  Pipeline pipeline = make_pipeline(choice.step_file, split.steps);
  const std::string out = split.files.back();
  const std::vector<std::string> inputs(split.files.begin(), split.files.end() - 1);
  const bool many = inputs.size() > 1;
  const bool folder = fs::is_directory(out) || out.ends_with('/');
  if (many && !folder && out.find("{name}") == std::string::npos && out.find("{page}") == std::string::npos)
    throw UsageError(fmt::format("{} inputs need a folder as output, or a pattern like out/{{name}}.png; '{}' is one file", inputs.size(), out));
  std::set<std::string> targets;
  for (const std::string& in : inputs)
    if (!targets.insert(output_path(out, in, -1, folder)).second)
      throw UsageError(fmt::format("two inputs would be written to {}", output_path(out, in, -1, folder)));
  if (folder) fs::create_directories(out);
  pipeline.prepare();
  if (choice.explain) {
    const DeviceReport report = device_report();
    fmt::print(stderr, "memory model {}: {}\n", name_of(report.model), report.reason);
  }
  const bool progress = many && is_terminal_stderr();
  std::size_t failures = 0, k = 0;
  for (const std::string& in : inputs) {
    try {
      run_file(pipeline, in, out, folder, many, choice);
    } catch (const std::exception& error) {
      if (!many) throw;
      ++failures;
      fmt::print(stderr, "{}{}\n", progress ? "\r" : "", error.what());
    }
    if (progress) fmt::print(stderr, "\r{} of {}", ++k, inputs.size());
  }
  if (progress) fmt::print(stderr, "\n");
  if (failures) fmt::print(stderr, "{} of {} files failed\n", failures, inputs.size());
  return failures ? failed : done;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto* sub = app.add_subcommand("run", "IN... OUT OP[:key=value,...]...: a pipeline over a file, its pages, or many files");
  auto c = std::make_shared<RunChoice>();
  sub->add_option("arguments", c->arguments, "Input files, the output, then operations")->required();
  sub->add_option("-p,--pipeline", c->step_file, "Read steps from a file; those of the command line follow");
  sub->add_flag("-v,--explain", c->explain, "Per step to stderr: time, executor, placements, bytes staged");
  sub->add_flag("--hash", c->print_hash, "Print the hash of each result");
  sub->add_flag("--pages", c->all_pages, "Every page of the input, also where the output is one file a page");
  sub->add_option("--page", c->page, "One page of the input, from 0")->check(CLI::NonNegativeNumber);
  sub->add_option("--compression", c->compression, "TIFF: none, lzw, deflate, zstd, packbits");
  sub->add_option("--quality", c->quality, "JPEG quality")->check(CLI::Range(1, 100));
  sub->final_callback([c, &exit_code] { exit_code = run_all(*c); });
}

void add_stats(CLI::App& app, int&) {
  struct Choice {
    std::vector<std::string> arguments;
    std::string step_file;
    int bins = 0;
  };
  auto* sub = app.add_subcommand("stats", "IN [OP...]: minimum, maximum, mean, deviation and histogram of the result, as JSON");
  auto c = std::make_shared<Choice>();
  sub->add_option("arguments", c->arguments, "An input file, then operations")->required();
  sub->add_option("-p,--pipeline", c->step_file, "Read steps from a file");
  sub->add_option("--bins", c->bins, "Histogram bins; default 256")->check(CLI::Range(1, 65536));
  sub->final_callback([c] {
    const Arguments split = split_arguments(c->arguments);
    if (split.files.size() != 1) throw UsageError("stats needs one input file: zeroplane stats IN [OP...]");
    Pipeline pipeline = make_pipeline(c->step_file, split.steps);
    std::vector<std::pair<std::string, Values>> values;
    const Image image = pipeline.run(read(split.files[0]), &values);
    Json j;
    j["file"] = split.files[0];
    j["width"] = image.width();
    j["height"] = image.height();
    j["channels"] = image.channels();
    j["format"] = name_of(image.format());
    const ConstPlaneView view = image.view();
    const std::string bins = fmt::format("bins={}", c->bins ? c->bins : 256);
    for (const auto& [name, arguments] : {std::pair<std::string, std::string>{"min_max", ""}, {"mean", ""}, {"deviation", ""}, {"histogram", bins}}) {
      const AnyOperation op(name, arguments);
      j[name] = Json::parse(to_json(op.run(std::span(&view, 1), nullptr)));
    }
    for (const auto& [step, found] : values) j["steps"][step] = Json::parse(to_json(found));
    fmt::print("{}\n", j.dump(2));
  });
}

}  // namespace zp::command
