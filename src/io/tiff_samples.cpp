// From samples as a TIFF stores them to samples of a plane: unpacking, widening, palettes, min-is-white.
// SPDX-License-Identifier: Apache-2.0
#include "io/tiff_samples.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace zp::io {
namespace {

template <class T>
T load(const std::byte* source) {
  T value;
  std::memcpy(&value, source, sizeof value);
  return value;
}

// Calls write(i, value) with each packed value, most significant bit first.
template <class Write>
void unpack(const std::byte* source, std::size_t count, int bits, Write&& write) {
  std::uint32_t window = 0;
  int held = 0;
  for (std::size_t i = 0; i < count; ++i) {
    while (held < bits) {
      window = window << 8 | std::to_integer<std::uint32_t>(*source++);
      held += 8;
    }
    held -= bits;
    write(i, window >> held & ((1u << bits) - 1));
  }
}

// Calls write(i, value) with each unsigned value of 1 to 16 bits.
template <class Write>
void each_small(const std::byte* source, std::size_t count, int bits, Write&& write) {
  if (bits == 8) {
    for (std::size_t i = 0; i < count; ++i) write(i, std::to_integer<std::uint32_t>(source[i]));
  } else if (bits == 16) {
    for (std::size_t i = 0; i < count; ++i) write(i, std::uint32_t(load<std::uint16_t>(source + 2 * i)));
  } else {
    unpack(source, count, bits, write);
  }
}

template <class T>
void copy(const std::byte* source, std::size_t count, void* target, std::size_t stride) {
  if (stride == 1) {
    std::memcpy(target, source, count * sizeof(T));
    return;
  }
  auto* out = static_cast<T*>(target);
  for (std::size_t i = 0; i < count; ++i) out[i * stride] = load<T>(source + i * sizeof(T));
}

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t(half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 31u;
  const std::uint32_t fraction = half & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = float(fraction) * 0x1p-24f;
  return sign != 0 ? -small : small;
}

// 24-bit values lie in the machine's byte order, as libtiff leaves them.
std::int32_t load_24(const std::byte* source) {
  const auto byte = [&](int i) { return std::to_integer<std::uint32_t>(source[i]); };
  return std::int32_t(std::endian::native == std::endian::little ? byte(0) | byte(1) << 8 | byte(2) << 16
                                                                 : byte(2) | byte(1) << 8 | byte(0) << 16);
}

template <class T>
bool fits_float(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value) || std::isinf(value) ||
           (std::abs(value) <= T(std::numeric_limits<float>::max()) && T(float(value)) == value);
  } else {
    // An exact float has at most 24 bits between its first and last one.
    const std::uint64_t size = value < T(0) ? 0 - std::uint64_t(value) : std::uint64_t(value);
    return size == 0 || std::bit_width(size) - std::countr_zero(size) <= 24;
  }
}

template <std::size_t Bytes, class Load>
bool widen(const std::byte* source, std::size_t count, void* target, std::size_t stride, Load&& load_one) {
  auto* out = static_cast<float*>(target);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = load_one(source + i * Bytes);
    if (!fits_float(value)) return false;
    out[i * stride] = float(value);
  }
  return true;
}

bool to_float(const SampleRule& rule, const std::byte* source, std::size_t count, void* target, std::size_t stride) {
  using Kind = SampleRule::Kind;
  const auto with = [&]<class T>(T) { return widen<sizeof(T)>(source, count, target, stride, load<T>); };
  if (rule.kind == Kind::floating) {
    if (rule.bits == 64) return with(double{});
    return widen<2>(source, count, target, stride,
                    [](const std::byte* at) { return half_to_float(load<std::uint16_t>(at)); });
  }
  if (rule.kind == Kind::signed_integer) {
    switch (rule.bits) {
      case 8:
        return with(std::int8_t{});
      case 16:
        return with(std::int16_t{});
      case 24:
        return widen<3>(source, count, target, stride,
                        [](const std::byte* at) { return (load_24(at) ^ 0x800000) - 0x800000; });
      case 32:
        return with(std::int32_t{});
      default:
        return with(std::int64_t{});
    }
  }
  if (rule.bits == 24) return widen<3>(source, count, target, stride, load_24);
  return with(std::uint64_t{});
}

template <class T>
void look_up(const SampleRule& rule, const std::byte* source, std::size_t count, void* target) {
  auto* out = static_cast<T*>(target);
  const auto channels = std::size_t(rule.palette_channels);
  each_small(source, count, rule.bits, [&](std::size_t i, std::uint32_t index) {
    for (std::size_t c = 0; c < channels; ++c) out[i * channels + c] = T(rule.palette[index * channels + c]);
  });
}

template <class T, class Invert>
void invert_every(void* samples, std::size_t pixels, std::size_t channels, Invert&& invert) {
  auto* at = static_cast<T*>(samples);
  for (std::size_t i = 0; i < pixels; ++i) at[i * channels] = T(invert(at[i * channels]));
}

}  // namespace

bool convert_samples(const SampleRule& rule, const std::byte* source, std::size_t count, void* target,
                     std::size_t stride) {
  if (rule.palette_channels != 0) {
    rule.format == Format::u8 ? look_up<std::uint8_t>(rule, source, count, target)
                              : look_up<std::uint16_t>(rule, source, count, target);
    return true;
  }
  if (rule.direct()) {
    switch (bytes_of(rule.format)) {
      case 1:
        copy<std::uint8_t>(source, count, target, stride);
        break;
      case 2:
        copy<std::uint16_t>(source, count, target, stride);
        break;
      default:
        copy<std::uint32_t>(source, count, target, stride);
        break;
    }
    return true;
  }
  if (rule.format == Format::f32) return to_float(rule, source, count, target, stride);
  if (rule.format == Format::u8) {
    const std::uint32_t factor = rule.scaled ? 255u / ((1u << rule.bits) - 1) : 1u;
    auto* out = static_cast<std::uint8_t*>(target);
    unpack(source, count, rule.bits,
           [&](std::size_t i, std::uint32_t value) { out[i * stride] = std::uint8_t(value * factor); });
  } else {
    auto* out = static_cast<std::uint16_t*>(target);
    unpack(source, count, rule.bits,
           [&](std::size_t i, std::uint32_t value) { out[i * stride] = std::uint16_t(value); });
  }
  return true;
}

void invert_samples(const SampleRule& rule, void* samples, std::size_t pixels, std::size_t channels) {
  switch (rule.format) {
    case Format::u8:
      invert_every<std::uint8_t>(samples, pixels, channels, [](std::uint8_t v) { return 255 - v; });
      break;
    case Format::u16: {
      const int white = (1 << rule.bits) - 1;
      invert_every<std::uint16_t>(samples, pixels, channels, [white](std::uint16_t v) { return white - v; });
      break;
    }
    case Format::u32:
      invert_every<std::uint32_t>(samples, pixels, channels, [](std::uint32_t v) { return ~v; });
      break;
    case Format::f32: {
      // Signed integers of two's complement mirror about -1/2, floats about the middle of 0..1.
      const float sum = rule.kind == SampleRule::Kind::signed_integer ? -1.0f : 1.0f;
      invert_every<float>(samples, pixels, channels, [sum](float v) { return sum - v; });
      break;
    }
  }
}

}  // namespace zp::io
