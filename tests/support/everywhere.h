// Runs an operation on every executor and model of this machine and insists on equal bits.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_SUPPORT_EVERYWHERE_H
#define ZP_TESTS_SUPPORT_EVERYWHERE_H

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "zeroplane/apply.h"
#include "zeroplane/hash.h"
#include "zeroplane/image.h"
#include "zeroplane/memory.h"

namespace zp::test {

struct Place {
  std::string device, model;
  Executor executor;
  std::string text() const {
    return device + (model.empty() ? "" : " as " + model) + " " + std::string(name_of(executor));
  }
};

inline bool has_gpu() {
  static const bool found = [] {
    try {
      initialize({.device = "cuda"});
    } catch (const Error&) {
      initialize({.device = "none"});
      return false;
    }
    initialize({.device = "none"});
    return true;
  }();
  return found;
}

/// The CPU first: what the others must equal.
inline std::vector<Place> places() {
  std::vector<Place> all{{"none", "", Executor::cpu},
                         {"simulated:unified", "", Executor::simulated},
                         {"simulated:discrete", "", Executor::simulated},
                         {"simulated:coherent", "", Executor::simulated}};
  if (has_gpu()) {
    all.push_back({"cuda", "discrete", Executor::cuda});
    all.push_back({"cuda", "unified", Executor::cuda});
  }
  return all;
}

/// Makes the place current; back to the plain CPU at the end.
class At {
 public:
  explicit At(const Place& place) : scope_(place.executor) {
    initialize({.device = place.device, .memory_model = place.model});
  }
  ~At() { initialize({.device = "none"}); }

 private:
  ExecutorScope scope_;
};

template <class T>
Image image_of(int width, int height, int channels, const std::vector<T>& samples) {
  Image image(format_of<T>, width, height, channels);
  EXPECT_EQ(samples.size(), image.shape().samples());
  if (!samples.empty()) std::memcpy(image.data(), samples.data(), samples.size() * sizeof(T));
  return image;
}
template <class T>
Image row_of(const std::vector<T>& samples) {
  return image_of<T>(int(samples.size()), 1, 1, samples);
}

template <class T>
std::vector<T> samples_of(const Image& image) {
  EXPECT_EQ(image.format(), format_of<T>);
  const auto* p = static_cast<const T*>(image.data());
  return image.empty() ? std::vector<T>{} : std::vector<T>(p, p + image.shape().samples());
}

/// Deterministic noise: u8 and u16 over their whole range, f32 in [-0.25, 1.25).
inline Image noise(const PlaneShape& shape, unsigned seed = 1) {
  Image image(shape);
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < shape.samples(); ++i) {
    const unsigned r = random();
    switch (shape.format) {
      case Format::u8:
        static_cast<std::uint8_t*>(image.data())[i] = std::uint8_t(r >> 24);
        break;
      case Format::u16:
        static_cast<std::uint16_t*>(image.data())[i] = std::uint16_t(r >> 16);
        break;
      case Format::f32:
        static_cast<float*>(image.data())[i] = float(r >> 8) / 16777216.0f * 1.5f - 0.25f;
        break;
      case Format::u32:
        static_cast<std::uint32_t*>(image.data())[i] = r;
        break;
    }
  }
  return image;
}

/// Every level of an integer format, in a square.
template <class T>
Image every_level() {
  std::vector<T> all(std::size_t(1) << (8 * sizeof(T)));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = T(v);
  return image_of(sizeof(T) == 1 ? 16 : 256, sizeof(T) == 1 ? 16 : 256, 1, all);
}

/// The message with which the operation refuses its inputs; "no error" if it does not.
template <class Op, class... Images>
std::string refusal(const Op& op, const Images&... inputs) {
  try {
    apply(op, inputs...);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The image that the operation makes, equal on every executor.
template <class Op>
Image everywhere(const Op& op, std::span<const Image* const> inputs) {
  Image expected;
  for (const Place& place : places()) {
    const At at(place);
    std::vector<Image> copies;  // in the memory of this model
    for (const Image* in : inputs) copies.push_back(in->clone());
    const std::vector<ConstPlaneView> views(copies.begin(), copies.end());
    Image out = apply(op, std::span<const ConstPlaneView>(views));
    if (place.executor == Executor::cpu)
      expected = std::move(out);
    else
      EXPECT_EQ(hash_text(hash(out.view())), hash_text(hash(expected.view())))
          << Op::info.name << " on " << place.text();
  }
  return expected;
}
template <class Op>
Image everywhere(const Op& op, std::initializer_list<const Image*> inputs) {
  return everywhere(op, std::span<const Image* const>(inputs.begin(), inputs.size()));
}
template <class Op>
Image everywhere(const Op& op, const std::vector<Image>& inputs) {
  std::vector<const Image*> pointers;
  for (const Image& in : inputs) pointers.push_back(&in);
  return everywhere(op, std::span<const Image* const>(pointers));
}
template <class Op>
Image everywhere(const Op& op, const Image& input) {
  return everywhere(op, {&input});
}

/// The values that the operation finds; `check` sees those of each executor.
template <class Op>
void values_everywhere(const Op& op, const Image& input, const std::function<void(const ResultOf<Op>&)>& check) {
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    const Image copy = input.clone();
    if constexpr (detail::makes_image<Op>) {
      const ConstPlaneView view = copy.view();
      Image out(detail::output_of(detail::row_of<Op>(), &op, std::span(&view, 1)));
      check(apply(op, {view}, out.view()));
    } else {
      check(apply(op, copy));
    }
  }
}

}  // namespace zp::test

#endif
