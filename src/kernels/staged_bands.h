// Staging in row bands: copies in, kernels and copies out of neighbouring bands run at the same time.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_KERNELS_STAGED_BANDS_H
#define ZP_KERNELS_STAGED_BANDS_H

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "exec/workspace.h"
#include "memory/context.h"
#include "zeroplane/apply.h"

namespace zp::kernels {

/// Runs the operation over some rows, whose planes are on the device.
using Launch = std::function<void(std::span<const ConstPlaneView> in, const PlaneView& out, exec::Workspace&)>;

/// A call whose output row depends on the input rows at most `halo` away, with borders at the image's edges.
struct BandedCall {
  std::string_view operation;
  int halo = 0;
  Reuse reuse = Reuse::once;
  std::span<const ConstPlaneView> in;
  PlaneView out;
};

/// Done when it returns true. False, and nothing happened, where bands do not help: another model than discrete, inside
/// a Sequence or under NoStaging, planes that are small, on the device already or in use by a view, or of other heights
/// than the output. Throws what launch() and the runtime throw; nothing is queued any more then.
bool run_in_staged_bands(const memory::Context& context, const BandedCall& call, const Launch& launch,
                         std::vector<RunReport::Operand>& operands);

/// For tests: planes of this many bytes and more go in bands, in as many as `rows` make; 0 as the decision table says.
void set_staged_bands(std::size_t bytes, int rows) noexcept;

}  // namespace zp::kernels

#endif
