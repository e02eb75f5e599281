// Packed 10, 12 and 14 bit samples as u16.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_UNPACK_H
#define ZP_OPS_LAYOUT_UNPACK_H

#include "core/op.h"

namespace zp {

/// Bytes that hold samples of `bits` bits, as u16 of the same numbers. The input has one channel of u8, and its width
/// is the number of bytes of a row; every row starts on a byte.
///
///   msb    one stream of bits, the highest bit of a sample first (TIFF with FillOrder 1)
///   mipi   RAW10, RAW12, RAW14 of MIPI CSI-2: groups of 4, 2, 4 samples; one byte each with the highest 8 bits, then
///          the low bits of the group as one number, lowest byte and first sample lowest
///
/// `width` samples of each row are read; what follows them is ignored, also the rest of a mipi group. Not given, it is
/// as many samples as the bytes of a row hold (mipi: whole groups). A row with fewer bytes is an error.
struct Unpack {
  using Shape = Gather;
  static constexpr Info info{.name = "unpack",
                             .family = "layout",
                             .summary = "packed 10, 12, 14 bit samples to u16",
                             .formats = bit(Format::u8),
                             .channels = kOneChannel,
                             .output = Output::any};
  enum class Order : int { msb, mipi };
  static constexpr std::string_view kOrders[] = {"msb", "mipi"};
  int bits = 12;
  Order order = Order::msb;
  int width = 0;
  static constexpr std::tuple parameters{
      parameter("bits", &Unpack::bits, "of a sample: 10, 12 or 14", {.low = 10, .high = 14, .unit = "bits"}),
      parameter("order", &Unpack::order, "how the bits lie in the bytes", {.choices = kOrders}),
      parameter("width", &Unpack::width, "of the result, or 0",
                {.low = 0,
                 .high = std::numeric_limits<int>::max(),
                 .unit = "pixels",
                 .automatic = "as many samples as the bytes of a row hold"})};
  static constexpr Case cases[] = {
      {"bits=12"}, {"bits=10,order=mipi"},       {"bits=12,order=mipi"}, {"bits=14,order=mipi"},
      {"bits=14"}, {"bits=10,order=msb,width=3"}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    if (bits % 2 != 0) refuse(info.name, "bits = " + std::to_string(bits) + ", allowed 10, 12 or 14");
    const std::int64_t bytes = in[0].width;
    const std::int64_t held = order == Order::msb ? bytes * 8 / bits : bytes / group_bytes() * group_samples();
    const std::int64_t needed = order == Order::msb
                                    ? (width * std::int64_t(bits) + 7) / 8
                                    : (std::int64_t(width) + group_samples() - 1) / group_samples() * group_bytes();
    if (needed > bytes)
      refuse(info.name, "width = " + std::to_string(width) + " needs rows of " + std::to_string(needed) +
                            " bytes, but the image has " + std::to_string(bytes) + ", allowed 0 to " +
                            std::to_string(held));
    return {width > 0 ? width : int(held), in[0].height, 1, Format::u16};
  }

  struct Msb {
    static constexpr int channels = 1;
    int bits;
    template <class Source>
    ZP_HD Pixel<std::uint16_t, 1> operator()(const Source& in, int x, int y) const {
      const std::int64_t first = std::int64_t(x) * bits;
      const int byte = static_cast<int>(first >> 3), shift = 24 - bits - static_cast<int>(first & 7);
      // A third byte that does not exist holds none of the sample's bits.
      const int last = byte + 2 < in.width() ? byte + 2 : in.width() - 1;
      const std::uint32_t three = std::uint32_t(in.at(byte, y)[0]) << 16 | std::uint32_t(in.at(byte + 1, y)[0]) << 8 |
                                  std::uint32_t(in.at(last, y)[0]);
      return {{static_cast<std::uint16_t>(three >> shift & ((1u << bits) - 1u))}};
    }
  };

  struct Mipi {
    static constexpr int channels = 1;
    int samples, low_bits;  ///< of a group; of a sample
    template <class Source>
    ZP_HD Pixel<std::uint16_t, 1> operator()(const Source& in, int x, int y) const {
      const int group = x / samples, k = x - group * samples, low_bytes = samples * low_bits / 8;
      const int start = group * (samples + low_bytes);
      std::uint32_t low = 0;
      for (int b = 0; b < low_bytes; ++b) low |= std::uint32_t(in.at(start + samples + b, y)[0]) << (8 * b);
      const std::uint32_t high = std::uint32_t(in.at(start + k, y)[0]) << low_bits;
      return {{static_cast<std::uint16_t>(high | (low >> (k * low_bits) & ((1u << low_bits) - 1u)))}};
    }
  };

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    if constexpr (std::is_same_v<Out, std::uint16_t>) {
      if (order == Order::msb)
        exec.gather(Msb{bits}, operands.output<Out>(), operands.input<In>());
      else
        exec.gather(Mipi{group_samples(), bits - 8}, operands.output<Out>(), operands.input<In>());
    }
  }

 private:
  int group_samples() const { return bits == 12 ? 2 : 4; }
  int group_bytes() const { return group_samples() * bits / 8; }
};

}  // namespace zp

#endif
ZP_OP(Unpack)
