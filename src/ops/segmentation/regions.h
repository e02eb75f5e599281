// Measurements of labelled objects.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_SEGMENTATION_REGIONS_H
#define ZP_OPS_SEGMENTATION_REGIONS_H

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/math.h"
#include "ops/segmentation/numbers.h"
#include "ops/segmentation/tally.h"

namespace zp {

namespace detail_regions {

using detail_tally::Part;
using detail_tally::Run;
using detail_tally::Strip;

/// Area, moments, box, and the pixels of the outline by what they add to its length.
struct Geometry {
  View<const std::uint32_t> all;
  static constexpr std::tuple pointers{&Geometry::all};
  enum Sum { kArea, kX, kY, kXX, kYY, kXY, kStraight, kDiagonal, kCorner, kSums };
  enum End { kColumn, kRow, kEnds };
  static constexpr int kTileSums = kSums, kImageSums = kSums, kExtremes = kEnds, kPreparePhases = 2;
  static constexpr int kReach = 2, kWidth = detail_tally::kWidth + 2 * kReach,
                       kHeight = detail_tally::kHeight + 2 * kReach;
  static constexpr int kOutlineWidth = kWidth - 2, kOutlineHeight = kHeight - 2;
  struct Shared {
    std::uint32_t numbers[kHeight][kWidth];  ///< of the tile and two pixels around it
    std::uint8_t outline[kOutlineHeight][kOutlineWidth];
  };

  template <int P>
  ZP_HD void prepare(Block2 b, Shared& s) const {
    if constexpr (P == 0) {
      const int x0 = b.x * detail_tally::kWidth - kReach, y0 = b.y * detail_tally::kHeight - kReach;
      const View<const std::uint32_t> from = all;
      detail_tally::spread_field<kHeight, kWidth>(b.thread, [&, from](int row, int column) {
        const int x = x0 + column, y = y0 + row;
        const bool exists = x >= 0 && y >= 0 && x < from.width && y < from.height;
        s.numbers[row][column] = exists ? from.row(y)[x] : 0;
      });
    } else {
      detail_tally::spread_field<kOutlineHeight, kOutlineWidth>(b.thread, [&](int row, int column) {
        const std::uint32_t n = s.numbers[row + 1][column + 1];
        const bool differs = (s.numbers[row][column + 1] != n) | (s.numbers[row + 2][column + 1] != n) |
                             (s.numbers[row + 1][column] != n) | (s.numbers[row + 1][column + 2] != n);
        s.outline[row][column] = (n != 0) & differs;
      });
    }
  }

  ZP_HD void measure(Part<Geometry>& part, const Shared& s, const Run& run) const {
    // Of 0, 1, ... count - 1 and of their squares.
    const std::uint32_t n = std::uint32_t(run.count), sum = n * (n - 1) / 2, squares = sum * (2 * n - 1) / 3;
    const std::uint32_t u = std::uint32_t(run.column), v = std::uint32_t(run.row);
    constexpr std::uint32_t dx = Strip::dx, dy = Strip::dy;
    part.sums[kArea] = n;
    part.sums[kX] = n * u + dx * sum;
    part.sums[kY] = n * v + dy * sum;
    part.sums[kXX] = n * u * u + dx * (2 * u * sum + squares);
    part.sums[kYY] = n * v * v + dy * (2 * v * sum + squares);
    part.sums[kXY] = n * u * v + (dx * v + dy * u) * sum;
    part.lows[kColumn] = std::uint32_t(run.x);
    part.lows[kRow] = std::uint32_t(run.y);
    part.highs[kColumn] = std::uint32_t(run.x) + dx * (n - 1);
    part.highs[kRow] = std::uint32_t(run.y) + dy * (n - 1);
    for (int k = 0; k < run.count; ++k) {
      const int column = run.column + k * Strip::dx, row = run.row + k * Strip::dy;
      if (s.outline[row + 1][column + 1] == 0) continue;
      const int kind = outline_kind(s, row, column, run.number);
      part.sums[kStraight] += kind == kStraight;
      part.sums[kDiagonal] += kind == kDiagonal;
      part.sums[kCorner] += kind == kCorner;
    }
  }

