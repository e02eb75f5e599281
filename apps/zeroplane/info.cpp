// zeroplane info: the memory model, why, and what this build and machine have.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "core/threads.h"

namespace zp::command {
namespace {

std::string_view level_text() {
  switch (cpu_level()) {
    case CpuLevel::avx512:
      return "avx512";
    case CpuLevel::avx2:
      return "avx2";
    default:
      return "baseline";
  }
}

std::string version_text(int v) { return v ? fmt::format("{}.{}", v / 1000, v % 1000 / 10) : std::string("none"); }

void print_json(const DeviceReport& r) {
  nlohmann::ordered_json j;
  j["version"] = ZEROPLANE_VERSION;
  j["memory_model"] = name_of(r.model);
  j["reason"] = r.reason;
  j["runtime"] = r.runtime;
  j["runtimes_built_in"] = runtimes_built_in();
  j["executor"] = r.executor;
  j["device"] = {{"name", r.device},
                 {"ordinal", r.ordinal},
                 {"compute_capability", fmt::format("{}.{}", r.compute_major, r.compute_minor)},
                 {"multiprocessors", r.multiprocessors},
                 {"memory_bytes", r.memory_bytes},
                 {"driver_version", r.driver_version},
                 {"runtime_version", r.runtime_version},
                 {"integrated", r.integrated},
                 {"can_map_host_memory", r.can_map_host_memory},
                 {"pageable_access", r.pageable_access},
                 {"uses_host_page_tables", r.uses_host_page_tables},
                 {"concurrent_managed", r.concurrent_managed},
                 {"host_register_supported", r.host_register_supported}};
  j["cpu"] = {{"threads", threads()}, {"instructions", level_text()}};
  j["limits"] = {{"host_pool_bytes", host_pool_report().limit},
                 {"scratch_pool_bytes", scratch_pool_report().limit},
                 {"file_bytes", ReadOptions{}.byte_limit}};
  j["operations"] = operation_names().size();
  fmt::print("{}\n", j.dump(2));
}

void print_text(const DeviceReport& r) {
  fmt::print("memory model   {}\n", name_of(r.model));
  fmt::print("reason         {}\n", r.reason);
  fmt::print("runtime        {} (built in: {})\n", r.runtime, runtimes_built_in());
  if (!r.device.empty()) {
    fmt::print("device         {}: {}, compute {}.{}, {} multiprocessors, {} MiB\n", r.ordinal, r.device,
               r.compute_major, r.compute_minor, r.multiprocessors, r.memory_bytes >> 20);
    fmt::print("CUDA           driver {}, runtime {}\n", version_text(r.driver_version),
               version_text(r.runtime_version));
    fmt::print(
        "traits         integrated {}, maps host memory {}, pageable access {}, host page tables {}, concurrent "
        "managed {}, registers host memory {}\n",
        int(r.integrated), int(r.can_map_host_memory), int(r.pageable_access), int(r.uses_host_page_tables),
        int(r.concurrent_managed), int(r.host_register_supported));
  }
  fmt::print("executor       {}\n", r.executor);
  fmt::print("CPU            {} threads, {} loops\n", threads(), level_text());
  fmt::print("limits         pools {} and {} MiB idle, files {} MiB an image\n", host_pool_report().limit >> 20,
             scratch_pool_report().limit >> 20, ReadOptions{}.byte_limit >> 20);
  fmt::print("operations     {}\n", operation_names().size());
}

}  // namespace

void add_info(CLI::App& app, int&) {
  auto* sub = app.add_subcommand("info", "Memory model and why, device traits, runtimes built in, limits");
  auto json = std::make_shared<bool>(false);
  sub->add_flag("--json", *json, "As JSON");
  sub->final_callback([json] {
    const DeviceReport report = device_report();
    *json ? print_json(report) : print_text(report);
  });
}

}  // namespace zp::command
