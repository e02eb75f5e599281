// The zeroplane command: chooses a subcommand, nothing else.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cstdio>
#include <cstring>
#include <new>

#include "command.h"

namespace {

using namespace zp::command;

int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "zeroplane: {}\n", parse_error_text(app, error, argc, argv));
    return usage;
  } catch (const UsageError& error) {
    fmt::print(stderr, "zeroplane: {}\n", error.what());
    return usage;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "zeroplane: out of memory\n");
    return failed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "zeroplane: {}\n", error.what());
    return failed;
  }
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Image processing in place on Jetson, desktop GPUs and machines with no GPU", "zeroplane"};
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", std::string("zeroplane ") + ZEROPLANE_VERSION);
  add_globals(app);
  int exit_code = done;
  add_info(app, exit_code);
  add_ops(app, exit_code);
  add_run(app, exit_code);
  add_stats(app, exit_code);
  add_measure(app, exit_code);
  add_synth(app, exit_code);
  add_compare(app, exit_code);
  add_verify(app, exit_code);
  const int failure = run(app, argc, argv);
  // What was printed counts only once it has arrived.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "zeroplane: cannot write to standard output: {}\n", std::strerror(errno));
    return failed;
  }
  return failure != done ? failure : exit_code;
}
