// zeroplane run: a pipeline over a file, its pages, or many files.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
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
  std::string step_file;
  bool explain = false, print_hash = false, all_pages = false;
  int page = -1;
  WriteOptions write;
};

/// Where results go: one file, a folder, or a pattern with {name} and {page}.
struct Target {
  std::string out;
  bool is_folder = false;
  bool by_page() const { return out.find("{page}") != std::string::npos; }

  /// `page` is -1 for a result that is not one of several pages.
  std::string path(const std::string& in, int page) const {
    const fs::path input(in);
    const std::string number = fmt::format("{:04}", std::max(page, 0));
    if (is_folder)
      return (fs::path(out) / (input.stem().string() + (page >= 0 ? "_" + number : "") + input.extension().string()))
          .string();
    std::string text = out;
    const auto put = [&text](const std::string& mark, const std::string& value) {
      for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
        text.replace(at, mark.size(), value);
    };
    put("{page}", number);
    put("{name}", input.stem().string());
    return text;
  }
};

std::string extension_of(const std::string& path) {
  std::string e = fs::path(path).extension().string();
  for (char& c : e) c = char(std::tolower(static_cast<unsigned char>(c)));
  return e;
}
bool is_tiff(const std::string& path) { return extension_of(path) == ".tif" || extension_of(path) == ".tiff"; }
bool is_image(const std::string& path) {
  const std::string e = extension_of(path);
  return is_tiff(path) || e == ".png" || e == ".jpg" || e == ".jpeg";
}

void explain(const StepReport& step) {
  std::string placements;
  for (const auto& operand : step.run.operands)
    placements += (placements.empty() ? "" : ", ") + std::string(name_of(operand.placement));
  fmt::print(stderr, "{:<48} {:>9.2f} ms  {} ({})  {}  staged {} B in, {} B out  -> {}\n", step.operation,
             step.milliseconds, name_of(step.run.executor), step.run.executor_reason,
             placements.empty() ? "in place" : placements, step.counted.bytes_to_device, step.counted.bytes_to_host,
             describe(step.output));
  for (const auto& operand : step.run.operands)
    if (operand.placement == Placement::staged)
      fmt::print(stderr, "{:<48} {} B staged: {}\n", "", operand.bytes, operand.reason);
}

/// Explains how long a piece of work outside the steps took.
template <class Work>
auto timed(const RunChoice& choice, const std::string& what, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  const auto tell = [&] {
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (choice.explain) fmt::print(stderr, "{:<48} {:>9.2f} ms\n", what, ms);
  };
  if constexpr (std::is_void_v<decltype(work())>) {
    work();
    tell();
  } else {
    auto result = work();
    tell();
    return result;
  }
}

Json json_of(const std::vector<std::pair<std::string, Values>>& found) {
  Json j = Json::object();
  const auto keys = step_keys(found);
  for (std::size_t k = 0; k < found.size(); ++k) j[keys[k]] = Json::parse(to_json(found[k].second));
  return j;
}

/// One run: what all of its files share.
class Run {
 public:
  Run(const RunChoice& choice, const Pipeline& pipeline, Target target, bool many)
      : choice_(choice), pipeline_(pipeline), target_(std::move(target)), many_(many) {}

  void file(const std::string& in) const {
    const FileInfo info = inspect(in);
    if (choice_.page >= info.pages)
      throw Error(ErrorKind::invalid_argument, fmt::format("{}: has {} page{}, counted from 0, so there is no page {}",
                                                           in, info.pages, info.pages == 1 ? "" : "s", choice_.page));
    const bool one_file = !target_.by_page() && is_tiff(target_.path(in, -1));
    const bool every_page = info.pages > 1 && choice_.page < 0 && (choice_.all_pages || target_.by_page() || one_file);
    if (!every_page) {
      if (info.pages > 1 && choice_.page < 0)
        fmt::print(stderr, "{}: only the first of {} pages; --pages takes all\n", in, info.pages);
      const Image result = processed(page_of(in, std::max(choice_.page, 0)), in);
      save(target_.path(in, target_.by_page() ? std::max(choice_.page, 0) : -1), {result.view()});
      return;
    }
    if (!one_file && !target_.by_page() && !target_.is_folder)
      throw UsageError(fmt::format("{} has {} pages: the output needs {{page}} in its name, or .tif", in, info.pages));
    std::vector<Image> results;
    read_pages(in, [&](int k, Image page) {
      Image result = processed(std::move(page), fmt::format("{} page {}", in, k));
      if (one_file)
        results.push_back(std::move(result));
      else
        save(target_.path(in, k), {result.view()});
    });
    if (one_file) save(target_.path(in, -1), std::vector<ConstPlaneView>(results.begin(), results.end()));
  }

  /// All pages of all files at once, for a step that takes a stack.
  void stack(const std::vector<std::string>& inputs) const {
    const auto pages = [&](const std::function<void(Image)>& take) {
      for (const std::string& in : inputs)
        timed(choice_, "read " + in, [&] { read_pages(in, [&](int, Image page) { take(std::move(page)); }); });
    };
    std::vector<std::pair<std::string, Values>> values;
    const Image result =
        pipeline_.run_stack(pages, &values, choice_.explain ? Pipeline::Observer(explain) : Pipeline::Observer());
    if (!values.empty()) fmt::print("{}\n", json_of(values).dump(2));
    if (choice_.print_hash) fmt::print("{}  {}\n", hash_text(hash(result.view())), inputs[0]);
    save(target_.path(inputs[0], -1), {result.view()});
  }

 private:
  Image page_of(const std::string& in, int wanted) const {
    return timed(choice_, "read " + in, [&] {
      if (wanted == 0) return read(in);
      Image image;
      read_pages(in, [&](int k, Image page) {
        if (k == wanted) image = std::move(page);
      });
      return image;
    });
  }

