// A stack seen from above: one value of each pixel's column.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_STACK_PROJECT_H
#define ZP_OPS_STACK_PROJECT_H

#include <cmath>

#include "core/op.h"
#include "ops/stack/slices.h"

namespace zp {

/// Largest, smallest, mean, sum or standard deviation of each sample over the slices.
///
/// Integers: sums, and sums of squares, in integers, hence exact in any order; one division in double. f32: sums in
/// double in the order of the slices; the deviation in a second pass against the mean. The mean keeps the format,
/// rounded half to even, or is f32; sum and deviation are f32, rounded once from double. The deviation is the
/// population's (divided by the number of slices). NaN samples are left out; where every slice is NaN, the result is.
struct Project {
  using Shape = Composite;
  static constexpr Info info{.name = "project",
                             .family = "stack",
                             .summary = "maximum, minimum, mean, sum or deviation over the slices of a stack",
                             .min_inputs = 1,
                             .max_inputs = detail_stack::kMostSlices,
                             .output = Output::same_or_f32,
                             .opencv = "max, min: as reduce over a matrix of slices; it has no stacks",
                             .scikit_image =
                                 "same as numpy.nanmax, nanmin, nanmean, nansum, nanstd with axis 0 in "
                                 "float64, rounded to the format; nansum of nothing is 0",
                             .stack = true};
  static constexpr std::string_view input_names[] = {"slices"};
  enum class Kind : int { max, min, mean, sum, deviation };
  static constexpr std::string_view kKinds[] = {"max", "min", "mean", "sum", "deviation"};
  enum class Depth : int { same, f32 };
  static constexpr std::string_view kDepths[] = {"same", "f32"};
  Kind kind = Kind::max;
  Depth format = Depth::same;
  static constexpr std::tuple parameters{
      parameter("kind", &Project::kind, "what is taken of the slices", {.choices = kKinds}),
      parameter("format", &Project::format, "of the mean: the slices' own, or f32", {.choices = kDepths})};
  static constexpr Case cases[] = {{""},
                                   {"kind=min", kAnyFormat, 3},
                                   {"kind=mean"},
                                   {"kind=mean,format=f32", kIntegerFormats, 2},
                                   {"kind=sum", kAnyFormat, 4},
                                   {"kind=deviation"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    detail_stack::require_equal_slices(info.name, in);
    PlaneShape out = in[0];
    if (kind == Kind::sum || kind == Kind::deviation || (kind == Kind::mean && format == Depth::f32))
      out.format = Format::f32;
    return out;
  }

  enum class Stage { extremes, sums, squares };

  /// A group of slices joined to what the groups before it left.
  template <class In, class Out, int Threads>
  struct Group {
    static constexpr int threads = Threads, phases = 1;
    static constexpr int kRun = detail_stack::kRun<Threads>;
    static constexpr bool kFloat = std::is_same_v<In, float>;
    struct Shared {};
    using Sum = std::conditional_t<kFloat, double, std::uint32_t>;  // 4096 * 65535 fits
    using Square = std::conditional_t<kFloat, double, std::uint64_t>;

    const In* slices[detail_stack::kGroup];
    std::ptrdiff_t pitches[detail_stack::kGroup];  ///< bytes
    View<Out> out;
    Sum* sums;               ///< of samples
    Square* squares;         ///< of samples, or of differences from the mean
    std::uint16_t* numbers;  ///< of samples that are not NaN
    int count, total;        ///< slices in this group, in all
    bool first, last;        ///< group
    Kind kind;
    Stage stage;
    static constexpr std::tuple pointers{&Group::slices, &Group::out, &Group::sums, &Group::squares, &Group::numbers};

    template <int P>
    ZP_HD void phase(Block2 block, Shared&) const {
      const std::int64_t samples = std::int64_t(out.width) * out.channels;
      const std::int64_t begin = (std::int64_t(block.x) * Threads + block.thread) * kRun;
      if (begin >= samples) return;
      const int n = int(smaller<std::int64_t>(kRun, samples - begin));
      if constexpr (std::is_same_v<In, Out>)
        if (stage == Stage::extremes) return extremes(block.y, begin, n);
      if (stage == Stage::sums)
        add(block.y, begin, n);
      else if constexpr (std::is_same_v<Out, float>)
        add_squares(block.y, begin, n);
    }

   private:
    ZP_HD const In* row(int slice, int y) const { return detail_stack::row_of(slices[slice], pitches[slice], y); }

    ZP_HD void extremes(int y, std::int64_t begin, int n) const {
      In found[kRun];
      Out* to = out.row(y) + begin;
      const In* start = first ? row(0, y) + begin : reinterpret_cast<const In*>(to);
      for (int j = 0; j < n; ++j) found[j] = start[j];
      for (int k = 0; k < count; ++k) {
        const In* p = row(k, y) + begin;
        if (kind == Kind::max)
          for (int j = 0; j < n; ++j) found[j] = (found[j] < p[j]) | (found[j] != found[j]) ? p[j] : found[j];
        else
          for (int j = 0; j < n; ++j) found[j] = (p[j] < found[j]) | (found[j] != found[j]) ? p[j] : found[j];
      }
      for (int j = 0; j < n; ++j) to[j] = found[j];
    }

    ZP_HD std::ptrdiff_t place(int y, std::int64_t begin) const {
      return std::ptrdiff_t(y) * out.width * out.channels + begin;
    }

    ZP_HD void add(int y, std::int64_t begin, int n) const {
      const bool squared = !kFloat && kind == Kind::deviation;
      const std::ptrdiff_t at = place(y, begin);
      Sum sum[kRun];
      Square square[kRun];
      std::uint16_t number[kRun];
      for (int j = 0; j < n; ++j) sum[j] = first ? Sum(0) : sums[at + j];
      if constexpr (kFloat)
        for (int j = 0; j < n; ++j) number[j] = first ? std::uint16_t(0) : numbers[at + j];
      for (int j = 0; j < n; ++j) square[j] = squared && !first ? squares[at + j] : Square(0);
      for (int k = 0; k < count; ++k) {
        const In* p = row(k, y) + begin;
        if constexpr (kFloat) {
          for (int j = 0; j < n; ++j) sum[j] = sum[j] + (p[j] == p[j] ? double(p[j]) : 0.0);
          for (int j = 0; j < n; ++j) number[j] = std::uint16_t(number[j] + (p[j] == p[j]));
        } else {
          for (int j = 0; j < n; ++j) sum[j] += p[j];
          if (squared)
            for (int j = 0; j < n; ++j) square[j] += std::uint32_t(p[j]) * p[j];
        }
      }
      if (last && !(kFloat && kind == Kind::deviation)) {
        finish(y, begin, n, sum, square, number);
        return;
      }
      for (int j = 0; j < n; ++j) sums[at + j] = sum[j];
      if constexpr (kFloat)
        for (int j = 0; j < n; ++j) numbers[at + j] = number[j];
      else if (squared)
        for (int j = 0; j < n; ++j) squares[at + j] = square[j];
    }

    ZP_HD void finish(int y, std::int64_t begin, int n, const Sum* sum, const Square* square,
                      const std::uint16_t* number) const {
      Out* to = out.row(y) + begin;
      for (int j = 0; j < n; ++j) {
        const double samples = kFloat ? double(number[j]) : double(total);
        if constexpr (!std::is_same_v<Out, float>) {
          // A quotient that is no tie is at least 1 / 8192 from one; adding 2^52 rounds half to even.
          to[j] = Out(int((double(sum[j]) / samples + 4503599627370496.0) - 4503599627370496.0));
        } else if (kFloat && samples == 0.0) {
          to[j] = kAutomatic;  // NaN
        } else if (kind == Kind::sum) {
          to[j] = float(double(sum[j]));
        } else if (kind == Kind::mean) {
          to[j] = float(double(sum[j]) / samples);
        } else if constexpr (!kFloat) {
          const std::uint64_t spread = std::uint64_t(total) * square[j] - std::uint64_t(sum[j]) * sum[j];
          to[j] = float(std::sqrt(double(spread)) / samples);
        }
      }
    }

    /// The second pass of the deviation of f32.
    ZP_HD void add_squares(int y, std::int64_t begin, int n) const {
      if constexpr (kFloat) {
        const std::ptrdiff_t at = place(y, begin);
        double mean[kRun], square[kRun];
        for (int j = 0; j < n; ++j) mean[j] = sums[at + j] / double(numbers[at + j]);
        for (int j = 0; j < n; ++j) square[j] = first ? 0.0 : squares[at + j];
        for (int k = 0; k < count; ++k) {
          const In* p = row(k, y) + begin;
          for (int j = 0; j < n; ++j) {
            const double difference = double(p[j]) - mean[j];
            square[j] = square[j] + (p[j] == p[j] ? difference * difference : 0.0);
          }
        }
        float* to = out.row(y) + begin;
        for (int j = 0; j < n; ++j) {
          if (!last)
            squares[at + j] = square[j];
          else
            to[j] = numbers[at + j] == 0 ? kAutomatic : float(std::sqrt(square[j] / double(numbers[at + j])));
        }
      }
    }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    constexpr int kThreads = Exec::name == "cpu" ? 1 : 256;
    using Body = Group<In, Out, kThreads>;
    Body body{};
    body.out = operands.output<Out>();
    body.total = int(operands.in.size());
    body.kind = kind;
    const std::size_t samples = operands.out.shape.samples();
    const bool is_deviation = kind == Kind::deviation, is_extreme = kind == Kind::max || kind == Kind::min;
    const bool keeps = !is_extreme && (body.total > detail_stack::kGroup || (Body::kFloat && is_deviation));
    if (keeps) {
      body.sums = exec.template scratch<typename Body::Sum>(samples);
      if (is_deviation) body.squares = exec.template scratch<typename Body::Square>(samples);
      if (Body::kFloat) body.numbers = exec.template scratch<std::uint16_t>(samples);
    }
    const auto pass = [&](Stage stage) {
      body.stage = stage;
      for (int begin = 0; begin < body.total; begin += detail_stack::kGroup) {
        body.count = detail_stack::take_slices(operands, std::size_t(begin), body.slices, body.pitches);
        body.first = begin == 0;
        body.last = begin + body.count == body.total;
        detail_stack::launch_runs(exec, body, std::int64_t(body.out.width) * body.out.channels, body.out.height);
      }
    };
    pass(is_extreme ? Stage::extremes : Stage::sums);
    if (Body::kFloat && is_deviation) pass(Stage::squares);
  }
};

}  // namespace zp

#endif
ZP_OP(Project)
