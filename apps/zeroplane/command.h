// What the subcommands share: global options, usage errors, reports.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_APPS_COMMAND_H
#define ZP_APPS_COMMAND_H

#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "zeroplane/pipeline.h"

namespace zp::command {

/// Exit codes: 0 done, 1 the work failed, 2 wrong usage.
enum Exit : int { done = 0, failed = 1, usage = 2 };

/// Thrown for arguments that cannot be understood.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Runs f; an invalid_argument or unsupported error in it is a usage error.
void as_usage(const std::function<void()>& f);

struct Globals {
  Options options;
  int threads = 0;
};

/// Each adds its subcommand; the chosen one's action ends in `exit_code`.
void add_info(CLI::App& app, int& exit_code);
void add_ops(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_stats(CLI::App& app, int& exit_code);
void add_synth(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);

/// True if the text before a colon names an operation.
bool is_operation(const std::string& argument);
/// Splits "FILE... OP..."; throws UsageError with the nearest operation where a step was mistyped.
struct Arguments {
  std::vector<std::string> files, steps;
};
Arguments split_arguments(const std::vector<std::string>& all);
/// Steps of a file given with -p, then those of the command line.
Pipeline make_pipeline(const std::string& step_file, const std::vector<std::string>& steps);

bool is_terminal_stderr();

}  // namespace zp::command

#endif
