// zeroplane verify: every operation and case on every executor and model of this machine, against the golden tables.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "command.h"
#include "core/threads.h"
#include "cost.h"
#include "golden.h"
#include "registry/cases.h"

namespace zp::command {
namespace {

namespace fs = std::filesystem;
using registry::OperationCase;

// Odd, and no multiple of any tile. The golden tables are of the small size; in the large one there is work for several
// threads, blocks and chunks, and it is compared between the places alone.
constexpr Extent kSmall{131, 97}, kLarge{517, 263};

struct Place {
  std::string name, device, model;
  Executor executor;
  CpuLevel level = best_cpu_level();
  int threads = 0;
};

std::vector<Place> all_places() {
  std::vector<Place> places{{"cpu", "none", "auto", Executor::cpu}};
  const std::pair<CpuLevel, const char*> levels[] = {
      {CpuLevel::baseline, "baseline"}, {CpuLevel::avx2, "avx2"}, {CpuLevel::avx512, "avx512"}};
  for (const auto& [level, text] : levels)
    if (level <= best_cpu_level())
      for (const int threads : {1, 2, 3, 8})
        if (level == best_cpu_level() || threads == 1 || threads == 8)
          places.push_back(
              {fmt::format("cpu {} {} threads", text, threads), "none", "auto", Executor::cpu, level, threads});
  for (const char* model : {"unified", "discrete", "coherent"})
    places.push_back(
        {fmt::format("simulated {}", model), fmt::format("simulated:{}", model), "auto", Executor::simulated});
  try {
    initialize({.device = "cuda", .memory_model = "auto", .executor = "auto"});
    const DeviceReport report = device_report();
    places.push_back({fmt::format("cuda {}", name_of(report.model)), "cuda", "auto", Executor::cuda});
    if (report.model != MemoryModel::unified && report.can_map_host_memory)
      places.push_back({"cuda unified forced", "cuda", "unified", Executor::cuda});
    if (report.model != MemoryModel::discrete)
      places.push_back({"cuda discrete forced", "cuda", "discrete", Executor::cuda});
  } catch (const Error& error) {
    fmt::print("cuda: skipped: {}\n", error.what());
  }
  return places;
}

/// operation -> "case<TAB>format" -> hash
using Golden = std::map<std::string, std::map<std::string, std::string>>;

void parse_golden(std::istream& in, Golden& golden) {
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t a = line.find('\t'), b = line.rfind('\t');
    if (a == std::string::npos || b == a) continue;
    golden[line.substr(0, a)][line.substr(a + 1, b - a - 1)] = line.substr(b + 1);
  }
}

Golden load_golden(const std::string& folder) {
  Golden golden;
  if (folder.empty()) {
    std::istringstream text{std::string(golden_tables())};
    parse_golden(text, golden);
    return golden;
  }
  if (!fs::is_directory(folder)) throw UsageError(folder + ": no such folder of golden tables");
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".tsv") {
      std::ifstream file(entry.path());
      parse_golden(file, golden);
    }
  return golden;
}

std::string case_key(const OperationCase& c) { return c.text() + "\t" + std::string(name_of(c.shape.format)); }

std::string found_hash(const OperationCase& c, std::span<const Image> inputs) {
  try {
    return registry::case_hash(c, inputs);
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}
bool is_refused(const std::string& hash) { return hash.starts_with("refused"); }

void record(const std::vector<OperationCase>& cases, const std::vector<std::string>& hashes, const fs::path& folder) {
  std::map<std::string, std::set<std::string>> families;
  for (std::size_t k = 0; k < cases.size(); ++k)
    families[std::string(cases[k].operation.info().family)].insert(
        fmt::format("{}\t{}\t{}\n", cases[k].operation.name(), case_key(cases[k]), hashes[k]));
  for (const auto& [family, lines] : families) {
    const fs::path path = folder / (family + ".tsv");
    std::ofstream file(path, std::ios::binary);
    file << "# operation, case, format, hash; made by: zeroplane verify --record tests/golden\n";
    for (const std::string& line : lines) file << line;
    if (!file.flush()) throw Error(ErrorKind::io, path.string() + ": cannot write the golden table");
  }
}

struct VerifyChoice {
  std::string filter, place, record_folder, golden_folder, json_file;
  bool recording = false, cpu_only = false, time = false;
};

struct Count {
  std::size_t equal = 0, different = 0, refused = 0, without_golden = 0, staged = 0;
};

/// Runs the cases on one place. `expected` are the hashes of the first place, and are made there.
void run_cases(const Place& place, const std::vector<OperationCase>& cases, const Golden* golden,
               std::vector<std::string>& expected, Count& count) {
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const OperationCase& c = cases[k];
    const std::vector<Image> inputs = registry::case_inputs(c);
    const CounterScope counters;
    const std::string hash = found_hash(c, inputs);
    count.staged += counters.counted().views_staged;
    if (expected.size() == k) expected.push_back(hash);
    std::string wanted = expected[k];
    if (golden) {
      const auto operation = golden->find(std::string(c.operation.name()));
      const bool known = operation != golden->end() && operation->second.count(case_key(c));
      if (known) wanted = operation->second.at(case_key(c));
      count.without_golden += !known;
    }
    const bool is_equal = hash == wanted && hash == expected[k] && !is_refused(hash);
    ++(is_equal ? count.equal : is_refused(hash) ? count.refused : count.different);
    if (!is_equal)
      fmt::print("{}: {} {} {}: {}, expected {}\n", place.name, c.operation.name(), c.text(), describe(c.shape), hash,
                 wanted);
  }
}

