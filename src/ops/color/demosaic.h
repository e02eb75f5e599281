// Colour from a Bayer mosaic.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_COLOR_DEMOSAIC_H
#define ZP_OPS_COLOR_DEMOSAIC_H

#include "core/op.h"

namespace zp {

/// One channel behind a Bayer filter to RGB. The pattern names the colours of the first two pixels of the first row and
/// of the second: rggb means that the top left pixel is red.
///
/// bilinear: a missing colour is the average of the nearest pixels that have it (2 or 4; at the border those that
/// exist: a sum and one division). malvar: the linear filters of Malvar, He and Cutler (ICASSP 2004) in eighths, with
/// the border reflect101, which keeps the pattern. The pixel's own colour is kept exactly. Integers round half to even
/// and clamp. One row or one column does not hold all three colours and is refused.
struct Demosaic {
  using Shape = Gather;
  static constexpr Info info{
      .name = "demosaic",
      .family = "color",
      .summary = "Bayer mosaic to RGB",
      .channels = kOneChannel,
      .opencv =
          "bilinear: as demosaicing within 1 (it rounds up, and copies the neighbours at the border); rggb is "
          "COLOR_BayerRGGB2RGB",
      .npp = "as CFAToRGB within its interpolation; it needs even sizes"};
  enum class Pattern : int { rggb, bggr, grbg, gbrg };
  static constexpr std::string_view kPatterns[] = {"rggb", "bggr", "grbg", "gbrg"};
  enum class Method : int { bilinear, malvar };
  static constexpr std::string_view kMethods[] = {"bilinear", "malvar"};
  Pattern pattern = Pattern::rggb;
  Method method = Method::bilinear;
  static constexpr std::tuple parameters{
      parameter("pattern", &Demosaic::pattern, "colours of the top left 2x2 pixels", {.choices = kPatterns}),
      parameter("method", &Demosaic::method, "how missing colours are found", {.choices = kMethods})};
  static constexpr Case cases[] = {
      {""}, {"pattern=grbg"}, {"pattern=bggr,method=malvar"}, {"pattern=gbrg,method=malvar"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    PlaneShape out = in[0];
    out.channels = 3;
    if (!out.empty() && (out.width == 1 || out.height == 1))
      refuse(info.name, "the image is " + describe(in[0]) + "; a mosaic has at least 2 rows and 2 columns");
    return out;
  }

  /// Averages of the neighbours that exist.
  struct Around {
    float cross, sides, above, corners;
  };

  struct Bilinear {
    static constexpr int channels = 1;
    int red_x, red_y;  ///< parity of the red pixels
    template <class Source>
    ZP_HD auto operator()(const Source& in, int x, int y) const {
      using T = typename Source::Sample;
      const T own = in.at(x, y)[0];
      const Around a = x > 0 && y > 0 && x + 1 < in.width() && y + 1 < in.height() ? inner(in, x, y) : edge(in, x, y);
      const bool red_column = (x & 1) == red_x, red_row = (y & 1) == red_y;
      const T sides = to_sample<T>(a.sides), above = to_sample<T>(a.above), corners = to_sample<T>(a.corners),
              cross = to_sample<T>(a.cross);
      return colors(own, sides, above, corners, cross, red_column, red_row);
    }
    template <class Source>
    ZP_HD static float value(const Source& in, int x, int y) {
      return float(in.at(x, y)[0]);
    }
    template <class Source>
    ZP_HD static Around inner(const Source& in, int x, int y) {
      const float sides = value(in, x - 1, y) + value(in, x + 1, y), above = value(in, x, y - 1) + value(in, x, y + 1);
      const float corners =
          (value(in, x - 1, y - 1) + value(in, x + 1, y - 1)) + (value(in, x - 1, y + 1) + value(in, x + 1, y + 1));
      return {(sides + above) * 0.25f, sides * 0.5f, above * 0.5f, corners * 0.25f};
    }
    template <class Source>
    ZP_HD static Around edge(const Source& in, int x, int y) {
      const bool left = x > 0, right = x + 1 < in.width(), top = y > 0, bottom = y + 1 < in.height();
      const float sides = (left ? value(in, x - 1, y) : 0.0f) + (right ? value(in, x + 1, y) : 0.0f);
      const float above = (top ? value(in, x, y - 1) : 0.0f) + (bottom ? value(in, x, y + 1) : 0.0f);
      const float corners =
          ((left && top ? value(in, x - 1, y - 1) : 0.0f) + (right && top ? value(in, x + 1, y - 1) : 0.0f)) +
          ((left && bottom ? value(in, x - 1, y + 1) : 0.0f) + (right && bottom ? value(in, x + 1, y + 1) : 0.0f));
      const int columns = left + right, rows = top + bottom;
      return {(sides + above) / float(columns + rows), sides / float(columns), above / float(rows),
              corners / float(columns * rows)};
    }
  };

  /// Bilinear rows for the CPU: inside, loops without a branch; the outermost pixels as above.
  template <class T>
  struct BilinearRows {
    View<T> out;
    View<const T> in;
    Bilinear pixel;
    static constexpr int threads = 1, phases = 1, kRows = 8, kRun = 256;
    struct Shared {};

    template <int>
    ZP_HD void phase(Block2 b, Shared&) const {
      for (int y = b.y * kRows; y < smaller(b.y * kRows + kRows, in.height); ++y) {
        T* o = out.row(y);
        const auto outermost = [&](int x) {
          const Pixel<T, 3> p = pixel(Source<T, 1>{in}, x, y);
          for (int c = 0; c < 3; ++c) o[std::ptrdiff_t(x) * 3 + c] = p[c];
        };
        if (y == 0 || y == in.height - 1) {
          for (int x = 0; x < in.width; ++x) outermost(x);
          continue;
        }
        outermost(0);
        for (int x = 1; x < in.width - 1; x += kRun) {
          const int n = smaller(kRun, in.width - 1 - x);
          inner_run(in.row(y - 1) + x, in.row(y) + x, in.row(y + 1) + x, n, (x & 1) == pixel.red_x,
                    (y & 1) == pixel.red_y, o + std::ptrdiff_t(x) * 3);
        }
        outermost(in.width - 1);
      }
    }

   private:
    /// `red_first`: the first pixel is in a column with red ones.
    ZP_HD static void inner_run(const T* north, const T* here, const T* south, int n, bool red_first, bool red_row,
                                T* out) {
      // In a row with red pixels the others are green, and beside a green one lies red; else blue.
      T along[kRun], green[kRun], across[kRun];
      const int own_first = red_first == red_row ? 0 : 1;  // parity of the pixels that are not green
#pragma GCC ivdep
      for (int i = 0; i < n; ++i) {
        const float w = float(here[i - 1]), e = float(here[i + 1]), u = float(north[i]), d = float(south[i]);
        const float own = float(here[i]), sides = w + e, above = u + d;
        const float corners = (float(north[i - 1]) + float(north[i + 1])) + (float(south[i - 1]) + float(south[i + 1]));
        const int is_green = (i ^ own_first) & 1;
        const float a = is_green != 0 ? sides * 0.5f : own, g = is_green != 0 ? own : (sides + above) * 0.25f,
                    c = is_green != 0 ? above * 0.5f : corners * 0.25f;
        along[i] = to_sample<T>(a);
        green[i] = to_sample<T>(g);
        across[i] = to_sample<T>(c);
      }
      const T* red = red_row ? along : across;
      const T* blue = red_row ? across : along;
      for (int i = 0; i < n; ++i) {
        out[3 * i] = red[i];
        out[3 * i + 1] = green[i];
        out[3 * i + 2] = blue[i];
      }
    }
  };

  struct Malvar {
    static constexpr int channels = 1;
    int red_x, red_y;
    template <class Source>
    ZP_HD auto operator()(const Source& in, int x, int y) const {
      using T = typename Source::Sample;
      const T own = in.at(x, y)[0];
      const float w = read(in, x - 1, y), e = read(in, x + 1, y), n = read(in, x, y - 1), s = read(in, x, y + 1);
      const float ww = read(in, x - 2, y), ee = read(in, x + 2, y), nn = read(in, x, y - 2), ss = read(in, x, y + 2);
      const float corners =
          (read(in, x - 1, y - 1) + read(in, x + 1, y - 1)) + (read(in, x - 1, y + 1) + read(in, x + 1, y + 1));
      const float c = float(own), sides = w + e, above = n + s, far_sides = ww + ee, far_above = nn + ss;
      const float cross = ((4.0f * c + 2.0f * (sides + above)) - (far_sides + far_above)) * 0.125f;
      const float along = ((((5.0f * c + 4.0f * sides) - corners) - far_sides) + 0.5f * far_above) * 0.125f;
      const float across = ((((5.0f * c + 4.0f * above) - corners) - far_above) + 0.5f * far_sides) * 0.125f;
      const float diagonal = ((6.0f * c + 2.0f * corners) - 1.5f * (far_sides + far_above)) * 0.125f;
      return colors(own, to_sample<T>(along), to_sample<T>(across), to_sample<T>(diagonal), to_sample<T>(cross),
                    (x & 1) == red_x, (y & 1) == red_y);
    }
    template <class Source>
    ZP_HD static float read(const Source& in, int x, int y) {
      return float(
          in.at(border_index(x, in.width(), Border::reflect101), border_index(y, in.height(), Border::reflect101))[0]);
    }
  };

  /// Which estimate serves which colour, by the parities.
  template <class T>
  ZP_HD static Pixel<T, 3> colors(T own, T sides, T above, T corners, T cross, bool red_column, bool red_row) {
    const bool green = red_column != red_row;
    const T red = green ? (red_row ? sides : above) : (red_row ? own : corners);
    const T blue = green ? (red_row ? above : sides) : (red_row ? corners : own);
    return {{red, green ? own : cross, blue}};
  }

  int halo(const PlaneShape&) const { return 2; }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    const int red_x = pattern == Pattern::bggr || pattern == Pattern::grbg,
              red_y = pattern == Pattern::bggr || pattern == Pattern::gbrg;
    if (method == Method::bilinear) {
      if constexpr (Exec::name == "cpu") {
        using Rows = BilinearRows<In>;
        exec.tiles(Rows{operands.output<In>(), operands.input<In>(), {red_x, red_y}}, 1,
                   (operands.in[0].shape.height - 1) / Rows::kRows + 1);
      } else {
        exec.gather(Bilinear{red_x, red_y}, operands.output<Out>(), operands.input<In>());
      }
    } else {
      exec.gather(Malvar{red_x, red_y}, operands.output<Out>(), operands.input<In>());
    }
  }
};

}  // namespace zp

#endif
ZP_OP(Demosaic)
