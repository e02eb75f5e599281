// Images as the input of a network.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_LAYOUT_TO_TENSOR_H
#define ZP_OPS_LAYOUT_TO_TENSOR_H

#include "core/op.h"
#include "ops/layout/half.h"
#include "ops/layout/selected_channels.h"

namespace zp {

namespace detail_to_tensor {

/// A part of a row, one channel after the other; channel 0 is done in phase 0, so that each loop has one source, one
/// destination and constants.
template <class T, class U, bool kPlanar>
struct Body {
  static constexpr int threads = 512, phases = 4;
  struct Shared {};
  View<const T> in;
  View<U> out;
  int index[4];
  float scale, mean[4], deviation[4];
  int count;
  static constexpr std::tuple pointers{&Body::in, &Body::out};

  template <int P>
  ZP_HD void phase(Block2 block, Shared&) const {
    const std::int64_t x = std::int64_t(block.x) * threads + block.thread;
    if (P >= count || x >= in.width) return;
    const float v = static_cast<float>(in.row(block.y)[x * in.channels + index[P]]);
    const float result = (v * scale - mean[P]) / deviation[P];
    U* to = kPlanar ? out.row(P * in.height + block.y) + x : out.row(block.y) + x * count + P;
    if constexpr (std::is_same_v<U, float>)
      *to = result;
    else
      *to = half_of(result);
  }
};

}  // namespace detail_to_tensor

/// 1 to 16 images of one size, format and channel count as a batch: one plane, whose bytes are the tensor, in one pass.
/// Sample v of channel c becomes (v * scale - mean[c]) / deviation[c], three operations in f32. Channel c of the tensor
/// is channel order[c] of the images. mean and deviation have one number for all channels of the tensor, or one for
/// each.
///
///   layout nchw   one channel, width x (images * channels * height): image by image, channel by channel, row by row
///   layout nhwc   the tensor's channels, width x (images * height)
///   format f16    a plane of u16 that holds the bits of IEEE 754 binary16, half to even, overflow to infinity; a NaN
///   is
///                 0x7e00
///
/// scale, where not given, is 1 / white of the images' format, in f32: 0..1. A larger batch is made by several calls
/// into rectangles of one plane.
struct ToTensor {
  using Shape = Composite;
  static constexpr int kImages = 16;
  static constexpr Info info{
      .name = "to_tensor",
      .family = "layout",
      .summary = "images as the input of a network",
      .max_inputs = kImages,
      .output = Output::any,
      .opencv = "layout=nchw: as dnn::blobFromImages, which takes v - mean first and then multiplies by scale",
      .scikit_image = "numpy: (image * scale - mean) / deviation, transpose",
      .npp = "several calls: Convert, MulC, SubC, DivC, Copy to planes"};
  static constexpr std::string_view input_names[] = {"image",   "image2",  "image3",  "image4",  "image5",  "image6",
                                                     "image7",  "image8",  "image9",  "image10", "image11", "image12",
                                                     "image13", "image14", "image15", "image16"};
  enum class Layout : int { nchw, nhwc };
  static constexpr std::string_view kLayouts[] = {"nchw", "nhwc"};
  enum class Number : int { f32, f16 };
  static constexpr std::string_view kNumbers[] = {"f32", "f16"};
  Layout layout = Layout::nchw;
  Number format = Number::f32;
  float scale = kAutomatic;
  std::vector<float> mean = {0};
  std::vector<float> deviation = {1};
  std::vector<float> order;
  static constexpr std::tuple parameters{
      parameter("layout", &ToTensor::layout, "order of the tensor's axes", {.choices = kLayouts}),
      parameter("format", &ToTensor::format, "of its numbers", {.choices = kNumbers}),
      parameter("scale", &ToTensor::scale, "factor of the samples, before mean and deviation",
                {.automatic = "1 / white of the format"}),
      parameter("mean", &ToTensor::mean, "subtracted; one number, or one for each channel of the tensor",
                {.unit = "scaled value", .min_count = 1, .max_count = 4}),
      parameter("deviation", &ToTensor::deviation, "divides last; one number, or one for each channel of the tensor",
                {.unit = "scaled value", .min_count = 1, .max_count = 4}),
      parameter("order", &ToTensor::order, "channels of the images, counted from 0, that become the tensor's",
                {.low = 0, .high = 3, .automatic = "as they are", .min_count = 1, .max_count = 4})};
  static constexpr Case cases[] = {
      {"", kAllFormats, 3},
      {"layout=nhwc,format=f16,mean=0.485/0.456/0.406,deviation=0.229/0.224/0.225,order=2/1/0", kAllFormats, 3},
      {"format=f16,scale=1,mean=0.5,order=0/0/0", kAllFormats, 1},
      {"layout=nhwc,scale=0.0039,deviation=0.3,order=3/1", kAllFormats, 4}};

