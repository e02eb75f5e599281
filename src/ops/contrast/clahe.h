// Contrast-limited adaptive histogram equalization.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_CONTRAST_CLAHE_H
#define ZP_OPS_CONTRAST_CLAHE_H

#include "core/op.h"
#include "ops/contrast/histograms.h"

namespace zp {

namespace detail_clahe {

/// The level, 0..Bins - 1, of channel `table` of a pixel, or of the largest of the first three (`value`).
template <int Bins>
struct LevelBin {
  bool value;
  template <class T>
  static ZP_HD int of(T v) {
    if constexpr (std::is_same_v<T, float>)
      return of<std::uint16_t>(to_sample<std::uint16_t>(v * 65535.0f));
    else if constexpr (sizeof(T) == 2 && Bins == 256)
      return v >> 8;
    else
      return v;
  }
  template <class T>
  static ZP_HD T largest(const T* p) {
    return larger(larger(p[0], p[1]), p[2]);
  }
  template <class T>
  ZP_HD int operator()(const T* pixel, int table) const {
    return of(value ? largest(pixel) : pixel[table]);
  }
};

/// The table of a region from its counters: clipped, the excess spread over all bins, accumulated. Level is the table's
/// own unit: u8, or u16 (also for f32).
template <class Level, int Bins>
struct MakeTable {
  const std::uint32_t* counts;
  Level* table;
  std::uint32_t limit;  ///< of a bin; 0: none
  float scale;          ///< white / pixels of a region
  static constexpr std::tuple pointers{&MakeTable::counts, &MakeTable::table};

  static constexpr int threads = histograms::kTableThreads<Bins>, steps = histograms::kTableSteps<Bins>;
  static constexpr int each = Bins / threads, phases = steps + 4;
  struct Shared {
    std::uint32_t sum[2][threads];
    std::uint32_t excess;
  };

  ZP_HD std::uint32_t clipped(std::uint32_t count, int bin, std::uint32_t excess) const {
    if (limit == 0) return count;
    const std::uint32_t all = excess / Bins, rest = excess % Bins;
    count = smaller(count, limit) + all;
    if (rest) {  // one more for every step-th bin, from the first
      const std::uint32_t step = std::uint32_t(Bins) / rest;
      if (std::uint32_t(bin) % step == 0 && std::uint32_t(bin) / step < rest) ++count;
    }
    return count;
  }

  template <int P>
  ZP_HD void phase(Block2 b, Shared& s) const {
    const int first = b.thread * each;
    const std::uint32_t* h = counts + std::ptrdiff_t(b.x) * Bins + first;
    if constexpr (P == 0) {
      if (b.thread == 0) s.excess = 0;
    } else if constexpr (P == 1) {
      std::uint32_t excess = 0;
      if (limit)
        for (int k = 0; k < each; ++k) excess += h[k] > limit ? h[k] - limit : 0;
      if (excess) atomic_add_shared(&s.excess, excess);
    } else if constexpr (P == 2) {
      std::uint32_t sum = 0;
      for (int k = 0; k < each; ++k) sum += clipped(h[k], first + k, s.excess);
      s.sum[0][b.thread] = sum;
    } else if constexpr (P < 3 + steps) {
      histograms::scan_step<P - 3>(s.sum, b.thread);
    } else {
      std::uint32_t sum = b.thread ? s.sum[0][b.thread - 1] : 0;
      Level* to = table + std::ptrdiff_t(b.x) * Bins + first;
      for (int k = 0; k < each; ++k) {
        sum += clipped(h[k], first + k, s.excess);
        to[k] = to_sample<Level>(float(sum) * scale);
      }
    }
  }
};

/// Each sample through the tables of the four nearest regions, blended by the distances to their centres.
template <class T, class Level, int Bins>
struct Blend {
  const Level* table;
  Extent regions;
  float across, down;  ///< 1 / width and 1 / height of a region
  int tables;
  bool value;
  static constexpr std::tuple pointers{&Blend::table};