  Image processed(Image image, const std::string& name) const {
    std::vector<std::pair<std::string, Values>> values;
    Image result =
        pipeline_.run(std::move(image), &values, choice_.explain ? Pipeline::Observer(explain) : Pipeline::Observer());
    const bool one_of_many = many_ || name.find(" page ") != std::string::npos;
    if (!values.empty()) {
      Json j = Json::object();
      if (one_of_many) j["file"] = name;
      j.update(json_of(values));
      fmt::print("{}\n", j.dump(one_of_many ? -1 : 2));
    }
    if (choice_.print_hash) fmt::print("{}  {}\n", hash_text(hash(result.view())), name);
    return result;
  }

  void save(const std::string& path, const std::vector<ConstPlaneView>& pages) const {
    timed(choice_, "write " + path, [&] { write_pages(path, pages, choice_.write); });
  }

  const RunChoice& choice_;
  const Pipeline& pipeline_;
  Target target_;
  bool many_;
};

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return fs::equivalent(a, b, none) && !none;
}

/// The output may be the input itself, which is read before the result takes its place; any other file of the run is
/// not to be overwritten.
void check_targets(const Target& target, const std::vector<std::string>& inputs, const Pipeline& pipeline) {
  std::set<std::string> paths;
  for (const std::string& in : inputs) {
    const std::string path = target.path(in, -1);
    if (!is_image(path)) throw UsageError(fmt::format("{}: the output's name must end in .tif, .png or .jpg", path));
    if (!paths.insert(path).second) throw UsageError(fmt::format("two inputs would be written to {}", path));
    for (const std::string& other : inputs)
      if (&other != &in && is_same_file(path, other))
        throw UsageError(fmt::format("the result of {} would overwrite the input {}", in, other));
    for (const std::string& other : pipeline.files())
      if (is_same_file(path, other))
        throw UsageError(fmt::format("the result would overwrite {}, which a step reads", other));
  }
}

int run_all(const RunChoice& choice) {
  const Arguments split = split_arguments(choice.arguments);
  if (split.files.size() < 2)
    throw UsageError("run needs an input file and an output: zeroplane run IN... OUT OP[:key=value,...]...");
  Pipeline pipeline = make_pipeline(choice.step_file, split.steps);
  const std::vector<std::string> inputs(split.files.begin(), split.files.end() - 1);
  const std::string& out = split.files.back();
  const Target target{out, fs::is_directory(out) || out.ends_with('/')};
  const bool stack = pipeline.takes_stack();
  const bool many_files = inputs.size() > 1, many = many_files && !stack;
  if (stack && (choice.page >= 0 || choice.all_pages))
    throw UsageError("a step takes the pages of all inputs as one stack; --page and --pages do not go with it");
  if (many && !target.is_folder && out.find("{name}") == std::string::npos)
    throw UsageError(fmt::format("{} inputs need a folder as output, or a name with {{name}} in it; '{}' is one file",
                                 inputs.size(), out));
  check_targets(target, stack ? std::vector{inputs[0]} : inputs, pipeline);
  for (const std::string& in : inputs)
    if (stack && many_files && is_same_file(target.path(inputs[0], -1), in))
      throw UsageError(fmt::format("the result of the stack would overwrite its slice {}", in));
  pipeline.prepare();
  if (target.is_folder) {
    std::error_code error;
    fs::create_directories(out, error);
    if (error) throw Error(ErrorKind::io, out + ": cannot make the folder: " + error.message());
  }
  if (choice.explain) {
    const DeviceReport report = device_report();
    fmt::print(stderr, "memory model {}: {}\n", name_of(report.model), report.reason);
  }
  const Run run(choice, pipeline, target, many);
  if (stack) {
    run.stack(inputs);
    return done;
  }
  const bool progress = many && ::isatty(STDERR_FILENO) != 0;
  std::size_t failures = 0, count = 0;
  for (const std::string& in : inputs) {
    try {
      run.file(in);
    } catch (const Error& error) {
      if (!many) throw;
      ++failures;
      fmt::print(stderr, "{}zeroplane: {}: {}\n", progress ? "\r" : "", in, error.what());
    }
    if (progress) fmt::print(stderr, "\r{} of {}", ++count, inputs.size());
  }
  if (progress) fmt::print(stderr, "\n");
  if (failures) fmt::print(stderr, "zeroplane: {} of {} files failed\n", failures, inputs.size());
  return failures ? failed : done;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto* sub =
      app.add_subcommand("run", "IN... OUT OP[:key=value,...]...: a pipeline over a file, its pages, or many files");
  const auto c = std::make_shared<RunChoice>();
  sub->add_option("arguments", c->arguments, "Input files, the output, then operations")->required();
  sub->add_option("-p,--pipeline", c->step_file, "Read steps from a file; those of the command line follow");
  sub->add_flag("-v,--explain", c->explain, "Per step, to stderr: time, executor, placements, bytes staged, and why");
  sub->add_flag("--hash", c->print_hash, "Print the hash of each result");
  auto* pages = sub->add_flag("--pages", c->all_pages, "Every page of the input, also where each result is a file");
  sub->add_option("--page", c->page, "One page of the input, from 0")->check(CLI::NonNegativeNumber)->excludes(pages);
  sub->add_option("--compression", c->write.compression, "TIFF: none, lzw, deflate, zstd, packbits")
      ->check(CLI::IsMember({"none", "lzw", "deflate", "zstd", "packbits"}));
  sub->add_option("--quality", c->write.quality, "JPEG quality")->check(CLI::Range(1, 100));
  sub->final_callback([c, &exit_code] { exit_code = run_all(*c); });
}

}  // namespace zp::command