  PlaneShape output(std::span<const PlaneShape> in) const {
    for (std::size_t k = 1; k < in.size(); ++k)
      if (in[k] != in[0])
        refuse(info.name, "input " + std::to_string(k + 1) + " is " + describe(in[k]) + ", but input 1 is " +
                              describe(in[0]) + "; the images of a batch are alike");
    const int count = channels_of(in[0]).count;
    require_count("mean", mean, count);
    require_count("deviation", deviation, count);
    for (const float d : deviation)
      if (d == 0.0f) refuse(info.name, "deviation = 0, allowed any other number");
    const bool planar = layout == Layout::nchw;
    const std::int64_t rows = std::int64_t(in.size()) * in[0].height * (planar ? count : 1);
    if (rows > std::numeric_limits<int>::max())
      refuse(info.name, std::to_string(in.size()) + " images of " + describe(in[0]) + " would be a plane of " +
                            std::to_string(rows) + " rows, allowed up to " +
                            std::to_string(std::numeric_limits<int>::max()));
    return {in[0].width, int(rows), planar ? 1 : count, format == Number::f32 ? Format::f32 : Format::u16};
  }

  template <class In, class Out, class Exec>
  void run(Exec& exec, const Operands& operands) const {
    if constexpr (!std::is_same_v<Out, std::uint8_t>) {
      if (layout == Layout::nchw)
        images<In, Out, true>(exec, operands);
      else
        images<In, Out, false>(exec, operands);
    }
  }

 private:
  ChannelOrder channels_of(const PlaneShape& in) const {
    ChannelOrder all;
    all.count = in.channels;
    return order.empty() ? all : channel_order(info.name, order, in);
  }
  static void require_count(std::string_view name, const std::vector<float>& list, int count) {
    if (list.size() > 1 && int(list.size()) != count)
      refuse(info.name, std::string(name) + " has " + std::to_string(list.size()) + " numbers, allowed 1" +
                            (count > 1 ? " or " + std::to_string(count) : std::string()) + " for a tensor of " +
                            std::to_string(count) + (count == 1 ? " channel" : " channels"));
  }

  template <class In, class Out, bool kPlanar, class Exec>
  void images(Exec& exec, const Operands& operands) const {
    using Body = detail_to_tensor::Body<In, Out, kPlanar>;
    const PlaneShape in = operands.in[0].shape;
    if (in.empty()) return;
    const ChannelOrder channels = channels_of(in);
    Body body{};
    body.count = channels.count;
    body.scale = is_automatic(scale) ? 1.0f / float(white_of(in.format)) : scale;
    for (std::size_t c = 0; c < std::size_t(channels.count); ++c) {
      body.index[c] = channels.index[c];
      body.mean[c] = mean[mean.size() > 1 ? c : 0];
      body.deviation[c] = deviation[deviation.size() > 1 ? c : 0];
    }
    const View<Out> out = operands.output<Out>();
    const int rows = in.height * (kPlanar ? channels.count : 1);
    for (std::size_t k = 0; k < operands.in.size(); ++k) {
      body.in = operands.input<In>(k);
      body.out = out.sub(0, int(k) * rows, out.width, rows);
      exec.tiles(body, int((std::int64_t(in.width) + Body::threads - 1) / Body::threads), in.height);
    }
  }
};

}  // namespace zp

#endif
ZP_OP(ToTensor)