  struct Place {
    int first, second;
    float near, far;  ///< weights of the first and of the second
  };
  static ZP_HD Place place(int x, float inverse, int count) {
    const float t = float(x) * inverse - 0.5f;
    const int whole = int(t), k = float(whole) > t ? whole - 1 : whole;
    const float far = t - float(k);
    return {larger(k, 0), smaller(k + 1, count - 1), 1.0f - far, far};
  }
  ZP_HD float look(int i, int j, int c, int bin) const {
    return float(table[((std::ptrdiff_t(j) * regions.width + i) * tables + c) * Bins + bin]);
  }
  ZP_HD float blended(const Place& h, const Place& v, int c, int bin) const {
    const float top = look(h.first, v.first, c, bin) * h.near + look(h.second, v.first, c, bin) * h.far;
    const float bottom = look(h.first, v.second, c, bin) * h.near + look(h.second, v.second, c, bin) * h.far;
    return top * v.near + bottom * v.far;
  }
  ZP_HD T sample(const Place& h, const Place& v, int c, T from) const {
    const float level = blended(h, v, c, LevelBin<Bins>::of(from));
    if constexpr (std::is_same_v<T, float>)
      return from != from ? from : level / 65535.0f;
    else
      return to_sample<T>(level);
  }

  template <class Source>
  ZP_HD Pixel<T, Source::channels> operator()(const Source& in, int x, int y) const {
    constexpr int n = Source::channels;
    Pixel<T, n> p = in.at(x, y);
    const Place h = place(x, across, regions.width), v = place(y, down, regions.height);
    if constexpr (n >= 3) {
      if (value) {
        const T from = LevelBin<Bins>::largest(p.v), to = sample(h, v, 0, from);
        for (int c = 0; c < 3; ++c) {
          const float scaled = float(p[c]) * float(to) / float(from);
          p[c] = p[c] == from || !(float(from) > 0.0f) ? to : to_sample<T>(scaled);
        }
        return p;
      }
    }
    for (int c = 0; c < n; ++c) p[c] = sample(h, v, c, p[c]);
    return p;
  }
};

}  // namespace detail_clahe

/// Zuiderveld's contrast-limited adaptive histogram equalization (Graphics Gems IV, 1994) as OpenCV computes it.
///
/// The image is divided into `tiles` regions; where a side does not divide, both sides are extended at the right and
/// the bottom by reflect101 (by tiles - size % tiles, also the side that does divide). Each region's histogram is
/// clipped at max(1, trunc(clip_factor * region pixels / bins)), or at max(1, trunc(clip_fraction * region pixels)) if
/// that is given; what is cut off goes to all bins equally, the rest of it to every (bins / rest)-th bin from the
/// first. A level maps to round(pixels up to it * white / region pixels); a pixel blends the maps of the four nearest
/// regions bilinearly, in f32. A clip of 0 clips nothing. One region and no clip is plain equalization, but black may
/// stay above 0.
///
/// f32 goes through the 65536 levels of [0, 1] (NaN and what is below 0 as 0, above 1 as 1) and is not rounded to them
/// afterwards; a NaN pixel stays NaN. u16 and f32 with bins=256 take a level's high byte for the histogram and the map.
/// on=channels treats every channel, also a fourth, as an image of its own. on=value treats V = max(red, green, blue)
/// as the image and scales red, green and blue by V' / V, which keeps hue and saturation without rounding them (black
/// becomes grey V'); a fourth channel is kept.
struct Clahe {
  using Shape = Composite;
  static constexpr Info info{
      .name = "clahe",
      .family = "contrast",
      .summary = "local contrast with a limit (CLAHE)",
      .opencv = "same as createCLAHE(clip_factor, tiles), u8 and u16; f32 and channels too",
      .scikit_image = "differs: equalize_adapthist has other borders and spreads the excess repeatedly",
      .npp = "differs: none for u16"};
  enum class On : int { channels, value };
  static constexpr std::string_view kOn[] = {"channels", "value"};

