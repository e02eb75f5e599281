// Shared by the subcommands.
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace zp::command {

void as_usage(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::invalid_argument || error.kind() == ErrorKind::unsupported) throw UsageError(error.what());
    throw;
  }
}

bool is_operation(const std::string& argument) { return find_operation(argument.substr(0, argument.find(':'))) != nullptr; }

namespace {

std::string nearest_operation(const std::string& argument) {
  const auto names = operation_names();
  return nearest(argument.substr(0, argument.find(':')), names);
}

}  // namespace

Arguments split_arguments(const std::vector<std::string>& all) {
  Arguments split;
  for (const std::string& argument : all) {
    if (!split.steps.empty() || is_operation(argument)) {
      if (!is_operation(argument)) as_usage([&] { AnyOperation::parse(argument); });
      split.steps.push_back(argument);
      continue;
    }
    // A step that was mistyped stands where a file would: it has no extension and a name close to an operation's.
    const std::string head = argument.substr(0, argument.find(':'));
    if (head.find_first_of("./") == std::string::npos && (argument.find('=') != std::string::npos || ::access(argument.c_str(), F_OK) != 0)) {
      const std::string near = nearest_operation(argument);
      if (!near.empty()) throw UsageError("no operation '" + head + "'; did you mean " + near + "?");
    }
    split.files.push_back(argument);
  }
  return split;
}

Pipeline make_pipeline(const std::string& step_file, const std::vector<std::string>& steps) {
  std::vector<std::string> all;
  if (!step_file.empty()) {
    std::ifstream file(step_file, std::ios::binary);
    if (!file) throw UsageError(step_file + ": cannot read the steps");
    std::ostringstream text;
    text << file.rdbuf();
    all = Pipeline::split_steps(text.str());
  }
  all.insert(all.end(), steps.begin(), steps.end());
  Pipeline pipeline;
  as_usage([&] { pipeline = Pipeline(all); });
  return pipeline;
}

bool is_terminal_stderr() { return ::isatty(STDERR_FILENO) != 0; }

}  // namespace zp::command
