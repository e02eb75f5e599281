// Image: an owning plane over a block of the host pool.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/image.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "memory/pools.h"
#include "memory/residents.h"
#include "zeroplane/error.h"

namespace zp {

namespace {

std::string in_words(const PlaneShape& shape) {
  return std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " + std::to_string(shape.channels) +
         " " + std::string(name_of(shape.format));
}

void require_legal(const PlaneShape& shape) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::invalid_argument, "image of " + in_words(shape) + ": " + why);
  };
  if (shape.width < 0) refuse("width must be 0 or more");
  if (shape.height < 0) refuse("height must be 0 or more");
  if (shape.channels < 1 || shape.channels > 4) refuse("channels must be 1 to 4");
  if (shape.empty()) return;
  constexpr auto most = std::uint64_t(std::numeric_limits<std::int64_t>::max());
  if (std::uint64_t(shape.row_bytes()) > most / std::uint64_t(shape.height))
    refuse("the size in bytes does not fit in 63 bits");
}

}  // namespace

Image::Image() = default;

Image::Image(const PlaneShape& shape) {
  require_legal(shape);
  if (!shape.empty()) {
    block_ = memory::borrow_host(shape.row_bytes() * std::size_t(shape.height));
    data_ = block_->data();
  }
  shape_ = shape;
}

Image::Image(Image&& other) noexcept
    : shape_(std::exchange(other.shape_, {})),
      data_(std::exchange(other.data_, nullptr)),
      block_(std::move(other.block_)) {}

Image& Image::operator=(Image&& other) noexcept {
  if (this == &other) return *this;
  shape_ = std::exchange(other.shape_, {});
  data_ = std::exchange(other.data_, nullptr);
  block_ = std::move(other.block_);
  return *this;
}

Image::~Image() = default;

void* Image::host() {
  memory::host_writes(view());
  return data_;
}

const void* Image::host() const {
  memory::host_reads(view());
  return data_;
}

Image Image::clone() const {
  Image copy(shape_);
  memory::host_reads(view());
  if (!empty()) std::memcpy(copy.data_, data_, bytes());
  return copy;
}

void Image::require_format(Format format) const {
  if (format == shape_.format) return;
  throw Error(ErrorKind::invalid_argument,
              "image of " + in_words(shape_) + " asked for as " + std::string(name_of(format)));
}

}  // namespace zp