  /// Coordinates of a tile become those of the image.
  ZP_HD void widen(std::uint64_t* to, const std::uint32_t* from, int x0, int y0) const {
    const std::uint64_t n = from[kArea], u = from[kX], v = from[kY], x = std::uint64_t(x0), y = std::uint64_t(y0);
    for (int k = 0; k < kSums; ++k) to[k] = from[k];
    to[kX] = n * x + u;
    to[kY] = n * y + v;
    to[kXX] = n * x * x + 2 * x * u + from[kXX];
    to[kYY] = n * y * y + 2 * y * v + from[kYY];
    to[kXY] = n * x * y + x * v + y * u + from[kXY];
  }

 private:
  /// Benkrid, Crookes 2000, by how many of a pixel's neighbours lie on the outline too.
  static ZP_HD int outline_kind(const Shared& s, int row, int column, std::uint32_t number) {
    const auto on = [&](int dx, int dy) {
      return int(s.outline[row + 1 + dy][column + 1 + dx] != 0 && s.numbers[row + 2 + dy][column + 2 + dx] == number);
    };
    const int beside = on(-1, 0) + on(1, 0) + on(0, -1) + on(0, 1);
    const int across = on(-1, -1) + on(1, -1) + on(-1, 1) + on(1, 1);
    if ((beside == 2 || beside == 3) && across <= 2) return kStraight;
    if ((beside == 0 && across == 2) || (beside == 1 && across == 3)) return kDiagonal;
    return beside == 1 && (across == 1 || across == 2) ? kCorner : -1;
  }
};

/// What an integer image has inside of the objects.
template <class T>
struct Levels {
  View<const T> image;
  static constexpr std::tuple pointers{&Levels::image};
  enum Sum { kSum, kSquares, kSums };
  static constexpr int kTileSums = 3, kImageSums = kSums, kExtremes = 1, kPreparePhases = 0;
  static constexpr int kSplit = 20;  ///< bits of a run's sum of squares in the lower of two tile sums
  struct Shared {};
  ZP_HD void measure(Part<Levels>& part, const Shared&, const Run& run) const {
    std::uint64_t squares = 0;
    std::uint32_t sum = 0, low = 0xffffffffu, high = 0;
    for (int k = 0; k < run.count; ++k) {
      const std::uint32_t v = image.row(run.y + k * Strip::dy)[run.x + k * Strip::dx];
      sum += v;
      squares += std::uint64_t(v) * v;
      low = smaller(low, v);
      high = larger(high, v);
    }
    part.sums[0] = sum;
    part.sums[1] = std::uint32_t(squares) & ((1u << kSplit) - 1);
    part.sums[2] = std::uint32_t(squares >> kSplit);
    part.lows[0] = low;
    part.highs[0] = high;
  }
  ZP_HD void widen(std::uint64_t* to, const std::uint32_t* from, int, int) const {
    to[kSum] = from[0];
    to[kSquares] = (std::uint64_t(from[2]) << kSplit) + from[1];
  }
};

/// Keys of f32 that are ordered as the values; -0 is +0. No number has the key 0 or 0xffffffff.
ZP_HD std::uint32_t key_of(float v) {
  v = v + 0.0f;
  std::uint32_t b;
  memcpy(&b, &v, sizeof(b));
  return b >> 31 ? ~b : b | 0x80000000u;
}
ZP_HD float value_of(std::uint32_t key) {
  const std::uint32_t b = key >> 31 ? key & 0x7fffffffu : ~key;
  float v;
  memcpy(&v, &b, sizeof(v));
  return v;
}

/// Extremes of an f32 image, and how many samples are NaN.
struct Extents {
  View<const float> image;
  static constexpr std::tuple pointers{&Extents::image};
  static constexpr int kTileSums = 1, kImageSums = 1, kExtremes = 1, kPreparePhases = 0;
  struct Shared {};
  ZP_HD void measure(Part<Extents>& part, const Shared&, const Run& run) const {
    for (int k = 0; k < run.count; ++k) {
      const float v = image.row(run.y + k * Strip::dy)[run.x + k * Strip::dx];
      const bool is_nan = v != v;
      const std::uint32_t key = key_of(v);
      part.sums[0] += is_nan;
      part.lows[0] = is_nan ? part.lows[0] : smaller(part.lows[0], key);
      part.highs[0] = is_nan ? part.highs[0] : larger(part.highs[0], key);
    }
  }
  ZP_HD void widen(std::uint64_t* to, const std::uint32_t* from, int, int) const { to[0] = from[0]; }
};

/// How the samples of one object become integers of 63 bits: (v - centre) or its square, times a power of two.
struct Grid {
  double centre, scale;  ///< scale 0: nothing to sum
};
inline constexpr int kGridBits = 62, kPieceBits = 21;  // three pieces of a sum, each of 2048 pixels in 32 bits
static_assert(3 * kPieceBits == kGridBits + 1 &&
              detail_tally::kWidth * detail_tally::kHeight == 1 << (32 - kPieceBits));

struct GridSums {
  View<const float> image;
  const Grid* grids;  ///< by number, from 0
  bool squared;
  static constexpr std::tuple pointers{&GridSums::image, &GridSums::grids};
  static constexpr int kTileSums = 3, kImageSums = 3, kExtremes = 0, kPreparePhases = 0;
  struct Shared {};
  ZP_HD void measure(Part<GridSums>& part, const Shared&, const Run& run) const {
    const Grid grid = grids[std::int64_t(run.number) - 1];
    if (grid.scale == 0) return;
    for (int k = 0; k < run.count; ++k) {
      const float v = image.row(run.y + k * Strip::dy)[run.x + k * Strip::dx];
      if (v != v) continue;
      const double d = static_cast<double>(v) - grid.centre, term = squared ? d * d : d;
      const std::uint64_t steps =
          std::uint64_t(static_cast<std::int64_t>(term * grid.scale) + (std::int64_t(1) << kGridBits));
      constexpr std::uint32_t piece = (1u << kPieceBits) - 1;
      part.sums[0] += std::uint32_t(steps) & piece;
      part.sums[1] += std::uint32_t(steps >> kPieceBits) & piece;
      part.sums[2] += std::uint32_t(steps >> (2 * kPieceBits));
    }
  }
  ZP_HD void widen(std::uint64_t* to, const std::uint32_t* from, int, int) const {
    for (int k = 0; k < kImageSums; ++k) to[k] = from[k];
  }
};

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): __extension__ takes a typedef only

}  // namespace detail_regions

