// zeroplane measure: a table of the objects of a label image or a mask, as CSV or JSON.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "io/file.h"
#include "zeroplane/operations.h"

namespace zp::command {
namespace {

struct MeasureChoice {
  std::string labels, intensity, output;
  bool json = false, label = false, keep = false;
  int connectivity = 8;
};

Image first_page(const std::string& path) {
  const int pages = inspect(path).pages;
  if (pages > 1) fmt::print(stderr, "{}: only the first of {} pages\n", path, pages);
  return read(path);
}

/// Not more than one value beside 0.
template <class T>
bool has_one_value(const View<const T>& view) {
  T found = T(0);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) {
      const T v = view.at(x, y);
      if (v == T(0) || v == found) continue;
      if (found != T(0)) return false;
      found = v;
    }
  return true;
}

/// u32 is for labels; in the other formats one value beside 0 makes a mask.
bool is_mask(const Image& image) {
  switch (image.format()) {
    case Format::u8:
      return has_one_value(image.as<std::uint8_t>());
    case Format::u16:
      return has_one_value(image.as<std::uint16_t>());
    case Format::f32:
      return has_one_value(image.as<float>());
    case Format::u32:
      return false;
  }
  return false;
}

Image labels_of(const MeasureChoice& choice) {
  Image image = first_page(choice.labels);
  if (image.channels() != 1)
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: is {}; labels and masks have 1 channel", choice.labels, describe(image.shape())));
  if (choice.keep) return image;
  if (choice.label || is_mask(image)) return apply(Label{.connectivity = choice.connectivity}, image);
  if (image.format() == Format::f32)
    throw Error(ErrorKind::unsupported,
                choice.labels +
                    ": f32 with several values is neither labels nor a mask; --label numbers the objects "
                    "of its non-zero pixels");
  return image;
}

/// A name and one number for each object.
struct Column {
  std::string name;
  Value values;
  std::string csv(std::size_t row) const {
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&values)) return std::to_string((*whole)[row]);
    return fmt::format("{}", std::get<std::vector<double>>(values)[row]);
  }
  nlohmann::ordered_json json(std::size_t row) const {
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&values)) return (*whole)[row];
    const double v = std::get<std::vector<double>>(values)[row];
    return std::isfinite(v) ? nlohmann::ordered_json(v) : nlohmann::ordered_json(csv(row));  // JSON has no infinity
  }
};

std::string table(const std::vector<Column>& columns, std::size_t rows, bool as_json) {
  if (as_json) {
    auto all = nlohmann::ordered_json::array();
    for (std::size_t row = 0; row < rows; ++row) {
      nlohmann::ordered_json object;
      for (const Column& column : columns) object[column.name] = column.json(row);
      all.push_back(std::move(object));
    }
    return all.dump(2) + "\n";
  }
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ",") + column.name;
  text += "\n";
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < columns.size(); ++k)
      text += columns[k].csv(row) + (k + 1 < columns.size() ? "," : "\n");
  return text;
}

void measure(const MeasureChoice& choice) {
  for (const std::string& in : {choice.labels, choice.intensity}) {
    std::error_code none;
    if (!choice.output.empty() && std::filesystem::equivalent(choice.output, in, none) && !none)
      throw UsageError(fmt::format("the table would overwrite the input {}", in));
  }
  const Image labels = labels_of(choice);
  const Image intensity = choice.intensity.empty() ? Image() : first_page(choice.intensity);
  std::vector<ConstPlaneView> in{labels.view()};
  if (!choice.intensity.empty()) in.push_back(intensity.view());
  const Values values = AnyOperation("regions").run(in, nullptr);
  std::vector<Column> columns;
  std::size_t rows = 0;
  for (const auto& [name, value] : values) {
    if (name == "label") rows = std::get<std::vector<std::int64_t>>(value).size();
    // The columns from here on are those of the intensities.
    if (name == "mean" && choice.intensity.empty()) break;
    columns.push_back({name, value});
  }
  const std::string text = table(columns, rows, choice.json);
  if (choice.output.empty()) {
    fmt::print("{}", text);
    return;
  }
  io::OutputFile file(choice.output);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace

void add_measure(CLI::App& app, int&) {
  auto* sub = app.add_subcommand("measure", "LABELS [INTENSITY]: a table of the objects, as CSV or JSON");
  const auto c = std::make_shared<MeasureChoice>();
  sub->add_option("labels", c->labels, "An image of labels, or a mask, whose objects are numbered first")->required();
  sub->add_option("intensity", c->intensity, "An image of the same size; adds mean, minimum, maximum, sum, deviation");
  sub->add_flag("--json", c->json, "As JSON: an array of objects");
  sub->add_option("-o,--output", c->output, "Write to a file instead of standard output");
  auto* label = sub->add_flag("--label", c->label, "Number the connected objects of non-zero pixels first");
  auto* keep = sub->add_flag("--no-label", c->keep, "Take the values as labels, even those of a mask");
  keep->excludes(label);
  sub->add_option("--connectivity", c->connectivity, "Neighbours of a pixel where objects are numbered: 4 or 8")
      ->check(CLI::IsMember({4, 8}))
      ->excludes(keep);
  sub->final_callback([c] { measure(*c); });
}

}  // namespace zp::command
