// The zeroplane command: chooses a subcommand, nothing else.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <new>

#include "command.h"

int main(int argc, char** argv) {
  using namespace zp::command;
  CLI::App app{"Image processing in place on Jetson, desktop GPUs and machines with no GPU", "zeroplane"};
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", std::string("zeroplane ") + ZEROPLANE_VERSION);
  Globals globals;
  app.add_option("--device", globals.options.device, "auto, none, cuda, cuda:N, simulated:unified, simulated:discrete, simulated:coherent");
  app.add_option("--memory-model", globals.options.memory_model, "auto, unified, discrete, coherent");
  app.add_option("--executor", globals.options.executor, "auto, cpu, cuda, simulated");
  app.add_option("--threads", globals.threads, "CPU threads, 0 for one per core")->check(CLI::Range(0, 4096));
  app.parse_complete_callback([&] {
    as_usage([&] { zp::initialize(globals.options); });
    if (globals.threads > 0) zp::set_threads(globals.threads);
  });

  int exit_code = done;
  add_info(app, exit_code);
  add_ops(app, exit_code);
  add_run(app, exit_code);
  add_stats(app, exit_code);
  add_synth(app, exit_code);
  add_compare(app, exit_code);
  add_verify(app, exit_code);
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : usage;
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
}
