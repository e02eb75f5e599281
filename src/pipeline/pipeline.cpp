// Parses steps, reads their further inputs, runs them.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/pipeline.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "kernels/row.h"
#include "registry/arguments.h"

namespace zp {

struct Pipeline::Step {
  std::string text;
  AnyOperation operation;
  std::vector<std::string> files;                    ///< of the inputs behind the first
  std::vector<std::shared_ptr<const Image>> images;  ///< empty until prepare()
};

namespace {

/// Takes the keys that name inputs out of the arguments.
std::string without_inputs(const detail::Row& row, const std::string& arguments, std::vector<std::string>& files) {
  std::string rest;
  if (arguments.empty()) return rest;
  for (const std::string& part : registry::split(arguments, ',')) {
    const std::size_t equals = part.find('=');
    const std::string key = registry::unescape(std::string_view(part).substr(0, equals));
    const auto begin = row.input_names.begin() + 1, end = row.input_names.end();
    const auto input = row.input_names.empty() ? end : std::find(begin, end, key);
    if (equals != std::string::npos && input != end) {
      files.resize(std::max(files.size(), std::size_t(input - begin) + 1));
      files[std::size_t(input - begin)] = registry::unescape(std::string_view(part).substr(equals + 1));
    } else {
      rest += (rest.empty() ? "" : ",") + part;
    }
  }
  return rest;
}

}  // namespace

Pipeline::Pipeline(std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    const auto parts = registry::split(text, ':');
    const AnyOperation bare(registry::unescape(parts[0]));
    if (parts.size() > 2) AnyOperation::parse(text);  // throws with the reason
    std::vector<std::string> files;
    const std::string rest = without_inputs(bare.row(), parts.size() == 2 ? parts[1] : "", files);
    const Info& info = bare.info();
    for (std::size_t k = 0; k < std::max(files.size(), std::size_t(std::max(info.min_inputs, 1) - 1)); ++k)
      if (k >= files.size() || files[k].empty())
        refuse(info.name, "needs a file for its input '" + std::string(bare.row().input_names[k + 1]) + "': " +
                              std::string(info.name) + ":" + std::string(bare.row().input_names[k + 1]) + "=FILE");
    steps_.push_back(std::make_shared<const Step>(Step{text, AnyOperation(info.name, rest), std::move(files), {}}));
  }
}

std::vector<std::string> Pipeline::split_steps(std::string_view text) {
  std::vector<std::string> steps;
  std::string word;
  bool comment = false;
  const auto end_word = [&] {
    if (!word.empty()) steps.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      end_word();
      comment = false;
    } else if (comment) {
      continue;
    } else if (c == '\\' && i + 1 < text.size()) {
      // An escaped space belongs to the word; other escapes are the step's own.
      if (text[i + 1] != ' ') word += c;
      word += text[++i];
    } else if (c == '#' && word.empty()) {
      comment = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return steps;
}

std::vector<std::string> Pipeline::files() const {
  std::vector<std::string> all;
  for (const auto& step : steps_) all.insert(all.end(), step->files.begin(), step->files.end());
  return all;
}

void Pipeline::prepare(const ReadOptions& options) {
  std::map<std::string, std::shared_ptr<const Image>> read;
  for (auto& step : steps_) {
    if (step->images.size() == step->files.size()) continue;
    Step ready{step->text, step->operation, step->files, {}};
    for (const std::string& file : step->files) {
      auto& image = read[file];
      if (!image) image = std::make_shared<const Image>(zp::read(file, options));
      ready.images.push_back(image);
    }
    step = std::make_shared<const Step>(std::move(ready));
  }
}

namespace {

using NamedValues = std::vector<std::pair<std::string, Values>>;

/// One step over its inputs; an operation that makes no image gives an empty one.
Image run_step(const std::string& text, const AnyOperation& operation, std::span<const ConstPlaneView> inputs,
               NamedValues* values, const Pipeline::Observer& observer) {
  const CounterScope scope;
  const auto start = std::chrono::steady_clock::now();
  Values found;
  Image result = operation.evaluate(inputs, &found);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (observer) {
    const PlaneShape shape = operation.makes_image() ? result.shape() : inputs[0].shape;
    observer({text, shape, ms, last_run(), scope.counted(), found});
  }
  if (values && !found.empty()) values->emplace_back(text, std::move(found));
  return result;
}

}  // namespace

Image Pipeline::run(Image image, NamedValues* values, const Observer& observer) const {
  if (std::any_of(steps_.begin(), steps_.end(), [](const auto& s) { return s->images.size() != s->files.size(); })) {
    Pipeline ready = *this;
    ready.prepare();
    return ready.run(std::move(image), values, observer);
  }
  for (const auto& step : steps_) {
    std::vector<ConstPlaneView> inputs{image.view()};
    for (const auto& further : step->images) inputs.push_back(further->view());
    Image result = run_step(step->text, step->operation, inputs, values, observer);
    if (step->operation.makes_image()) image = std::move(result);
  }
  return image;
}

std::size_t Pipeline::stack_step() const noexcept {
  const auto found =
      std::find_if(steps_.begin(), steps_.end(), [](const auto& s) { return s->operation.info().stack; });
  return std::size_t(found - steps_.begin());
}

Pipeline Pipeline::part(std::size_t first, std::size_t last) const {
  Pipeline some;
  some.steps_.assign(steps_.begin() + std::ptrdiff_t(first), steps_.begin() + std::ptrdiff_t(last));
  return some;
}

Image Pipeline::run_stack(const Pages& pages, NamedValues* values, const Observer& observer) const {
  const std::size_t at = stack_step();
  if (at == steps_.size()) refuse("pipeline", "no step takes a stack");
  Pipeline ready = *this;
  ready.prepare();
  const Pipeline before = ready.part(0, at), behind = ready.part(at + 1, steps_.size());
  std::vector<Image> slices;
  pages([&](Image page) { slices.push_back(before.run(std::move(page), values, observer)); });
  if (slices.empty()) refuse(steps_[at]->operation.info().name, "there is no page");
  const std::vector<ConstPlaneView> views(slices.begin(), slices.end());
  Image result = run_step(steps_[at]->text, steps_[at]->operation, views, values, observer);
  if (!steps_[at]->operation.makes_image()) result = std::move(slices[0]);
  slices.clear();
  return behind.run(std::move(result), values, observer);
}

}  // namespace zp
