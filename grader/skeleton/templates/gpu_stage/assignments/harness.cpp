// SPDX-License-Identifier: MIT
// Stage @NUMBER@: how a case becomes a call of the submission's function. Its tensors are on the
// device already, so that what is timed is the kernel.
#include "runner/harness.h"

#include "runner/device.h"
#include "scale_shift.h"

namespace convkit::harness {
namespace {

Launch scaled_and_shifted(const Call& call) {
  return [function = call.entry<decltype(scale_shift)>("scale_shift"),
          x = call.device_input<float>("x"), y = call.device_output<float>("y"),
          size = call.integer("size"), scale = static_cast<float>(call.real("scale")),
          shift = static_cast<float>(call.real("shift")), stream = call.stream()] {
    check_cuda(function(x, y, size, scale, shift, stream), "scale_shift");
  };
}

constexpr Op kOps[] = {{"scale_shift", scaled_and_shifted}};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
