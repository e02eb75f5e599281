// Checks and messages that operations share.
// SPDX-License-Identifier: Apache-2.0
#include "core/op.h"

namespace zp {

void refuse(std::string_view operation, const std::string& what) {
  throw Error(ErrorKind::invalid_argument, std::string(operation) + ": " + what);
}

std::string describe(const PlaneShape& s) {
  std::string text(name_of(s.format));
  text += " " + std::to_string(s.width) + "x" + std::to_string(s.height);
  if (s.channels != 1) text += "x" + std::to_string(s.channels);
  return text;
}

void require_equal_inputs(std::string_view operation, std::span<const PlaneShape> in) {
  for (std::size_t k = 1; k < in.size(); ++k) {
    const PlaneShape &a = in[0], &b = in[k];
    if (b.width != a.width || b.height != a.height || b.format != a.format ||
        (b.channels != a.channels && b.channels != 1))
      refuse(operation, "input " + std::to_string(k + 1) + " is " + describe(b) + ", but input 1 is " + describe(a) +
                            "; size and format must be equal, and channels equal or 1");
  }
}

}  // namespace zp
