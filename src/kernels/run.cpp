// One call of an operation: checks, the choice of the executor, overlap, placement, launch, wait.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/exactness.h"
#include "core/threads.h"
#include "kernels/bands.h"
#include "kernels/program.h"
#include "kernels/row.h"
#include "kernels/staged_bands.h"
#include "kernels/workspaces.h"
#include "memory/residents.h"
#include "zeroplane/apply.h"

namespace zp {
namespace {

thread_local Executor forced = Executor::automatic;
thread_local RunReport report;

/// Below this many samples a launch and its wait cost more than the work (9 us on an H200, 50 to 150 us on an Orin).
constexpr std::size_t kSmallSamples = std::size_t(1) << 16;

[[noreturn]] void unsupported(const detail::Row& row, const std::string& what) {
  throw Error(ErrorKind::unsupported, std::string(row.info->name) + ": " + what);
}

std::string formats_text(FormatSet set) {
  std::string text;
  for (const Format f : {Format::u8, Format::u16, Format::f32, Format::u32})
    if (set & bit(f)) text += (text.empty() ? "" : ", ") + std::string(name_of(f));
  return text;
}

std::string channels_text(ChannelSet set) {
  std::string text;
  for (int c = 1; c <= 4; ++c)
    if (set & (1 << c)) text += (text.empty() ? "" : ", ") + std::to_string(c);
  return text;
}

void check_number(const detail::Row& row, const detail::ParameterRow& p, double v) {
  if (std::isnan(v)) {
    if (p.facts.automatic.empty()) refuse(row.info->name, std::string(p.name) + " is not a number");
    return;
  }
  if (v < p.facts.low || v > p.facts.high) {
    const auto text = [](double x) {
      char buffer[32];
      std::snprintf(buffer, sizeof(buffer), "%g", x);
      return std::string(buffer);
    };
    refuse(row.info->name, std::string(p.name) + " = " + text(v) + ", allowed " + text(p.facts.low) + " to " +
                               text(p.facts.high) + (p.facts.unit.empty() ? "" : " " + std::string(p.facts.unit)));
  }
}

void check_view(const detail::Row& row, const ConstPlaneView& v, const std::string& which) {
  const PlaneShape& s = v.shape;
  if (s.width < 0 || s.height < 0 || s.channels < 1 || s.channels > 4)
    refuse(row.info->name, which + " is " + describe(s) + "; a size is 0 or more and channels are 1 to 4");
  if (s.empty()) return;
  if (!v.data) refuse(row.info->name, which + " is a null pointer with size " + describe(s));
  if (v.pitch < std::ptrdiff_t(s.row_bytes()) && s.height > 1)
    refuse(row.info->name, which + " has a pitch of " + std::to_string(v.pitch) + " bytes, less than its row of " +
                               std::to_string(s.row_bytes()));
  if (std::size_t(v.pitch) % bytes_of(s.format) != 0 ||
      reinterpret_cast<std::uintptr_t>(v.data) % bytes_of(s.format) != 0)
    refuse(row.info->name,
           which + " is not aligned to its samples of " + std::to_string(bytes_of(s.format)) + " bytes");
}

}  // namespace

namespace detail {

void check_parameters(const Row& row, const void* op) {
  for (const ParameterRow& p : row.parameters) {
    const void* v = p.locate(const_cast<void*>(op));
    switch (p.type) {
      case ValueType::real:
        check_number(row, p, double(*static_cast<const float*>(v)));
        break;
      case ValueType::real64:
        check_number(row, p, *static_cast<const double*>(v));
        break;
      case ValueType::integer:
        check_number(row, p, double(*static_cast<const int*>(v)));
        break;
      case ValueType::choice: {
        const int k = *static_cast<const int*>(v);
        if (k < 0 || std::size_t(k) >= p.facts.choices.size())
          refuse(row.info->name, std::string(p.name) + ": " + std::to_string(k) + " is none of its choices");
        break;
      }
      case ValueType::extent: {
        const Extent e = *static_cast<const Extent*>(v);
        check_number(row, p, e.width);
        check_number(row, p, e.height);
        break;
      }
      case ValueType::list: {
        const auto& list = *static_cast<const std::vector<float>*>(v);
        if (list.size() < p.facts.min_count || list.size() > p.facts.max_count) {
          if (list.empty() && !p.facts.automatic.empty()) break;
          refuse(row.info->name,
                 std::string(p.name) + " has " + std::to_string(list.size()) + " numbers, allowed " +
                     std::to_string(p.facts.min_count) +
                     (p.facts.max_count != p.facts.min_count ? " to " + std::to_string(p.facts.max_count) : ""));
        }
        for (const float x : list) check_number(row, p, double(x));
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace detail

namespace {

PlaneShape checked_output(const detail::Row& row, const void* op, std::span<const ConstPlaneView> in) {
  const Info& info = *row.info;
  if (int(in.size()) < info.min_inputs || int(in.size()) > info.max_inputs)
    refuse(info.name, std::to_string(in.size()) + (in.size() == 1 ? " input, takes " : " inputs, takes ") +
                          std::to_string(info.min_inputs) +
                          (info.max_inputs != info.min_inputs ? " to " + std::to_string(info.max_inputs) : ""));
  detail::check_parameters(row, op);
  std::vector<PlaneShape> shapes;
  for (std::size_t k = 0; k < in.size(); ++k) {
    check_view(row, in[k], in.size() > 1 ? "input " + std::to_string(k + 1) : "the image");
    shapes.push_back(in[k].shape);
  }
  if (!(info.formats & bit(shapes[0].format)))
    unsupported(row,
                "does not take " + std::string(name_of(shapes[0].format)) + ", only " + formats_text(info.formats));
  if (!(info.channels & (1 << shapes[0].channels)))
    unsupported(row, "does not take " + std::to_string(shapes[0].channels) +
                         (shapes[0].channels == 1 ? " channel, only " : " channels, only ") +
                         channels_text(info.channels));
  const PlaneShape out = row.output(op, shapes);
  if (out.width < 0 || out.height < 0 || out.channels < 1 || out.channels > 4)
    refuse(info.name, "the result would be " + describe(out) + "; channels are 1 to 4");
  if (!output_may_be(info.output, shapes[0].format, out.format))
    unsupported(row,
                "cannot make " + std::string(name_of(out.format)) + " from " + std::string(name_of(shapes[0].format)));
  return out;
}

bool overlap(const ConstPlaneView& a, const ConstPlaneView& b) {
  const auto* p = static_cast<const char*>(a.data);
  const auto* q = static_cast<const char*>(b.data);
  return p < q + b.span_bytes() && q < p + a.span_bytes();
}

/// Same bytes, pixel by pixel.
bool coincide(const ConstPlaneView& a, const ConstPlaneView& b) {
  return a.data == b.data && a.shape == b.shape && (a.pitch == b.pitch || a.shape.height <= 1);
}

bool is_device_memory(device::Runtime& runtime, const void* pointer) {
  const auto kind = runtime.query(pointer).kind;
  return kind == device::PointerInfo::Kind::device || kind == device::PointerInfo::Kind::other_device;
}

struct Choice {
  Executor executor;
  std::string_view reason;
};

Executor device_executor(const memory::Context& context) {
  return context.runtime->name() == "simulated" ? Executor::simulated : Executor::cuda;
}

Choice choose(const detail::Row& row, const memory::Context& context, std::span<const ConstPlaneView> planes) {
  Executor asked = forced;
  if (asked == Executor::automatic) {
    switch (context.executor) {
      case memory::ExecutorChoice::automatic:
        break;
      case memory::ExecutorChoice::cpu:
        asked = Executor::cpu;
        break;
      case memory::ExecutorChoice::cuda:
        asked = Executor::cuda;
        break;
      case memory::ExecutorChoice::simulated:
        asked = Executor::simulated;
        break;
    }
  }
  const bool has_device = context.model != MemoryModel::no_device;
  bool on_device = false;
  if (has_device)
    for (const ConstPlaneView& p : planes)
      on_device = on_device || (!p.shape.empty() && is_device_memory(*context.runtime, p.data));
  if (asked == Executor::cpu) {
    if (on_device) refuse(row.info->name, "a plane is in device memory, which the cpu executor cannot read");
    return {Executor::cpu, "asked for"};
  }
  if (asked != Executor::automatic) {
    if (!has_device || asked != device_executor(context))
      throw Error(ErrorKind::device,
                  std::string(row.info->name) + ": the executor " + std::string(name_of(asked)) +
                      " was asked for, but " +
                      (has_device ? "the device is " + std::string(context.runtime->name()) : context.reason));
    return {asked, "asked for"};
  }
  if (!has_device) return {Executor::cpu, "no device"};
  if (on_device) return {device_executor(context), "a plane is in device memory"};
  for (const ConstPlaneView& p : planes)
    if (memory::resident(context, p)) return {device_executor(context), "the Sequence has a plane on the device"};
  std::size_t samples = 0;
  for (const ConstPlaneView& p : planes) samples = std::max(samples, p.shape.samples());
  if (samples < kSmallSamples) return {Executor::cpu, "small work"};
  return {device_executor(context), "large enough for the device"};
}

Reuse reuse_of(const detail::Row& row) {
  switch (row.shape) {
    case detail::ShapeKind::point:
    case detail::ShapeKind::reduce:
      return Reuse::once;
    case detail::ShapeKind::gather:
    case detail::ShapeKind::stencil:
      return Reuse::neighbourhood;
    case detail::ShapeKind::composite:
      return Reuse::many;
  }
  return Reuse::many;
}

/// One after the other: the first step reads the inputs, the last writes the output, and all but a single step are
/// Point.
using Steps = std::span<const detail::ChainStep>;

PlaneShape shape_after(const detail::ChainStep& step, const PlaneShape& in) {
  return step.row->output(step.op, std::span(&in, 1));
}

/// How many of the steps are done at once, at least one: by a device as one program, by the CPU in bands.
std::size_t together(Steps steps, PlaneShape shape, bool on_device) {
  std::size_t n = 0;
  for (const detail::ChainStep& step : steps) {
    if (on_device && n == std::size_t(kProgramSteps)) break;
    const PlaneShape next = shape_after(step, shape);
    if (!(on_device ? kernels::in_programs(*step.row, shape.format, next.format)
                    : kernels::in_bands(*step.row, shape, next)))
      break;
    shape = next;
    ++n;
  }
  return std::max<std::size_t>(n, 1);
}

void run_together(Steps steps, const ConstPlaneView& in, const PlaneView& out, exec::Workspace& workspace) {
  if (workspace.runtime() == nullptr) return kernels::run_in_bands(steps, in, out);
  Program program{};
  PlaneShape shape = in.shape;
  for (const detail::ChainStep& step : steps) {
    const PlaneShape next = shape_after(step, shape);
    kernels::append(program, *step.row, step.op, shape, next.format);
    shape = next;
  }
  kernels::run_program(program, in, out, workspace);
}

void run_steps(Steps steps, std::span<const ConstPlaneView> in, const PlaneView& out, void* result,
               exec::Workspace& workspace, detail::RunFunction (*function)(const detail::Row&)) {
  if (steps.size() == 1) return function(*steps[0].row)(steps[0].op, Operands{in, out}, result, workspace);
  for (ConstPlaneView from = in[0]; !steps.empty();) {
    const std::size_t n = together(steps, from.shape, workspace.runtime() != nullptr);
    PlaneShape shape = from.shape;
    for (const detail::ChainStep& step : steps.first(n)) shape = shape_after(step, shape);
    const PlaneView to =
        shape == out.shape ? out : PlaneView(workspace.scratch(shape.row_bytes() * std::size_t(shape.height)), shape);
    if (n > 1)
      run_together(steps.first(n), from, to, workspace);
    else
      function (*steps[0].row)(steps[0].op, Operands{std::span(&from, 1), to}, nullptr, workspace);
    from = to;
    steps = steps.subspan(n);
  }
}

void run_on_cpu(Steps steps, std::span<const ConstPlaneView> in, const PlaneView& out, void* result) {
  kernels::HostWorkspace workspace;
  for (const ConstPlaneView& plane : in) memory::host_reads(plane);
  memory::host_writes(out);
  run_steps(steps, in, out, result, workspace, [](const detail::Row& row) { return row.cpu; });
}

void run_on_device(Steps steps, std::span<const ConstPlaneView> in, const PlaneView& out, void* result,
                   const memory::Context& context) {
  const detail::Row& row = *steps[0].row;
  // A chain of one launch touches its planes once, and any rows by themselves; of several, as often as it launches.
  const bool chain = steps.size() > 1, fused = chain && together(steps, in[0].shape, true) == steps.size();
  const Reuse reuse = !chain ? reuse_of(row) : fused ? Reuse::once : Reuse::many;
  const bool simulated = context.runtime->name() == "simulated";
  const auto launch = [&](std::span<const ConstPlaneView> from, const PlaneView& to, exec::Workspace& workspace) {
    run_steps(
        steps, from, to, result, workspace,
        simulated ? [](const detail::Row& r) { return r.simulated; }
                  : [](const detail::Row& r) { return r.cuda_table()[r.index]; });
  };
  if (row.info->output != Output::none && row.fields.empty()) {
    const int halo = !chain ? row.halo(steps[0].op, in[0].shape) : fused ? 0 : -1;
    if (halo >= 0 &&
        kernels::run_in_staged_bands(context, {row.info->name, halo, reuse, in, out}, launch, report.operands))
      return;
  }
  std::vector<DevicePlane> planes;
  std::vector<ConstPlaneView> device_in;
  planes.reserve(in.size() + 1);
  const auto note = [&](const DevicePlane& plane, const PlaneShape& shape) {
    report.operands.push_back(
        {plane.placement(), std::string(plane.reason()), shape.row_bytes() * std::size_t(shape.height)});
  };
  for (const ConstPlaneView& v : in) {
    planes.emplace_back(PlaneView(const_cast<void*>(v.data), v.shape, v.pitch), Access::in, reuse, row.info->name);
    note(planes.back(), v.shape);
    device_in.push_back(planes.back().device());
  }
  PlaneView device_out;
  if (row.info->output != Output::none) {
    planes.emplace_back(out, Access::out, reuse, row.info->name);
    note(planes.back(), out.shape);
    device_out = planes.back().device();
  }
  {
    kernels::DeviceWorkspace workspace(context, memory::current_stream(context));
    launch(device_in, device_out, workspace);
  }
  std::vector<DevicePlane*> all;
  all.reserve(planes.size());
  for (DevicePlane& plane : planes) all.push_back(&plane);
  DevicePlane::commit(all);
}

}  // namespace

std::string_view name_of(Executor executor) noexcept {
  switch (executor) {
    case Executor::automatic:
      return "auto";
    case Executor::cpu:
      return "cpu";
    case Executor::cuda:
      return "cuda";
    case Executor::simulated:
      return "simulated";
  }
  return "?";
}

ExecutorScope::ExecutorScope(Executor executor) noexcept : outer_(forced) { forced = executor; }
ExecutorScope::~ExecutorScope() { forced = outer_; }

const RunReport& last_run() noexcept { return report; }

namespace detail {

PlaneShape output_of(const Row& row, const void* op, std::span<const ConstPlaneView> in) {
  return checked_output(row, op, in);
}

PlaneShape output_of(Steps steps, std::span<const ConstPlaneView> in) {
  PlaneShape shape = checked_output(*steps[0].row, steps[0].op, in);
  for (const ChainStep& step : steps.subspan(1)) {
    // What the step will see has no bytes yet.
    alignas(16) static constexpr char kSomewhere[16] = {};
    const ConstPlaneView between(kSomewhere, shape);
    shape = checked_output(*step.row, step.op, std::span(&between, 1));
  }
  return shape;
}

namespace {

void run_checked(Steps steps, std::span<const ConstPlaneView> in, const PlaneView* out, void* result) {
  require_exact_arithmetic();
  const Row& row = *steps[0].row;
  const PlaneShape expected = output_of(steps, in);
  const bool makes_image = row.info->output != Output::none;
  PlaneView target;
  if (makes_image) {
    check_view(row, *out, "the output");
    if (out->shape != expected)
      refuse(row.info->name, "the output is " + describe(out->shape) + ", but the result is " + describe(expected));
    target = *out;
  }
  report = RunReport{row.info->name, Executor::cpu, "nothing to do", {}};
  if ((makes_image && expected.empty()) || in[0].shape.empty()) {
    if (!row.fields.empty() && !row.info->empty_result)
      refuse(row.info->name, "the image is empty (" + describe(in[0].shape) + ")");
    if (makes_image && !expected.empty()) refuse(row.info->name, "the image is empty (" + describe(in[0].shape) + ")");
    return;
  }
  const auto context = memory::context();
  std::vector<ConstPlaneView> planes(in.begin(), in.end());
  if (makes_image) planes.emplace_back(target);
  const Choice choice = choose(row, *context, planes);
  report.executor = choice.executor;
  report.executor_reason = choice.reason;
  const auto run_into = [&](const PlaneView& to) {
    if (choice.executor == Executor::cpu)
      run_on_cpu(steps, in, to, result);
    else
      run_on_device(steps, in, to, result, *context);
  };

  bool needs_copy = false;
  if (makes_image)
    for (const ConstPlaneView& v : in)
      needs_copy = needs_copy || (overlap(v, target) && !(row.shape == ShapeKind::point && coincide(v, target)));
  if (!needs_copy) return run_into(target);
  // The result is made beside its place, so that nothing reads what was already written.
  const std::size_t bytes = expected.row_bytes() * std::size_t(expected.height);
  if (choice.executor == Executor::cpu) {
    const auto block = memory::borrow_host(bytes);
    const PlaneView beside(block->data(), expected);
    run_into(beside);
    memory::host_writes(target);
    memory::copy_rows_on_host(target.data, target.pitch, beside.data, beside.pitch, expected.row_bytes(),
                              std::size_t(expected.height));
    return;
  }
  const device::Stream stream = memory::current_stream(*context);
  const auto block = memory::borrow_scratch(*context, bytes, stream);
  const PlaneView beside(block->data(), expected);
  run_into(beside);
  DevicePlane place(target, Access::out, reuse_of(row), row.info->name);
  const PlaneView to = place.device();
  context->runtime->copy_2d(to.data, to.pitch, beside.data, beside.pitch, expected.row_bytes(),
                            std::size_t(expected.height), stream);
  place.commit();
}

}  // namespace

void run(const Row& row, const void* op, std::span<const ConstPlaneView> in, const PlaneView* out, void* result) {
  const ChainStep step{&row, op};
  run_checked(std::span(&step, 1), in, out, result);
}

void run_chain(std::span<const ChainStep> steps, const ConstPlaneView& in, const PlaneView& out) {
  run_checked(steps, std::span(&in, 1), &out, nullptr);
}

}  // namespace detail
}  // namespace zp
