// What the subcommands share: global options, usage errors, the arguments of a pipeline.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_ZEROPLANE_COMMAND_H
#define ZP_ZEROPLANE_COMMAND_H

#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "zeroplane/pipeline.h"

namespace zp::command {

enum Exit : int { done = 0, failed = 1, usage = 2 };

/// Thrown for arguments that cannot be understood.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Runs f; an invalid_argument or unsupported error in it is a usage error.
void as_usage(const std::function<void()>& f);

/// --device, --memory-model, --executor, --threads; they take effect before the subcommand's action.
void add_globals(CLI::App& app);
/// One line for arguments that CLI11 refused; a mistyped subcommand or option gets the nearest right name.
std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

/// Each adds its subcommand. Its action sets `exit_code` where that is not `done`.
void add_info(CLI::App& app, int& exit_code);
void add_ops(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_stats(CLI::App& app, int& exit_code);
void add_measure(CLI::App& app, int& exit_code);
void add_synth(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);

struct Arguments {
  std::vector<std::string> files, steps;
};
/// Splits "FILE... OP...": the first argument whose text before a colon names an operation starts the operations.
/// Throws UsageError, with the nearest operation, for a step that was mistyped.
Arguments split_arguments(const std::vector<std::string>& all);
/// Steps of a file given with -p, then those of the command line.
Pipeline make_pipeline(const std::string& step_file, const std::vector<std::string>& steps);

/// The key of each step's values, in order: the step's text, with #2, #3 ... where it comes again.
std::vector<std::string> step_keys(const std::vector<std::pair<std::string, Values>>& found);

}  // namespace zp::command

#endif
