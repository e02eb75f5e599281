// One loop for every operation that takes each output pixel from a place in the image: by a matrix, a lens, or maps.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_GEOMETRY_WARP_H
#define ZP_OPS_GEOMETRY_WARP_H

#include <cmath>

#include "core/op.h"
#include "ops/geometry/sample.h"

namespace zp {

/// From the result's pixels to the source's by a 2x3 matrix, as whole multiples of 2^-bits pixels: exact sums on every
/// machine, and a matrix of small integers and halves moves pixels without any rounding.
struct AffinePlaces {
  /// Upper half first: a shift of about 127 pixels as one word would look like a device address to the checks of the
  /// simulated device.
  struct Fixed {
    std::int32_t high = 0;
    std::uint32_t low = 0;
    Fixed() = default;
    explicit Fixed(std::int64_t v) : high(static_cast<std::int32_t>(v >> 32)), low(static_cast<std::uint32_t>(v)) {}
    ZP_HD std::int64_t value() const { return std::int64_t(high) * 4294967296 + low; }
  };
  Fixed m[6];
  int bits = 40;

  /// False if the matrix has places that fixed point cannot hold.
  static bool make(const double (&m)[6], int out_width, int out_height, AffinePlaces& places) {
    const auto reach = [&](const double* row) {
      return std::abs(row[0]) * out_width + std::abs(row[1]) * out_height + std::abs(row[2]) + 1.0;
    };
    if (!(reach(m) < 0x1p37 && reach(m + 3) < 0x1p37)) return false;
    const double farthest = larger(reach(m), reach(m + 3));
    places.bits = 40;
    while (std::ldexp(farthest, places.bits) >= 0x1p61) --places.bits;
    for (int k = 0; k < 6; ++k) places.m[k] = Fixed(std::llrint(std::ldexp(m[k], places.bits)));
    return true;
  }

  /// One coordinate along a row of the result.
  struct Line {
    std::int64_t step, start;
    int bits;
    ZP_HD Position at(int u) const {
      const std::int64_t sum = step * u + start, whole = sum >> bits;
      const bool known = whole > -kFarthest && whole < kFarthest;
      const std::uint32_t fraction = static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum) << (64 - bits) >> 40);
      return {static_cast<int>(known ? whole : 0), static_cast<float>(fraction) * 0x1p-24f, known};
    }
  };
  ZP_HD Line x(int v) const { return {m[0].value(), m[1].value() * v + m[2].value(), bits}; }
  ZP_HD Line y(int v) const { return {m[3].value(), m[4].value() * v + m[5].value(), bits}; }
};

/// By a 3x3 matrix, in double: (X / W, Y / W). Where W is 0 there is no place.
struct PerspectivePlaces {
  double m[9] = {};
  ZP_HD void at(int u, int v, Position& x, Position& y) const {
    const double a = m[0] * u + (m[1] * v + m[2]), b = m[3] * u + (m[4] * v + m[5]), w = m[6] * u + (m[7] * v + m[8]);
    x = position_of(a / w);
    y = position_of(b / w);
  }
};

/// By a lens after Brown and Conrady, in double: where the undistorted pixel was in the distorted image.
struct LensPlaces {
  double fx = 1, fy = 1, cx = 0, cy = 0, k1 = 0, k2 = 0, k3 = 0, p1 = 0, p2 = 0;
  ZP_HD void at(int u, int v, Position& x, Position& y) const {
    const double a = (u - cx) / fx, b = (v - cy) / fy;
    const double aa = a * a, bb = b * b, ab2 = 2.0 * a * b, r2 = aa + bb;
    const double radial = 1.0 + ((k3 * r2 + k2) * r2 + k1) * r2;
    x = position_of(fx * (a * radial + p1 * ab2 + p2 * (r2 + 2.0 * aa)) + cx);
    y = position_of(fy * (b * radial + p1 * (r2 + 2.0 * bb) + p2 * ab2) + cy);
  }
};

/// How a warp reads between pixels and beyond them; the value is already rounded to the format.
struct Reading {
  Interpolation method;
  Border border;
  float value;
};

