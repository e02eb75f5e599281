// The table rendered for people and programs.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "registry/arguments.h"
#include "zeroplane/registry.h"

namespace zp {
namespace {

using detail::ParameterRow;
using detail::Row;
using detail::ValueType;
using Json = nlohmann::ordered_json;
using registry::number_text;

std::string_view type_text(ValueType type) {
  switch (type) {
    case ValueType::real:
    case ValueType::real64:
      return "number";
    case ValueType::integer:
    case ValueType::integer64:
    case ValueType::unsigned64:
      return "whole number";
    case ValueType::boolean:
      return "true or false";
    case ValueType::choice:
      return "word";
    case ValueType::list:
      return "numbers separated by /";
    case ValueType::text:
      return "text";
    case ValueType::extent:
      return "size like 8x8";
    case ValueType::reals64:
    case ValueType::integers64:
      return "numbers";
  }
  return "";
}

std::string default_text(const Row& row, const ParameterRow& p) {
  const std::unique_ptr<void, void (*)(void*)> fresh(row.create(), row.destroy);
  const std::string text = registry::parameter_text(p, fresh.get());
  if (!p.facts.automatic.empty()) return std::string(p.facts.automatic);
  return text.empty() ? "none" : text;
}

/// Infinity and the largest f32 bound nothing that a reader needs to know.
bool is_bound(double v) { return std::fabs(v) < double(std::numeric_limits<float>::max()); }

std::string range_text(const ParameterRow& p) {
  if (!p.facts.choices.empty()) {
    std::string text;
    for (const std::string_view c : p.facts.choices) text += (text.empty() ? "" : ", ") + std::string(c);
    return text;
  }
  const bool low = is_bound(p.facts.low), high = is_bound(p.facts.high);
  std::string text;
  if (low && high)
    text = number_text(p.facts.low) + " to " + number_text(p.facts.high);
  else if (low)
    text = "from " + number_text(p.facts.low);
  else if (high)
    text = "up to " + number_text(p.facts.high);
  if (p.type == ValueType::list && p.facts.min_count == p.facts.max_count)
    text = std::to_string(p.facts.min_count) + " numbers" + (text.empty() ? "" : ", " + text);
  return text;
}

std::string formats_text(FormatSet set) {
  std::string text;
  for (const Format f : {Format::u8, Format::u16, Format::f32, Format::u32})
    if (set & bit(f)) text += (text.empty() ? "" : " ") + std::string(name_of(f));
  return text;
}

std::string channels_text(ChannelSet set) {
  if (set == kAnyChannels) return "1 to 4";
  std::string text;
  for (int c = 1; c <= 4; ++c)
    if (set & (1 << c)) text += (text.empty() ? "" : ", ") + std::to_string(c);
  return text;
}

std::string inputs_text(const Info& info) {
  return info.min_inputs == info.max_inputs
             ? std::to_string(info.min_inputs)
             : std::to_string(info.min_inputs) + " to " + std::to_string(info.max_inputs) +
                   (info.stack ? ", all pages and files at once" : "");
}

std::string_view output_text(Output output) {
  switch (output) {
    case Output::same:
      return "same format";
    case Output::f32:
      return "f32";
    case Output::same_or_f32:
      return "f32 or same format";
    case Output::any:
      return "chosen by a parameter";
    case Output::u8:
      return "u8";
    case Output::u32:
      return "u32 labels";
    case Output::none:
      return "values";
  }
  return "";
}

std::string executors_text(const Row& row) { return std::string("cpu simulated") + (row.cuda_table ? " cuda" : ""); }

Json json_of(const Row& row) {
  const Info& info = *row.info;
  Json j;
  j["name"] = info.name;
  j["family"] = info.family;
  j["summary"] = info.summary;
  j["formats"] = formats_text(info.formats);
  j["channels"] = channels_text(info.channels);
  j["min_inputs"] = info.min_inputs;
  j["max_inputs"] = info.max_inputs;
  j["stack"] = info.stack;
  j["inputs"] = std::vector<std::string>(row.input_names.begin(), row.input_names.end());
  j["output"] = output_text(info.output);
  j["executors"] = executors_text(row);
  j["parameters"] = Json::array();
  for (const ParameterRow& p : row.parameters) {
    Json k;
    k["name"] = p.name;
    k["type"] = type_text(p.type);
    k["default"] = default_text(row, p);
    k["automatic"] = !p.facts.automatic.empty();
    if (std::isfinite(p.facts.low)) k["low"] = p.facts.low;
    if (std::isfinite(p.facts.high)) k["high"] = p.facts.high;
    if (!p.facts.choices.empty())
      k["choices"] = std::vector<std::string>(p.facts.choices.begin(), p.facts.choices.end());
    if (!p.facts.unit.empty()) k["unit"] = p.facts.unit;
    k["help"] = p.help;
    j["parameters"].push_back(k);
  }
  j["values"] = Json::array();
  for (const detail::FieldRow& f : row.fields) j["values"].push_back(f.name);
  j["opencv"] = info.opencv;
  j["scikit_image"] = info.scikit_image;
  j["npp"] = info.npp;
  return j;
}

const Row& require(std::string_view name) { return AnyOperation(name).row(); }

std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

}  // namespace

std::string to_json(const Values& values, int indent) {
  Json j = Json::object();
  const auto real = [](double v) -> Json { return std::isfinite(v) ? Json(v) : Json(number_text(v)); };
  for (const auto& [name, value] : values) {
    if (const auto* v = std::get_if<double>(&value)) {
      j[name] = real(*v);
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      j[name] = Json::array();
      for (const double v : *list) j[name].push_back(real(v));
    } else {
      std::visit([&j, &n = name](const auto& v) { j[n] = v; }, value);
    }
  }
  return j.dump(indent);
}

std::string list_text() {
  std::string text;
  std::string_view family;
  for (const Row* row : detail::all_rows()) {
    if (row->info->family != family) {
      family = row->info->family;
      text += (text.empty() ? "" : "\n") + std::string(family) + "\n";
    }
    std::string name(row->info->name);
    name.resize(std::max<std::size_t>(name.size(), 22), ' ');
    text += "  " + name + " " + std::string(row->info->summary) + "\n";
  }
  return text;
}

std::string help_text(std::string_view name) {
  const Row& row = require(name);
  const Info& info = *row.info;
  std::string text = std::string(info.name) + ": " + std::string(info.summary) + "\n";
  text += "  formats " + formats_text(info.formats) + "; channels " + channels_text(info.channels) + "; inputs " +
          inputs_text(info) + "; result " + std::string(output_text(info.output)) + "\n";
  for (std::size_t k = 1; k < row.input_names.size(); ++k) {
    std::string head = "  " + std::string(row.input_names[k]) + "=FILE";
    head.resize(std::max<std::size_t>(head.size(), 30), ' ');
    text += head + " input " + std::to_string(k + 1) + (int(k) < info.min_inputs ? "" : ", optional") + "\n";
  }
  for (const ParameterRow& p : row.parameters) {
    std::string head = "  " + std::string(p.name) + "=" + default_text(row, p);
    head.resize(std::max<std::size_t>(head.size(), 30), ' ');
    text += head + " " + std::string(p.help);
    const std::string range = range_text(p);
    if (!range.empty() || !p.facts.unit.empty())
      text += " (" + range + (range.empty() || p.facts.unit.empty() ? "" : "; ") + std::string(p.facts.unit) + ")";
    text += "\n";
  }
  for (const detail::FieldRow& f : row.fields) text += "  -> " + std::string(f.name) + "\n";
  if (!info.opencv.empty()) text += "  OpenCV: " + std::string(info.opencv) + "\n";
  if (!info.scikit_image.empty()) text += "  scikit-image: " + std::string(info.scikit_image) + "\n";
  if (!info.npp.empty()) text += "  NPP: " + std::string(info.npp) + "\n";
  return text;
}

std::string describe_json(std::string_view name) {
  if (!name.empty()) return json_of(require(name)).dump(2);
  Json all = Json::array();
  for (const Row* row : detail::all_rows()) all.push_back(json_of(*row));
  return all.dump(2);
}

std::string describe_markdown() {
  std::string text =
      "# Operations\n\nGenerated by `zeroplane ops --markdown`. Every operation runs on the CPU, on CUDA and on the "
      "simulated device with "
      "the same bits. The conventions (rounding, borders, pixel centres, NaN) are in "
      "[conventions.md](conventions.md).\n";
  std::string_view family;
  for (const Row* row : detail::all_rows()) {
    const Info& info = *row->info;
    if (info.family != family) {
      family = info.family;
      text += "\n## " + std::string(family) + "\n";
    }
    text += "\n### " + std::string(info.name) + "\n\n" + std::string(info.summary) + "\n\n";
    text += "| formats | channels | inputs | result |\n|---|---|---|---|\n| " + formats_text(info.formats) + " | " +
            channels_text(info.channels) + " | " + inputs_text(info) + " | " + std::string(output_text(info.output)) +
            " |\n";
    if (info.max_inputs > 1 && !info.stack) {
      text += "\nInputs:";
      for (std::size_t k = 0; k < row->input_names.size(); ++k)
        text += std::string(k ? ", " : " ") + "`" + std::string(row->input_names[k]) + "`" +
                (int(k) < info.min_inputs ? "" : " (optional)");
      text += "\n";
    }
    if (!row->parameters.empty()) {
      text += "\n| parameter | default | range | meaning |\n|---|---|---|---|\n";
      for (const ParameterRow& p : row->parameters) {
        const std::string range = range_text(p);
        text += "| `" + std::string(p.name) + "` | " + cell(default_text(*row, p)) + " | " +
                cell(range.empty() ? type_text(p.type) : std::string_view(range)) + " | " + cell(p.help) +
                (p.facts.unit.empty() ? "" : " (" + cell(p.facts.unit) + ")") + " |\n";
      }
    }
    if (!row->fields.empty()) {
      text += "\nValues:";
      for (const detail::FieldRow& f : row->fields) text += " `" + std::string(f.name) + "`";
      text += "\n";
    }
    const std::pair<std::string_view, std::string_view> peers[] = {
        {"OpenCV", info.opencv}, {"scikit-image", info.scikit_image}, {"NPP", info.npp}};
    text += "\n";
    for (const auto& [peer, comparison] : peers)
      text += "- " + std::string(peer) + ": " + std::string(comparison.empty() ? "has none" : comparison) + "\n";
  }
  return text;
}

}  // namespace zp