/// Golden lines that no case reaches any more.
std::size_t stale_lines(const Golden& golden, const std::vector<OperationCase>& cases) {
  std::set<std::string> keys;
  for (const OperationCase& c : cases) keys.insert(std::string(c.operation.name()) + "\t" + case_key(c));
  std::size_t stale = 0;
  for (const auto& [operation, lines] : golden)
    for (const auto& [key, hash] : lines)
      if (!keys.count(fmt::format("{}\t{}", operation, key))) {
        fmt::print("golden table: {} {}: no such case any more\n", operation, key);
        ++stale;
      }
  return stale;
}

int verify(const VerifyChoice& choice) {
  const std::vector<OperationCase> cases = registry::all_cases(kSmall.width, kSmall.height, choice.filter);
  const std::vector<OperationCase> large = registry::all_cases(kLarge.width, kLarge.height, choice.filter);
  if (cases.empty()) throw UsageError("no operation's name begins with '" + choice.filter + "'");
  if (choice.recording && !choice.filter.empty())
    throw UsageError("--record writes whole tables: leave the filter out");
  const fs::path record_folder = choice.record_folder.empty() ? "tests/golden" : choice.record_folder;
  if (choice.recording && !fs::is_directory(record_folder))
    throw UsageError(record_folder.string() + ": no such folder; --record FOLDER names another");
  const Golden golden = choice.recording ? Golden() : load_golden(choice.golden_folder);
  nlohmann::ordered_json report;
  report["cases"] = 2 * cases.size();  // in two sizes
  report["places"] = nlohmann::ordered_json::array();
  std::vector<std::string> expected, expected_large;
  std::size_t wrong = choice.recording || !choice.filter.empty() ? 0 : stale_lines(golden, cases);
  for (const Place& place : all_places()) {
    if (choice.cpu_only && place.executor != Executor::cpu) continue;
    if (!expected.empty() && !place.name.starts_with(choice.place))
      continue;  // the first is what the others must equal
    initialize({.device = place.device, .memory_model = place.model, .executor = "auto"});
    set_threads(place.threads);
    set_cpu_level(place.level);
    const ExecutorScope scope(place.executor);
    // Where host memory is the device's own, nothing of a library image may be copied.
    const bool in_place = place.executor != Executor::cpu && memory_model() != MemoryModel::discrete;
    const auto start = std::chrono::steady_clock::now();
    Count count;
    run_cases(place, cases, choice.recording ? nullptr : &golden, expected, count);
    run_cases(place, large, nullptr, expected_large, count);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    wrong += count.different + count.refused + count.without_golden + (in_place ? count.staged : 0);
    fmt::print(
        "{:<24} {} cases, {} equal, {} different, {} refused, {} without a golden line, {} views staged{}, {:.1f} s\n",
        place.name, 2 * cases.size(), count.equal, count.different, count.refused, count.without_golden, count.staged,
        in_place ? " (0 allowed)" : "", seconds);
    std::fflush(stdout);
    report["places"].push_back({{"place", place.name},
                                {"equal", count.equal},
                                {"different", count.different},
                                {"refused", count.refused},
                                {"without_golden", count.without_golden},
                                {"views_staged", count.staged},
                                {"staging_allowed", !in_place}});
  }
  set_threads(0);
  set_cpu_level(best_cpu_level());
  if (choice.recording && wrong == 0) record(cases, expected, record_folder);
  report["passed"] = wrong == 0;
  if (!choice.json_file.empty()) {
    std::ofstream file(choice.json_file);
    file << report.dump(2) << "\n";
    if (!file.flush()) throw Error(ErrorKind::io, choice.json_file + ": cannot write");
  }
  fmt::print("verify: {} cases in two sizes, {}{}\n", cases.size(), wrong ? "NOT all equal" : "all equal",
             choice.recording ? wrong ? "; nothing recorded" : "; recorded in " + record_folder.string() : "");
  return wrong ? failed : done;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto* sub = app.add_subcommand("verify",
                                 "Every operation, case, format, executor and model: hashes against the golden tables");
  auto c = std::make_shared<VerifyChoice>();
  sub->add_option("filter", c->filter, "Operations whose names begin so");
  auto* record =
      sub->add_option("--record", c->record_folder, "Write the golden tables, into tests/golden or the folder said");
  record->expected(0, 1);
  sub->add_option("--golden", c->golden_folder, "Golden tables of a folder instead of those built in");
  sub->add_option("--json", c->json_file, "Write the counts to a file");
  sub->add_option("--place", c->place, "Only places whose name begins so (cuda, simulated unified), and the CPU");
  sub->add_flag("--cpu", c->cpu_only, "The CPU executor alone");
  sub->add_flag("--time", c->time, "Instead: what each operation costs on 4112x3008, in copies of its input")
      ->excludes(record);
  sub->final_callback([c, record, &exit_code] {
    if (c->time) return print_costs(c->filter, c->place, {4112, 3008}, c->json_file);
    c->recording = record->count() > 0;
    exit_code = verify(*c);
  });
}

}  // namespace zp::command