/// "1/0/0.5", as the command takes lists.
/// The last parameters of an operation that reads between pixels; each has the three members under these names.
template <class Op>
constexpr auto reading_parameters(Interpolation Op::*method, Border Op::*border, float Op::*value,
                                  std::string_view value_help = "outside value of the constant border") {
  return std::tuple{
      parameter("method", method, "how pixels are read between centres", {.choices = kInterpolationNames}),
      parameter("border", border, "what lies outside the image", {.choices = kBorderNames}),
      parameter("value", value, value_help, {.unit = "pixel value"})};
}
/// Size of the result and direction of the matrix.
template <class Op>
constexpr auto matrix_parameters(int Op::*width, int Op::*height, bool Op::*inverse) {
  constexpr Facts kSide{.low = 0, .high = kLargestSide, .unit = "pixels", .automatic = "0: the image's"};
  return std::tuple{parameter("width", width, "of the result", kSide),
                    parameter("height", height, "of the result", kSide),
                    parameter("inverse", inverse, "the matrix takes the result's pixels to the source's")};
}

inline std::string numbers_text(const std::vector<float>& numbers) {
  std::string text;
  for (const float v : numbers) {
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%s%g", text.empty() ? "" : "/", double(v));
    text += buffer;
  }
  return text;
}

namespace detail_warp {

enum class Kind : int { affine, perspective, lens, maps };

/// Places of a run of pixels; what lies nowhere has the pixel kNowhere.
template <int N>
struct Places {
  static constexpr int kNowhere = -2147483647 - 1;
  int x[N], y[N];
  float fraction_x[N], fraction_y[N];

  ZP_HD void set_x(int i, const Position& p) {
    x[i] = p.known ? p.whole : kNowhere;
    fraction_x[i] = p.fraction;
  }
  ZP_HD void set_y(int i, const Position& p) {
    y[i] = p.known ? p.whole : kNowhere;
    fraction_y[i] = p.fraction;
  }
};

/// First neighbour of a place, and how many there are to a side.
template <Interpolation M>
inline constexpr int kSide = M == Interpolation::nearest  ? 1
                             : M == Interpolation::linear ? 2
                                                          : 4;
template <Interpolation M>
ZP_HD int first_neighbour(int whole, float fraction) {
  return M == Interpolation::nearest ? whole + (fraction >= 0.5f) : M == Interpolation::linear ? whole : whole - 1;
}

ZP_HD float weighted(const CubicWeights& k, const float (&p)[4]) {
  return ((k.w[0] * p[0] + k.w[1] * p[1]) + k.w[2] * p[2]) + k.w[3] * p[3];
}

/// What joins the neighbours at fractions (s, t).
template <Interpolation M>
struct Join {
  float s, t;
  ZP_HD float operator()(const float (&p)[1][1]) const { return p[0][0]; }
  ZP_HD float operator()(const float (&p)[2][2]) const {
    return between(between(p[0][0], p[0][1], s), between(p[1][0], p[1][1], s), t);
  }
};
template <>
struct Join<Interpolation::cubic> {
  float s, t;
  CubicWeights x = cubic_weights(s), y = cubic_weights(t);
  ZP_HD float operator()(const float (&p)[4][4]) const {
    float line[4];
    for (int j = 0; j < 4; ++j) line[j] = s == 0.0f ? p[j][1] : weighted(x, p[j]);
    return t == 0.0f ? line[1] : weighted(y, line);
  }
};

/// A pixel with neighbours beyond the image, or without a place.
template <Interpolation M, class T>
ZP_HD_APART void read_at_border(const View<const T>& in, const Reading& reading, int x, int y, float s, float t,
                                T* out) {
  constexpr int K = kSide<M>, kNowhere = Places<1>::kNowhere;
  const bool known = x != kNowhere && y != kNowhere;
  const Join<M> join{s, t};
  std::ptrdiff_t column[K];
  const T* row[K];
  for (int k = 0; k < K; ++k) {
    const int i = known ? border_index(first_neighbour<M>(x, s) + k, in.width, reading.border) : -1;
    const int j = known ? border_index(first_neighbour<M>(y, t) + k, in.height, reading.border) : -1;
    column[k] = i < 0 ? -1 : std::ptrdiff_t(i) * in.channels;
    row[k] = j < 0 ? nullptr : in.row(j);
  }
  for (int c = 0; c < in.channels; ++c) {
    float p[K][K];
    for (int j = 0; j < K; ++j)
      for (int i = 0; i < K; ++i)
        p[j][i] = row[j] && column[i] >= 0 ? static_cast<float>(row[j][column[i] + c]) : reading.value;
    out[c] = to_sample<T>(known ? join(p) : reading.value);
  }
}

/// A pixel. `Channels` is their number where loops over it are to vanish, else 0.
template <Interpolation M, int Channels, class T>
ZP_HD void read_pixel(const View<const T>& in, const Reading& reading, int x, int y, float s, float t, T* out) {
  constexpr int K = kSide<M>;
  const int x0 = first_neighbour<M>(x, s), y0 = first_neighbour<M>(y, t);
  if (x0 >= 0 && y0 >= 0 && x0 <= in.width - K && y0 <= in.height - K) {
    const int channels = Channels ? Channels : in.channels;
    const char* first = reinterpret_cast<const char*>(in.row(y0) + std::ptrdiff_t(x0) * channels);
    const Join<M> join{s, t};
    for (int c = 0; c < channels; ++c) {
      float p[K][K];
      for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i)
          p[j][i] = static_cast<float>(reinterpret_cast<const T*>(first + j * in.pitch)[i * channels + c]);
      out[c] = to_sample<T>(join(p));
    }
  } else {
    read_at_border<M>(in, reading, x, y, s, t, out);
  }
}

