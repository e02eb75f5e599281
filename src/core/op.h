// The contract of an operation: what its struct says of itself, and the five shapes.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_CORE_OP_H
#define ZP_CORE_OP_H

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/border.h"
#include "core/pixel.h"
#include "zeroplane/error.h"
#include "zeroplane/view.h"

namespace zp {

// ---- the five shapes, declared by `using Shape = ...`
// ----------------------------------------------------------------
//
// An operation's struct holds its parameters (members with defaults) and says:
//
//   static constexpr Info info{...};                  name, family, formats, channels, inputs, output
//   static constexpr std::tuple parameters{...};      parameter("name", &Op::member, "help", {facts})
//   static constexpr Case cases[] = {...};            arguments that tests, verify and bench run
//   PlaneShape output(std::span<const PlaneShape>) const;     optional: the output's size, channels and format, and the
//                                                     checks beyond info (default: the first input's; equal inputs)
//   auto bind(const PlaneShape& input) const;         optional: the functor, with automatic values resolved (default:
//   the op) template <class In, class Out, class Exec> void run(Exec&, const Operands&[, Result&]) const;
//                                                     instead of a functor, or beside it: a list of launches
//                                                     (Composite)
//   static constexpr FormatSet in_pieces = ...;       optional, of a Point operation on one image with a run(): the
//                                                     formats in which run() does nothing but its pixels, so that it
//                                                     may be called for pieces of the image
//   int halo(const PlaneShape& input) const;          optional: how many rows above and below an output row the input
//                                                     rows are that it depends on, with borders at the image's edges;
//                                                     negative: all of them. Such an operation crosses a bus in bands.
//                                                     Point operations depend on their own row, and Stencil operations
//                                                     without a run() on their radius, if they say nothing; patterns
//                                                     of two rows begin at an even one
//   struct Result {...; static constexpr std::tuple fields{field("name", &Result::member), ...}; };   optional values
//
// The functor of each shape (ZP_HD, trivially copyable, const operator()):
//
//   Point    samples: float f(float...) or, for operations that only order or select, a template V f(V...) that then
//            runs in the sample's own type. Pixels: `static constexpr int in_channels, out_channels` and
//            Pixel<float, out> f(Pixel<float, in>); channels beyond in_channels are kept behind the output's.
//   Gather   template <class Source> Pixel<V, M> f(const Source& in, int x, int y): output pixel (x, y) from
//            in.at(x, y) -> Pixel<T, N>, unchecked, inside in.width() x in.height().
//   Stencil  Extent radius() const; and either a window, template <class W> V f(const W& w) with w(dx, dy) -> T, or a
//            fold (which the CPU turns inside out): begin(T centre), step(acc, dx, dy, T v), end(acc), called in
//            raster order. Samples of one channel.
//   Reduce   using Value; Value zero() const; void lift(Value&, T sample, std::int64_t pixel) const;
//            Value join(Value, Value) const. The tree depends on the image size alone.
//   Composite  run() only.
//
// A functor or tile program that holds addresses lists them: static constexpr std::tuple pointers{&Functor::table,
// ...}, members of type T*, T*[N] or View<T>, so that the simulated device can refuse what the imitated device
// could not reach.
struct Point {};
struct Gather {};
struct Stencil {};
struct Reduce {};
struct Composite {};

struct Extent {
  int width = 0, height = 0;
};

// ---- what an operation says of itself
// --------------------------------------------------------------------------------

using FormatSet = std::uint8_t;
ZP_HD constexpr FormatSet bit(Format f) { return FormatSet(1u << unsigned(f)); }
inline constexpr FormatSet kAllFormats = 0b0111;      ///< u8, u16, f32
inline constexpr FormatSet kIntegerFormats = 0b0011;  ///< u8, u16
inline constexpr FormatSet kFloatFormat = 0b0100;
inline constexpr FormatSet kAnyFormat = 0b1111;  ///< and u32

using ChannelSet = std::uint8_t;
inline constexpr ChannelSet kAnyChannels = 0b11110;
inline constexpr ChannelSet kOneChannel = 0b00010;
inline constexpr ChannelSet kColorChannels = 0b11000;  ///< 3, and 4 with the fourth kept

/// Which formats an output may have; `output()` chooses among them.
enum class Output : std::uint8_t { same, f32, same_or_f32, any, u8, u32, none };

struct Info {
  std::string_view name, family, summary;
  FormatSet formats = kAllFormats;
  ChannelSet channels = kAnyChannels;
  int min_inputs = 1, max_inputs = 1;
  Output output = Output::same;
  bool empty_result = false;                         ///< values exist for an empty image
  std::string_view opencv{}, scikit_image{}, npp{};  ///< "same as ..." or how it differs; empty: the peer has none
  bool stack = false;                                ///< takes all pages and files at once, as its inputs
};

/// Arguments in the command's syntax ("limit=10,kind=truncate") and the formats for which they make sense.
struct Case {
  std::string_view arguments;
  FormatSet formats = kAnyFormat;
  int channels = 0;  ///< 0: the first that the operation takes
};

/// What an input of a test, verify or bench case shows.
enum class Pattern : std::uint8_t { picture, mask, coordinates_x, coordinates_y, flat, dark };
/// `static constexpr CaseInput case_input(int k, const PlaneShape& first)` of an operation says what its input k (0 =
/// the first) is in its cases; by default a picture of the first one's shape.
///
/// `static constexpr std::string_view input_names[]` names the inputs ("frame", "flat", "dark"), for help and for the
/// command, where the second and later inputs are keys (`flat_field:flat=flat.tif`); by default "image", "with",
/// "with2". An operation on stacks names the first of them, which stands for all.
struct CaseInput {
  PlaneShape shape;
  Pattern pattern = Pattern::picture;
};

struct Facts {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::string_view unit{};
  std::string_view automatic{};  ///< what a value that was not given means; empty: the default stands as it is
  std::span<const std::string_view> choices{};   ///< names of an enumeration (underlying type int), in order
  std::size_t min_count = 0, max_count = 65536;  ///< of a list
};

template <class Op, class V>
struct Parameter {
  std::string_view name;
  V Op::*member;
  std::string_view help;
  Facts facts;
};
template <class Op, class V>
constexpr Parameter<Op, V> parameter(std::string_view name, V Op::*member, std::string_view help, Facts facts = {}) {
  return {name, member, help, facts};
}
using NoParameters = std::tuple<>;

template <class R, class V>
struct Field {
  std::string_view name;
  V R::*member;
};
template <class R, class V>
constexpr Field<R, V> field(std::string_view name, V R::*member) {
  return {name, member};
}

struct NoResult {};
template <class Op>
struct ResultOfTrait {
  using type = NoResult;
};
template <class Op>
requires requires { typename Op::Result; }
struct ResultOfTrait<Op> {
  using type = typename Op::Result;
};
template <class Op>
using ResultOf = typename ResultOfTrait<Op>::type;

/// Planes at the addresses that the executor uses.
struct Operands {
  std::span<const ConstPlaneView> in;
  PlaneView out;

