// A user's program against the installed library: runs one thing of each installed floor.
// SPDX-License-Identifier: Apache-2.0
#include <zeroplane/error.h>
#include <zeroplane/view.h>

#include <cstdio>
#include <vector>

int main() {
  std::vector<float> pixels(7 * 5);
  zp::View<float> view{pixels.data(), 7, 5};
  view.at(6, 4) = 2.0f;
  const bool right = pixels.back() == 2.0f && zp::name_of(zp::Format::f32) == "f32";
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