/// Places of a run of pixels, then the pixels. Kind and channels are chosen outside the loops; the method too on the
/// CPU, where one tile program of a format serves all, while on a device each method has its own, with no more
/// registers than it needs.
template <class T, int Threads, Interpolation Method>
struct Tile {
  static constexpr int kRows = Threads == 1 ? 16 : 2;  // of a thread
  static constexpr int threads = Threads, phases = 1;
  static constexpr int kWide = Threads == 1 ? 256 : 32, kHigh = Threads == 1 ? kRows : kRows * Threads / 32;
  static constexpr int kRun = Threads == 1 ? kWide : 1;
  struct Shared {
    Places<kRun> places;  ///< on the CPU
  };
  View<T> out;
  View<const T> in;
  View<const float> map_x, map_y;
  Kind kind;
  Reading reading;
  AffinePlaces affine;
  PerspectivePlaces perspective;
  LensPlaces lens;
  static constexpr std::tuple pointers{&Tile::out, &Tile::in, &Tile::map_x, &Tile::map_y};

  template <int P>
  ZP_HD void phase(Block2 block, Shared& s) const {
    if constexpr (Threads == 1) {
      const int x0 = block.x * kWide, y0 = block.y * kHigh;
      const int n = smaller(kWide, out.width - x0), lines = smaller(kHigh, out.height - y0);
      for (int j = 0; j < lines; ++j) {
        find_places(x0, y0 + j, n, s.places);
        read_pixels(n, s.places, out.row(y0 + j) + std::ptrdiff_t(x0) * out.channels);
      }
    } else {
      const int x = block.x * kWide + block.thread % 32, y0 = block.y * kHigh + block.thread / 32;
      if (x >= out.width) return;
      for (int j = 0; j < kRows; ++j) {
        const int y = y0 + j * (Threads / 32);
        if (y >= out.height) return;
        Places<1> places{};
        find_places(x, y, 1, places);
        read_channels<Method>(1, places, out.row(y) + std::ptrdiff_t(x) * out.channels);
      }
    }
  }

