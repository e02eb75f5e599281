// zeroplane ops: the table of operations, or the help of one.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "command.h"

namespace zp::command {

void add_ops(CLI::App& app, int&) {
  struct Choice {
    std::string name;
    bool json = false, markdown = false;
  };
  auto* sub = app.add_subcommand("ops", "The operations, or one operation's parameters");
  auto c = std::make_shared<Choice>();
  sub->add_option("name", c->name, "An operation");
  auto* json = sub->add_flag("--json", c->json, "As JSON");
  sub->add_flag("--markdown", c->markdown, "The page docs/operations.md")->excludes(json);
  sub->final_callback([c] {
    as_usage([&] {
      if (c->json)
        fmt::print("{}\n", describe_json(c->name));
      else if (c->markdown)
        fmt::print("{}", describe_markdown());
      else
        fmt::print("{}", c->name.empty() ? list_text() : help_text(c->name));
    });
  });
}

}  // namespace zp::command