/// Measures each label that occurs; 0 is background, and labels that do not occur are no objects. Whether the pixels of
/// a label hang together does not matter. Objects come in the order of their labels. One channel, up to 2^32 - 1 pixels
/// and 2^30 labels of any value; memory follows the number of labels, not their values.
///
/// Coordinates are those of pixel centres, the first pixel at (0, 0), in pixels. The axes are those of the ellipse that
/// has the same second moments (4 times the root of the moments' eigenvalues); the orientation is that of the major
/// axis, in degrees counter-clockwise from the x axis as the picture is seen, above -90 to 90, and 0 where no axis is
/// the longer one. The eccentricity is 0 for a circle, 1 for a line; the equivalent diameter that of a disc of the same
/// area. The perimeter is the length of the line through the outermost pixels (those with one of 4 neighbours outside
/// of the object), by Benkrid and Crookes 2000.
///
/// With a second image: mean, extremes, sum and deviation (of the population) of its samples in each object. NaN is
/// left out and counted; an object of nothing but NaN has 0 everywhere. Sums are exact for u8 and u16. For f32 they are
/// taken in integers, so that no order of the pixels changes them: of steps of 2^-62 of the power of two above the
/// object's largest magnitude (of its largest squared difference from the mean for the deviation). The mean of an
/// object with an infinity is that infinity (NaN with both), its deviation NaN.
struct Regions {
  using Shape = Composite;
  static constexpr Info info{
      .name = "regions",
      .family = "segmentation",
      .summary = "area, place, shape and intensity of labelled objects",
      .formats = kIntegerFormats | bit(Format::u32),
      .channels = kOneChannel,
      .max_inputs = 2,
      .output = Output::none,
      .empty_result = true,
      .opencv = "area, box and centroid same as connectedComponentsWithStats",
      .scikit_image =
          "same as measure.regionprops but for the orientation, which counts in radians from the row axis "
          "there (here: degrees(orientation) - 90, into -90 to 90); perimeter as with neighborhood=4",
      .npp = "area and box same as CompressedMarkerLabelsUFInfo"};
  static constexpr NoParameters parameters{};
  static constexpr std::string_view input_names[] = {"labels", "intensity"};
  static constexpr Case cases[] = {{""}};
  static constexpr CaseInput case_input(int k, const PlaneShape& first) {
    if (k == 0) return {first, Pattern::picture};
    const Format of_labels = first.format;
    return {{first.width, first.height, 1,
             of_labels == Format::u8    ? Format::f32
             : of_labels == Format::u16 ? Format::u16
                                        : Format::u8},
            Pattern::picture};
  }