 private:
  ZP_HD void find_places(int u, int v, int n, Places<kRun>& to) const {
    switch (kind) {
      case Kind::affine: {
        const AffinePlaces::Line x = affine.x(v), y = affine.y(v);
        for (int i = 0; i < n; ++i) to.set_x(i, x.at(u + i));
        for (int i = 0; i < n; ++i) to.set_y(i, y.at(u + i));
        break;
      }
      case Kind::perspective:
        for (int i = 0; i < n; ++i) {
          Position x, y;
          perspective.at(u + i, v, x, y);
          to.set_x(i, x);
          to.set_y(i, y);
        }
        break;
      case Kind::lens:
        for (int i = 0; i < n; ++i) {
          Position x, y;
          lens.at(u + i, v, x, y);
          to.set_x(i, x);
          to.set_y(i, y);
        }
        break;
      case Kind::maps: {
        const float *a = map_x.row(v) + u, *b = map_y.row(v) + u;
        for (int i = 0; i < n; ++i) to.set_x(i, position_of(a[i]));
        for (int i = 0; i < n; ++i) to.set_y(i, position_of(b[i]));
        break;
      }
    }
  }

  ZP_HD void read_pixels(int n, const Places<kRun>& from, T* to) const {
    switch (reading.method) {
      case Interpolation::nearest:
        return read_channels<Interpolation::nearest>(n, from, to);
      case Interpolation::linear:
        return read_channels<Interpolation::linear>(n, from, to);
      case Interpolation::cubic:
        return read_channels<Interpolation::cubic>(n, from, to);
    }
  }
  template <Interpolation M>
  ZP_HD void read_channels(int n, const Places<kRun>& from, T* to) const {
    if (in.channels == 1)
      read_run<M, 1>(n, from, to);
    else
      read_run<M, 0>(n, from, to);
  }
  template <Interpolation M, int Channels>
  ZP_HD void read_run(int n, const Places<kRun>& from, T* __restrict to) const {
    const View<const T> image = in;
    const Reading how = reading;
    const int channels = Channels ? Channels : image.channels;
    for (std::ptrdiff_t i = 0; i < n; ++i)
      read_pixel<M, Channels>(image, how, from.x[i], from.y[i], from.fraction_x[i], from.fraction_y[i],
                              to + i * channels);
  }
};

template <Interpolation Method, class T, class Exec, class Set>
void launch_method(Exec& exec, const Operands& operands, Kind kind, const Reading& reading, const Set& set) {
  using Body = Tile<T, Exec::name == "cpu" ? 1 : 256, Method>;
  Body body{};
  body.out = operands.output<T>();
  body.in = operands.input<T>();
  body.kind = kind;
  body.reading = reading;
  set(body);
  exec.tiles(body, (body.out.width + Body::kWide - 1) / Body::kWide, (body.out.height + Body::kHigh - 1) / Body::kHigh);
}

template <class T, class Exec, class Set>
void launch(Exec& exec, const Operands& operands, Kind kind, const Reading& reading, const Set& set) {
  if constexpr (Exec::name != "cpu") {
    if (reading.method == Interpolation::nearest)
      return launch_method<Interpolation::nearest, T>(exec, operands, kind, reading, set);
    if (reading.method == Interpolation::cubic)
      return launch_method<Interpolation::cubic, T>(exec, operands, kind, reading, set);
  }
  launch_method<Interpolation::linear, T>(exec, operands, kind, reading, set);
}

}  // namespace detail_warp

template <class T, class Exec>
void warp(Exec& exec, const Operands& operands, const Reading& reading, const AffinePlaces& places) {
  detail_warp::launch<T>(exec, operands, detail_warp::Kind::affine, reading, [&](auto& body) { body.affine = places; });
}
template <class T, class Exec>
void warp(Exec& exec, const Operands& operands, const Reading& reading, const PerspectivePlaces& places) {
  detail_warp::launch<T>(exec, operands, detail_warp::Kind::perspective, reading,
                         [&](auto& body) { body.perspective = places; });
}
template <class T, class Exec>
void warp(Exec& exec, const Operands& operands, const Reading& reading, const LensPlaces& places) {
  detail_warp::launch<T>(exec, operands, detail_warp::Kind::lens, reading, [&](auto& body) { body.lens = places; });
}
/// Places from two maps of the result's size.
template <class T, class Exec>
void warp(Exec& exec, const Operands& operands, const Reading& reading, const View<const float>& map_x,
          const View<const float>& map_y) {
  detail_warp::launch<T>(exec, operands, detail_warp::Kind::maps, reading, [&](auto& body) {
    body.map_x = map_x;
    body.map_y = map_y;
  });
}

}  // namespace zp

#endif
