// The table as text, JSON and Markdown: valid, complete, and honest about what a value can be.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "kernels/row.h"
#include "registry/cases.h"
#include "zeroplane/hash.h"
#include "zeroplane/registry.h"

namespace zp::test {
namespace {

using Json = nlohmann::json;

TEST(Describe, EveryOperationIsInEveryRendering) {
  const Json table = Json::parse(describe_json());
  const std::string markdown = describe_markdown(), list = list_text();
  ASSERT_EQ(table.size(), operation_names().size());
  std::size_t k = 0;
  for (const std::string_view name : operation_names()) {
    EXPECT_EQ(table[k++]["name"], name);
    EXPECT_EQ(Json::parse(describe_json(name))["name"], name);
    EXPECT_NE(list.find("  " + std::string(name) + " "), std::string::npos) << name;
    EXPECT_NE(markdown.find("\n### " + std::string(name) + "\n"), std::string::npos) << name;
    EXPECT_TRUE(help_text(name).starts_with(std::string(name) + ": "));
  }
  EXPECT_THROW(help_text("no_such_operation"), Error);
}

TEST(Describe, NamesAreUniqueWordsAndEveryParameterHasHelp) {
  std::set<std::string_view> names;
  for (const detail::Row* row : detail::all_rows()) {
    EXPECT_TRUE(names.insert(row->info->name).second) << row->info->name;
    EXPECT_FALSE(row->info->summary.empty()) << row->info->name;
    EXPECT_FALSE(row->cases.empty()) << row->info->name;
    ASSERT_GE(row->input_names.size(), std::size_t(row->info->stack ? 1 : row->info->max_inputs)) << row->info->name;
    std::set<std::string_view> keys;
    for (std::size_t i = 1; i < row->input_names.size(); ++i) EXPECT_TRUE(keys.insert(row->input_names[i]).second);
    for (const detail::ParameterRow& p : row->parameters) {
      EXPECT_TRUE(keys.insert(p.name).second) << row->info->name << " " << p.name << " is also an input's name";
      EXPECT_FALSE(p.help.empty()) << row->info->name << " " << p.name;
      EXPECT_EQ(p.name.find_first_of(",:=\\/ "), std::string_view::npos) << p.name;
    }
  }
}

TEST(Describe, RowsOfMarkdownTablesHaveTheirHeadsColumns) {
  std::istringstream lines(describe_markdown());
  std::size_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '|') {
      columns = 0;
      continue;
    }
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (columns == 0) columns = bars;
    EXPECT_EQ(bars, columns) << line;
  }
}

TEST(Describe, JsonSaysRangeChoicesAndInputs) {
  const Json threshold = Json::parse(describe_json("threshold"));
  const auto kind = std::find_if(threshold["parameters"].begin(), threshold["parameters"].end(),
                                 [](const Json& p) { return p["name"] == "kind"; });
  ASSERT_NE(kind, threshold["parameters"].end());
  EXPECT_EQ((*kind)["choices"], Json({"binary", "binary_inverse", "truncate", "to_zero", "to_zero_inverse"}));
  EXPECT_EQ(Json::parse(describe_json("flat_field"))["inputs"], Json({"frame", "flat", "dark"}));
  EXPECT_NE(help_text("flat_field").find("dark=FILE"), std::string::npos);
}

TEST(Values, BecomeValidJson) {
  const Values values{{"infinite", INFINITY},
                      {"nan", double(NAN)},
                      {"list", std::vector<double>{1.5, -INFINITY}},
                      {"text", std::string("a \"quoted\"\nline")},
                      {"count", std::uint64_t(18446744073709551615u)},
                      {"yes", true},
                      {"whole", std::vector<std::int64_t>{-1, 2}}};
  const Json j = Json::parse(to_json(values));
  EXPECT_EQ(j["infinite"], "inf");
  EXPECT_EQ(j["nan"], "nan");
  EXPECT_EQ(j["list"], Json({1.5, "-inf"}));
  EXPECT_EQ(j["text"], "a \"quoted\"\nline");
  EXPECT_EQ(j["count"], 18446744073709551615u);
  EXPECT_EQ(j["yes"], true);
  EXPECT_EQ(j["whole"], Json({-1, 2}));
  EXPECT_EQ(to_json({}), "{}");
}

TEST(Cases, InputsAreTheSameEachTimeAndFitTheOperation) {
  for (const registry::OperationCase& c : registry::all_cases(37, 23)) {
    const std::vector<Image> once = registry::case_inputs(c), again = registry::case_inputs(c);
    ASSERT_EQ(once.size(), again.size());
    std::vector<ConstPlaneView> views;
    for (std::size_t k = 0; k < once.size(); ++k) {
      EXPECT_EQ(hash(once[k].view()), hash(again[k].view())) << c.operation.name();
      views.push_back(once[k].view());
    }
    EXPECT_NO_THROW(c.operation.output(views)) << c.operation.name() << " " << c.text();
  }
}

TEST(Cases, AFilterTakesNamesThatBeginSo) {
  for (const registry::OperationCase& c : registry::all_cases(4, 4, "thresh"))
    EXPECT_EQ(c.operation.name(), "threshold");
  EXPECT_FALSE(registry::all_cases(4, 4, "thresh").empty());
  EXPECT_TRUE(registry::all_cases(4, 4, "no_such").empty());
}

TEST(Cases, TheHashSeesEveryValue) {
  const std::string base = registry::result_hash(nullptr, {{"a", 1.0}});
  EXPECT_EQ(base, registry::result_hash(nullptr, {{"a", 1.0}}));
  EXPECT_NE(base, registry::result_hash(nullptr, {{"b", 1.0}}));
  EXPECT_NE(base, registry::result_hash(nullptr, {{"a", std::nextafter(1.0, 2.0)}}));
  EXPECT_EQ(registry::result_hash(nullptr, {{"a", double(NAN)}}),
            registry::result_hash(nullptr, {{"a", -double(NAN)}}));
}

}  // namespace
}  // namespace zp::test