  struct Result {
    std::vector<std::int64_t> label, area;          ///< one of each per object, in the order of labels
    std::vector<std::int64_t> x, y, width, height;  ///< bounding box
    std::vector<double> centroid_x, centroid_y;
    std::vector<double> perimeter, major_axis, minor_axis, orientation, eccentricity, equivalent_diameter;
    std::vector<double> mean, minimum, maximum, sum, deviation;  ///< of the second image; empty without one
    std::vector<std::int64_t> nan_count;
    static constexpr std::tuple fields{field("label", &Result::label),
                                       field("area", &Result::area),
                                       field("x", &Result::x),
                                       field("y", &Result::y),
                                       field("width", &Result::width),
                                       field("height", &Result::height),
                                       field("centroid_x", &Result::centroid_x),
                                       field("centroid_y", &Result::centroid_y),
                                       field("perimeter", &Result::perimeter),
                                       field("major_axis", &Result::major_axis),
                                       field("minor_axis", &Result::minor_axis),
                                       field("orientation", &Result::orientation),
                                       field("eccentricity", &Result::eccentricity),
                                       field("equivalent_diameter", &Result::equivalent_diameter),
                                       field("mean", &Result::mean),
                                       field("minimum", &Result::minimum),
                                       field("maximum", &Result::maximum),
                                       field("sum", &Result::sum),
                                       field("deviation", &Result::deviation),
                                       field("nan_count", &Result::nan_count)};
  };

