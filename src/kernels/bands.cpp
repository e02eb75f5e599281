// Bands of a chain on the CPU, and the tables that stand for steps.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/bands.h"

#include <algorithm>
#include <memory>

#include "core/table.h"
#include "core/threads.h"
#include "exec/cpu.h"
#include "kernels/program.h"
#include "kernels/workspaces.h"

namespace zp::kernels {
namespace {

using Steps = std::span<const detail::ChainStep>;

bool in_pieces(const detail::Row& row, Format format) { return (row.in_pieces & bit(format)) != 0; }

std::size_t levels_of(Format format) { return format == Format::u8 ? 256 : format == Format::u16 ? 65536 : 0; }

/// One operation, or the table of all that follow.
struct Stage {
  const detail::ChainStep* step;
  PlaneShape out;
  const void* table;
};

void look_up(const void* table, const ConstPlaneView& in, const PlaneView& out, exec::Workspace& workspace) {
  with_formats(in.shape.format, out.shape.format, [&](auto i, auto o) {
    using In = decltype(i);
    using Out = decltype(o);
    if constexpr (std::is_integral_v<In>)
      exec::Cpu(workspace).point(TableLookup<In, Out>{static_cast<const Out*>(table)}, out.as<Out>(),
                                 in.as<const In>());
  });
}

template <class Void>
BasicPlaneView<Void> part(const BasicPlaneView<Void>& v, std::int64_t x, std::int64_t y, int width, int height) {
  using Byte = std::conditional_t<std::is_const_v<Void>, const char, char>;
  const std::ptrdiff_t pixel = std::ptrdiff_t(bytes_of(v.shape.format)) * v.shape.channels;
  return {static_cast<Byte*>(v.data) + std::ptrdiff_t(y) * v.pitch + std::ptrdiff_t(x) * pixel,
          PlaneShape{width, height, v.shape.channels, v.shape.format}, v.pitch};
}

void run_stage(const Stage& stage, const ConstPlaneView& in, const PlaneView& out, exec::Workspace& workspace) {
  if (stage.table)
    look_up(stage.table, in, out, workspace);
  else
    stage.step->row->cpu(stage.step->op, Operands{std::span(&in, 1), out}, nullptr, workspace);
}

/// Every level of the format after the steps.
std::unique_ptr<Block> table_of(Steps steps, Format from, Format to) {
  PlaneShape shape{int(levels_of(from)), 1, 1, from};
  const std::unique_ptr<Block> levels = memory::borrow_host(shape.row_bytes());
  for (int v = 0; v < shape.width; ++v) {
    if (from == Format::u8)
      static_cast<std::uint8_t*>(levels->data())[v] = std::uint8_t(v);
    else
      static_cast<std::uint16_t*>(levels->data())[v] = std::uint16_t(v);
  }
  const ConstPlaneView in(levels->data(), shape);
  shape.format = to;
  std::unique_ptr<Block> table = memory::borrow_host(shape.row_bytes());
  run_in_bands(steps, in, PlaneView(table->data(), shape));
  return table;
}

}  // namespace

bool in_bands(const detail::Row& row, const PlaneShape& in, const PlaneShape& out) {
  return in_pieces(row, in.format) || in_programs(row, in.format, out.format);
}

void run_in_bands(Steps steps, const ConstPlaneView& in, const PlaneView& out) {
  std::vector<PlaneShape> shapes{in.shape};
  for (const detail::ChainStep& step : steps) shapes.push_back(step.row->output(step.op, std::span(&shapes.back(), 1)));

  // From the first integer sample on, if a step behind it would make a table of its own.
  std::vector<std::unique_ptr<Block>> tables;
  std::vector<Stage> stages;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Format from = shapes[k].format;
    std::size_t last = k;
    bool wanted = false;
    if (levels_of(from) && in.shape.samples() > levels_of(from))
      while (last < steps.size() && in_programs(*steps[last].row, shapes[last].format, shapes[last + 1].format)) {
        wanted = wanted || !in_pieces(*steps[last].row, shapes[last].format);
        ++last;
      }
    if (wanted) {
      tables.push_back(table_of(steps.subspan(k, last - k), from, shapes[last].format));
      stages.push_back({nullptr, shapes[last], tables.back()->data()});
      k = last - 1;
    } else {
      stages.push_back({&steps[k], shapes[k + 1], nullptr});
    }
  }

  constexpr std::size_t kBandBytes = 16 * 1024;
  std::size_t pixel = 1;
  for (const PlaneShape& s : shapes) pixel = std::max(pixel, bytes_of(s.format) * std::size_t(s.channels));
  const std::int64_t most = std::int64_t(kBandBytes / pixel);
  const std::int64_t width = std::min<std::int64_t>(in.shape.width, most / 64 * 64),
                     height = std::max<std::int64_t>(1, most / width);
  const std::int64_t across = (in.shape.width + width - 1) / width, down = (in.shape.height + height - 1) / height;
  parallel_for(across * down, 1, [&](std::int64_t begin, std::int64_t end) {
    HostWorkspace workspace;
    const std::unique_ptr<float[]> buffers(new float[2 * kBandBytes / sizeof(float)]);
    for (std::int64_t band = begin; band < end; ++band) {
      const std::int64_t x = band % across * width, y = band / across * height;
      const int columns = int(std::min(width, in.shape.width - x)), rows = int(std::min(height, in.shape.height - y));
      const PlaneView to = part(out, x, y, columns, rows);
      ConstPlaneView from = part(in, x, y, columns, rows);
      for (const Stage& stage : stages) {
        PlaneShape shape = stage.out;
        shape.width = columns;
        shape.height = rows;
        float* const first = buffers.get();
        float* const other = from.data == first ? first + kBandBytes / sizeof(float) : first;
        PlaneView next(other, shape);
        if (shape == to.shape)
          next = to;
        else if (shape == from.shape && (from.data == first || from.data == first + kBandBytes / sizeof(float)))
          next = PlaneView(const_cast<void*>(from.data), shape);
        run_stage(stage, from, next, workspace);
        from = next;
      }
    }
  });
}

}  // namespace zp::kernels
