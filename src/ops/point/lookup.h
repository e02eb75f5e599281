// Samples replaced through a table.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_LOOKUP_H
#define ZP_OPS_POINT_LOOKUP_H

#include "core/op.h"
#include "ops/point/number_file.h"
#include "ops/point/table.h"

namespace zp {

namespace detail_lookup {

/// "table=255/254/.../0" and "table=0/255/0/255/...": tables for the cases.
struct TableText {
  char text[1100] = {};
  std::size_t size = 0;
  constexpr void add(std::string_view words) {
    for (const char c : words) text[size++] = c;
  }
  constexpr void add(int v) {
    if (v >= 100) text[size++] = char('0' + v / 100);
    if (v >= 10) text[size++] = char('0' + v / 10 % 10);
    text[size++] = char('0' + v % 10);
  }
  constexpr explicit TableText(bool negative) {
    for (int v = 0; v < 256; ++v) {
      add(v == 0 ? "table=" : "/");
      add(negative ? 255 - v : v % 2 * 255);
    }
  }
  constexpr operator std::string_view() const { return {text, size}; }
};
inline constexpr TableText kNegative(true), kStripes(false);

}  // namespace detail_lookup

/// table[v], one table for all channels: 256 numbers for u8, 65536 for u16, given as a list or as the path of a text
/// file (numbers separated by white space, commas or semicolons; # begins a comment). Numbers that the format does not
/// have round half to even and saturate; NaN becomes 0.
struct Lookup {
  using Shape = Point;
  static constexpr Info info{.name = "lookup",
                             .family = "point",
                             .summary = "table[v]",
                             .formats = kIntegerFormats,
                             .opencv = "same as LUT, which takes u8 only",
                             .scikit_image = "same as numpy's table[image]",
                             .npp = "same as LUTPalette for u8, and LUT whose levels are all values"};
  std::vector<float> table;
  std::string file;
  static constexpr std::tuple parameters{
      parameter("table", &Lookup::table, "256 (u8) or 65536 (u16) values",
                {.unit = "pixel value", .automatic = "the numbers of the file", .min_count = 256, .max_count = 65536}),
      parameter("file", &Lookup::file, "text file with the values instead", {.automatic = "none"})};
  static constexpr Case cases[] = {{detail_lookup::kNegative, bit(Format::u8)},
                                   {detail_lookup::kStripes, bit(Format::u8)},
                                   {detail_lookup::kStripes, bit(Format::u8), 3}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    values(in[0].format);
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const std::vector<float> numbers = values(operands.in[0].shape.format);
    std::vector<In> entries;
    entries.reserve(numbers.size());
    for (const float v : numbers) entries.push_back(to_sample<In>(v));
    exec.point(TableLookup<In>{exec.upload(entries)}, operands.output<Out>(), operands.input<In>());
  }

 private:
  std::vector<float> values(Format format) const {
    const std::size_t entries = std::size_t(1) << (8 * bytes_of(format));
    if (!table.empty() && !file.empty()) refuse(info.name, "table and file are both given");
    if (table.empty() && file.empty()) refuse(info.name, "neither table nor file is given");
    std::vector<float> numbers = table.empty() ? detail_number_file::read(info.name, file, 65536) : table;
    if (numbers.size() != entries)
      refuse(info.name, (table.empty() ? "file = " + file + " holds " : std::string("table has ")) +
                            std::to_string(numbers.size()) + " numbers, allowed " + std::to_string(entries) + " for " +
                            std::string(name_of(format)));
    return numbers;
  }
};

}  // namespace zp

#endif
ZP_OP(Lookup)