  template <class T>
  View<const T> input(std::size_t k = 0) const {
    return in[k].template as<const T>();
  }
  template <class T>
  View<T> output() const {
    return out.template as<T>();
  }
};

constexpr bool output_may_be(Output kind, Format in, Format out) {
  switch (kind) {
    case Output::same:
      return in == out;
    case Output::f32:
      return out == Format::f32;
    case Output::same_or_f32:
      return in == out || out == Format::f32;
    case Output::any:
      return out != Format::u32;
    case Output::u8:
      return out == Format::u8;
    case Output::u32:
      return out == Format::u32;
    case Output::none:
      return in == out;
  }
  return false;
}

template <class Op>
concept Operation = requires {
  typename Op::Shape;
  { Op::info } -> std::convertible_to<const Info&>;
  Op::parameters;
  Op::cases;
};

/// "resize: width = -3, allowed 1 to 65536".
[[noreturn]] void refuse(std::string_view operation, const std::string& what);
std::string describe(const PlaneShape& shape);  ///< "u16 640x480x3"
/// All inputs have the first one's size; channels equal or 1; equal formats.
void require_equal_inputs(std::string_view operation, std::span<const PlaneShape> in);

template <class Op>
PlaneShape output_shape(const Op& op, std::span<const PlaneShape> in) {
  if constexpr (requires { op.output(in); }) {
    return op.output(in);
  } else {
    require_equal_inputs(Op::info.name, in);
    PlaneShape out = in[0];
    if constexpr (Op::info.output == Output::f32) out.format = Format::f32;
    if constexpr (Op::info.output == Output::u8) out.format = Format::u8;
    if constexpr (Op::info.output == Output::u32) out.format = Format::u32;
    return out;
  }
}

/// The functor of an operation, automatic values resolved for this input.
template <class Op>
auto bound(const Op& op, const PlaneShape& input) {
  if constexpr (requires { op.bind(input); }) {
    return op.bind(input);
  } else {
    return op;
  }
}

// ---- one sample of a Point functor: what every executor calls
// ----------------------------------------------------------

template <class F>
concept PixelFunctor = requires {
  F::in_channels;
  F::out_channels;
};

template <class F, class U, class... T>
concept TypedFunctor = requires(const F& f, T... v) {
  f.template sample<U>(v...);
};

template <class U, class F, class... T>
ZP_HD U point_sample(const F& f, T... v) {
  if constexpr (TypedFunctor<F, U, T...>) {
    return f.template sample<U>(v...);
  } else if constexpr ((std::is_same_v<T, U> && ...) && std::is_same_v<decltype(f(v...)), U>) {
    return f(v...);
  } else {
    return to_sample<U>(f(static_cast<float>(v)...));
  }
}

/// One pixel of a Point functor over whole pixels; channels beyond F::in_channels follow the functor's.
template <class U, class F, class T>
ZP_HD void point_pixel(const F& f, const T* in, int in_channels, U* out) {
  Pixel<float, F::in_channels> p;
  for (int c = 0; c < F::in_channels; ++c) p[c] = static_cast<float>(in[c]);
  float kept[4];
  const int extra = in_channels - F::in_channels;
  for (int c = 0; c < extra; ++c) kept[c] = static_cast<float>(in[F::in_channels + c]);
  const Pixel<float, F::out_channels> q = f(p);
  for (int c = 0; c < F::out_channels; ++c) out[c] = to_sample<U>(q[c]);
  for (int c = 0; c < extra; ++c) out[F::out_channels + c] = to_sample<U>(kept[c]);
}

// ---- sources and windows that functors read
// ----------------------------------------------------------------------------

/// What a Gather functor reads.
template <class T, int N>
struct Source {
  using Sample = T;
  static constexpr int channels = N;
  View<const T> view;
  ZP_HD int width() const { return view.width; }
  ZP_HD int height() const { return view.height; }
  ZP_HD Pixel<T, N> at(int x, int y) const {
    const T* p = view.row(y) + std::ptrdiff_t(x) * N;
    Pixel<T, N> q;
    for (int c = 0; c < N; ++c) q[c] = p[c];
    return q;
  }
};

/// A window read straight from a view, border by border: slow and obviously right.
template <class T>
struct BorderedWindow {
  using Sample = T;
  View<const T> view;
  int x, y, c;
  Border border;
  T outside;
  ZP_HD T operator()(int dx, int dy) const {
    const int i = border_index(x + dx, view.width, border), j = border_index(y + dy, view.height, border);
    return i < 0 || j < 0 ? outside : view.row(j)[std::ptrdiff_t(i) * view.channels + c];
  }
};

template <class F>
concept FoldFunctor = requires(const F& f, std::uint8_t v) {
  f.step(f.begin(v), 0, 0, v);
};

/// One sample of a Stencil functor over any window.
template <class U, class F, class W>
ZP_HD U stencil_sample(const F& f, const W& w, Extent radius) {
  using T = typename W::Sample;
  if constexpr (FoldFunctor<F>) {
    auto acc = f.begin(w(0, 0));
    for (int dy = -radius.height; dy <= radius.height; ++dy)
      for (int dx = -radius.width; dx <= radius.width; ++dx) acc = f.step(acc, dx, dy, w(dx, dy));
    auto v = f.end(acc);
    if constexpr (std::is_same_v<decltype(v), U>) {
      return v;
    } else {
      return to_sample<U>(static_cast<float>(v));
    }
  } else {
    auto v = f(w);
    if constexpr (std::is_same_v<decltype(v), U> && std::is_same_v<T, U>) {
      return v;
    } else {
      return to_sample<U>(static_cast<float>(v));
    }
  }
}

// ---- tile programs
// ----------------------------------------------------------------------------------------------------

/// Position of a tile in the grid, and of the thread in the tile.
struct Block2 {
  int x, y, thread;
};
// A tile program's body: `struct Shared` (plain), `static constexpr int threads, phases`, and
// `template <int P> ZP_HD void phase(Block2, Shared&) const`, run for every thread of the tile; a barrier stands
// between phases, and what lives from one phase to the next lives in Shared, which starts with unspecified contents.

/// Chunk and lanes of the reduction tree: pixel p of a chunk goes to lane p % kReduceLanes, in order; then lanes join
/// by halves; then the chunks' values are reduced in the same way until one is left.
inline constexpr int kReduceLanes = 256;
inline constexpr int kReduceChunk = 4096;

namespace detail {
struct Row;  ///< the type-erased operation, in kernels/row.h
template <class Op>
const Row& row_of();
}  // namespace detail

}  // namespace zp

#endif

// An operation's header ends with ZP_OP(Name), outside its include guard. Here it declares the row; while a table is
// being built it is the row.
#ifndef ZP_OP
#define ZP_OP(T)          \
  namespace zp::detail {  \
  template <>             \
  const Row& row_of<T>(); \
  }
#endif