  PlaneShape output(std::span<const PlaneShape> in) const {
    components::require_numbered(info.name, in[0]);
    const double width = in[0].width, height = in[0].height;
    // Sums of squared coordinates reach a third of this.
    if (larger(width, height) * larger(width, height) * width * height > 3 * 0x1p64)
      refuse(info.name, "the image is " + describe(in[0]) + ", too long for sums of squared coordinates in 64 bits");
    if (in.size() > 1) {
      if (in[1].width != in[0].width || in[1].height != in[0].height || in[1].channels != 1)
        refuse(info.name, "the intensities are " + describe(in[1]) + ", the labels " + describe(in[0]) +
                              "; both have the same size and 1 channel");
      if (!(kAllFormats & bit(in[1].format)))
        refuse(info.name, "the intensities are " + std::string(name_of(in[1].format)) + ", allowed u8, u16, f32");
    }
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands, Result& result) const {
    const detail_numbers::Numbered objects = detail_numbers::number_labels(exec, operands.input<In>(), info.name);
    const View<const std::uint32_t> plane = objects.plane;
    const std::size_t count = objects.labels.size();
    if (count == 0) return;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return objects.labels[a] < objects.labels[b]; });
    for (const std::size_t i : order) result.label.push_back(std::int64_t(objects.labels[i]));
    add_shapes(result, order, detail_tally::tally(exec, detail_regions::Geometry{plane}, plane, count));
    if (operands.in.size() < 2) return;
    switch (operands.in[1].shape.format) {
      case Format::u8:
        measure_levels<std::uint8_t>(exec, operands, result, order, plane);
        break;
      case Format::u16:
        measure_levels<std::uint16_t>(exec, operands, result, order, plane);
        break;
      default:
        measure_reals(exec, operands.input<float>(1), result, order, plane);
        break;
    }
  }

 private:
  using Wide = detail_regions::Wide;
  using Order = std::vector<std::size_t>;

  static void add_shapes(Result& r, const Order& order, const detail_tally::Tallied& all) {
    using G = detail_regions::Geometry;
    constexpr double kRootOf2 = 1.4142135623730951, kPi = 3.141592653589793;
    for (const std::size_t i : order) {
      const std::uint64_t* sums = all.sums.data() + i * G::kSums;
      const std::uint32_t *lows = all.lows.data() + i * G::kEnds, *highs = all.highs.data() + i * G::kEnds;
      const double area = double(sums[G::kArea]);
      r.area.push_back(std::int64_t(sums[G::kArea]));
      r.x.push_back(lows[G::kColumn]);
      r.y.push_back(lows[G::kRow]);
      r.width.push_back(std::int64_t(highs[G::kColumn]) - lows[G::kColumn] + 1);
      r.height.push_back(std::int64_t(highs[G::kRow]) - lows[G::kRow] + 1);
      r.centroid_x.push_back(double(sums[G::kX]) / area);
      r.centroid_y.push_back(double(sums[G::kY]) / area);
      r.perimeter.push_back(double(sums[G::kStraight]) + double(sums[G::kDiagonal]) * kRootOf2 +
                            double(sums[G::kCorner]) * ((1.0 + kRootOf2) / 2.0));
      r.equivalent_diameter.push_back(std::sqrt(4.0 * area / kPi));
      // Central moments times the squared area, exactly.
      const Wide n = sums[G::kArea], x = sums[G::kX], y = sums[G::kY];
      const Wide xx = n * sums[G::kXX] - x * x, yy = n * sums[G::kYY] - y * y, xy = n * sums[G::kXY] - x * y;
      const double trace = double(xx + yy), difference = double(xx - yy), twice = double(2 * xy);
      const double root = std::sqrt(difference * difference + twice * twice), large = (trace + root) / 2.0;
      // The product of the eigenvalues is exact where it fits; their difference would leave a line some width.
      constexpr Wide kHalf = Wide(1) << 63;
      const bool fits = xx < kHalf && yy < kHalf;
      const double product = fits ? double(xx * yy - xy * xy) : 0.0;
      const double small = fits ? (large > 0.0 ? product / large : 0.0) : larger((trace - root) / 2.0, 0.0);
      r.major_axis.push_back(4.0 * (std::sqrt(large) / area));
      r.minor_axis.push_back(4.0 * (std::sqrt(small) / area));
      r.eccentricity.push_back(large > 0.0 ? std::sqrt(larger(1.0 - small / large, 0.0)) : 0.0);
      // Rows count downwards, angles upwards.
      const double angle = double(math::atan2(float(twice), float(difference)));
      const double degrees = 0.0 - angle * (90.0 / kPi);
      r.orientation.push_back(degrees > -90.0 && degrees <= 90.0 ? degrees : 90.0);
    }
  }

  template <class T, class Exec>
  static void measure_levels(Exec& exec, const Operands& operands, Result& r, const Order& order,
                             const View<const std::uint32_t>& plane) {
    using Levels = detail_regions::Levels<T>;
    const detail_tally::Tallied all = detail_tally::tally(exec, Levels{operands.input<T>(1)}, plane, order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t i = order[k];
      const Wide n = r.area[k], sum = all.sums[i * Levels::kSums + Levels::kSum];
      const Wide squares = all.sums[i * Levels::kSums + Levels::kSquares];
      const double area = double(r.area[k]);
      r.mean.push_back(double(sum) / area);
      r.minimum.push_back(double(all.lows[i]));
      r.maximum.push_back(double(all.highs[i]));
      r.sum.push_back(double(sum));
      r.deviation.push_back(std::sqrt(double(n * squares - sum * sum)) / area);
      r.nan_count.push_back(0);
    }
  }

  /// A step of this reaches from 0 to below `largest` in 2^62 steps.
  static double scale_for(double largest) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    return largest > 0.0 ? std::ldexp(1.0, detail_regions::kGridBits - exponent) : 0.0;
  }
  /// The sum that three sums of pieces stand for.
  static double sum_of(const std::uint64_t* pieces, std::int64_t count, double scale) {
    using namespace detail_regions;
    const Wide steps = Wide(pieces[0]) + (Wide(pieces[1]) << kPieceBits) + (Wide(pieces[2]) << (2 * kPieceBits)) -
                       (Wide(count) << kGridBits);
    return scale > 0.0 ? double(steps) / scale : 0.0;
  }

  template <class Exec>
  static void measure_reals(Exec& exec, const View<const float>& image, Result& r, const Order& order,
                            const View<const std::uint32_t>& plane) {
    using namespace detail_regions;
    const std::size_t count = order.size();
    const detail_tally::Tallied extents = detail_tally::tally(exec, Extents{image}, plane, count);
    std::vector<Grid> grids(count);
    std::vector<std::int64_t> numbers(count);  // samples that are none of NaN
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = order[k];
      r.nan_count.push_back(std::int64_t(extents.sums[i]));
      numbers[k] = r.area[k] - r.nan_count[k];
      const bool any = numbers[k] != 0;
      r.minimum.push_back(any ? double(value_of(extents.lows[i])) : 0.0);
      r.maximum.push_back(any ? double(value_of(extents.highs[i])) : 0.0);
      const double largest = larger(-r.minimum[k], r.maximum[k]);
      grids[i] = {0.0, largest < double(math::kInfinity) ? scale_for(larger(largest, 0.0)) : 0.0};
    }
    const detail_tally::Tallied sums =
        detail_tally::tally(exec, GridSums{image, exec.upload(grids), false}, plane, count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = order[k];
      const double n = double(numbers[k]), low = r.minimum[k], high = r.maximum[k];
      const bool finite = high - low < double(math::kInfinity);
      const double sum = finite ? sum_of(sums.sums.data() + 3 * i, numbers[k], grids[i].scale)
                                : (-low < double(math::kInfinity) ? high : low + larger(high, 0.0));
      // Even where the sum is rounded, equal samples have their own mean.
      const double mean = low == high ? low : sum / n;
      r.sum.push_back(sum);
      r.mean.push_back(mean);
      const double below = mean - low, above = high - mean, largest = larger(below * below, above * above);
      grids[i] = {mean, finite && n > 0.0 ? scale_for(largest) : 0.0};
    }
    const detail_tally::Tallied squares =
        detail_tally::tally(exec, GridSums{image, exec.upload(grids), true}, plane, count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = order[k];
      const bool finite = r.maximum[k] - r.minimum[k] < double(math::kInfinity);
      const double variance =
          numbers[k] ? sum_of(squares.sums.data() + 3 * i, numbers[k], grids[i].scale) / double(numbers[k]) : 0.0;
      r.deviation.push_back(finite ? std::sqrt(variance) : double(math::kNan));
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Regions)
