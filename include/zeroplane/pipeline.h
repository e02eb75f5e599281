// Pipeline: a list of operations by name, run over images.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_PIPELINE_H
#define ZEROPLANE_PIPELINE_H

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zeroplane/apply.h"
#include "zeroplane/io.h"
#include "zeroplane/memory.h"
#include "zeroplane/registry.h"

namespace zp {

/// What one step did, for whoever watches.
struct StepReport {
  std::string operation;  ///< as written: name[:arguments]
  PlaneShape output;      ///< of the image that the step hands on
  double milliseconds = 0;
  RunReport run;
  Counters counted;
  Values values;  ///< of an operation that finds values
};

/// Steps as the command writes them: name[:key=value,...]. The second and later inputs of an operation are files, given
/// under the input's name: `flat_field:flat=flat.tif,dark=dark.tif`, `blend:with=other.tif,alpha=0.3`. Running is
/// thread-safe; each run makes its own intermediate images.
class Pipeline {
 public:
  Pipeline() = default;
  /// Throws invalid_argument for a step that cannot be understood. Files of further inputs are read by prepare() or by
  /// the first run.
  explicit Pipeline(std::span<const std::string> steps);
  /// Steps from text: one or several per line, separated by white space; `#` at the start of a word begins a comment, a
  /// backslash keeps a following space.
  static std::vector<std::string> split_steps(std::string_view text);

  std::size_t size() const noexcept { return steps_.size(); }
  /// Files that the steps read as further inputs.
  std::vector<std::string> files() const;
  /// Reads the files of further inputs, each once however many steps name it; Error(io) where one cannot be read.
  void prepare(const ReadOptions& options = {});

  using Observer = std::function<void(const StepReport&)>;
  /// The image after the last step. Operations that make no image hand theirs on; their values reach the observer and,
  /// step by step, `values`. A step that takes a stack sees a stack of one.
  Image run(Image image, std::vector<std::pair<std::string, Values>>* values = nullptr,
            const Observer& observer = {}) const;

  /// Whether a step takes all pages and files at once (project, focus_stack).
  bool takes_stack() const noexcept { return stack_step() < steps_.size(); }
  /// Calls its argument with each page, in order.
  using Pages = std::function<void(const std::function<void(Image)>& take)>;
  /// The pages, each after the steps before the first one that takes a stack, become one image, which the steps behind
  /// take on. A page goes through the steps before as soon as it comes, so that only what the stack needs is held.
  /// Throws invalid_argument where there is no page or no such step; an error from `pages` passes through.
  Image run_stack(const Pages& pages, std::vector<std::pair<std::string, Values>>* values = nullptr,
                  const Observer& observer = {}) const;

 private:
  struct Step;
  std::size_t stack_step() const noexcept;  ///< the first that takes a stack; size() if none does
  Pipeline part(std::size_t first, std::size_t last) const;
  std::vector<std::shared_ptr<const Step>> steps_;  ///< shared by copies, never changed
};

}  // namespace zp

#endif