  Extent tiles{8, 8};
  float clip_factor = 40;
  float clip_fraction = kAutomatic;
  int bins = 0;
  On on = On::channels;
  static constexpr std::tuple parameters{
      parameter("tiles", &Clahe::tiles, "regions across and down", {.low = 1, .high = 1024}),
      parameter("clip_factor", &Clahe::clip_factor, "limit of a bin in multiples of the mean bin, 0 for none",
                {.low = 0}),
      parameter("clip_fraction", &Clahe::clip_fraction, "limit of a bin as a share of the region's pixels, 0 for none",
                {.low = 0, .high = 1, .automatic = "clip_factor counts"}),
      parameter("bins", &Clahe::bins, "levels of the histograms: 256 or 65536",
                {.low = 0, .high = 65536, .automatic = "0: 256 for u8, 65536 for u16 and f32"}),
      parameter("on", &Clahe::on, "every channel, or the V of HSV", {.choices = kOn})};
  static constexpr Case cases[] = {{""},
                                   {"clip_factor=2"},
                                   {"tiles=3x5,clip_factor=4"},
                                   {"tiles=1x1,clip_factor=0"},
                                   {"clip_fraction=0.01"},
                                   {"bins=256", bit(Format::u16) | bit(Format::f32)},
                                   {"clip_factor=3", kAnyFormat, 3},
                                   {"clip_factor=3,on=value", kAnyFormat, 3},
                                   {"on=value,tiles=2x2", kAnyFormat, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (bins != 0 && bins != 256 && bins != 65536)
      refuse(info.name, "bins = " + std::to_string(bins) + ", allowed 256, 65536, or 0 for automatic");
    if (bins == 65536 && in[0].format == Format::u8) refuse(info.name, "bins = 65536, allowed 256 for u8");
    if (on == On::value && in[0].channels < 3)
      refuse(info.name, "on = value takes 3 or 4 channels, the image is " + describe(in[0]));
    const Extent r = region(in[0]);
    if (std::uint64_t(r.width) * std::uint64_t(r.height) > 0xffffffffu)
      refuse(info.name, "tiles = " + std::to_string(tiles.width) + "x" + std::to_string(tiles.height) +
                            " gives regions of more than 4294967295 pixels");
    return in[0];
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    if constexpr (sizeof(In) == 1) {
      run_bins<In, std::uint8_t, 256>(exec, operands);
    } else {
      if (bins == 256)
        run_bins<In, std::uint16_t, 256>(exec, operands);
      else
        run_bins<In, std::uint16_t, 65536>(exec, operands);
    }
  }

 private:
  Extent region(const PlaneShape& s) const {
    std::int64_t width = s.width, height = s.height;
    if (width % tiles.width != 0 || height % tiles.height != 0) {
      width += tiles.width - width % tiles.width;
      height += tiles.height - height % tiles.height;
    }
    return {int(width / tiles.width), int(height / tiles.height)};
  }

  template <class In, class Level, int Bins, class Exec>
  void run_bins(Exec& exec, const Operands& operands) const {
    using namespace detail_clahe;
    const View<const In> in = operands.input<In>();
    const bool value = on == On::value;
    const int tables = value ? 1 : in.channels;
    const Extent size = region(operands.in[0].shape);
    const std::int64_t pixels = std::int64_t(size.width) * size.height;
    const double clip = is_automatic(clip_fraction) ? double(clip_factor) * double(pixels) / double(Bins)
                                                    : double(clip_fraction) * double(pixels);
    // A limit that no bin can reach clips nothing.
    const std::uint32_t limit = clip > 0.0 && clip < double(pixels) ? larger(std::uint32_t(clip), 1u) : 0u;
    const std::uint32_t* counts =
        histograms::count<Bins, std::uint32_t>(exec, in, LevelBin<Bins>{value}, tables, tiles, size);
    const int all = tiles.width * tiles.height * tables;
    Level* table = exec.template scratch<Level>(std::size_t(all) * Bins);
    const float scale = float(white_of(format_of<Level>)) / float(pixels);
    exec.tiles(MakeTable<Level, Bins>{counts, table, limit, scale}, all, 1);
    exec.gather(detail_clahe::Blend<In, Level, Bins>{table, tiles, 1.0f / float(size.width), 1.0f / float(size.height),
                                                     tables, value},
                operands.output<In>(), in);
  }
};

}  // namespace zp

#endif
ZP_OP(Clahe)
