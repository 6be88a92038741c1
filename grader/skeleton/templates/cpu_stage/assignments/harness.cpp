// SPDX-License-Identifier: MIT
// Stage @NUMBER@: how a case becomes a call of the submission's function.
#include "runner/harness.h"

#include "scale_shift.h"

namespace convkit::harness {
namespace {

Launch scaled_and_shifted(const Call& call) {
  return [function = call.entry<decltype(scale_shift)>("scale_shift"), x = call.input<float>("x"),
          y = call.output<float>("y"), size = call.integer("size"),
          scale = static_cast<float>(call.real("scale")),
          shift = static_cast<float>(call.real("shift"))] { function(x, y, size, scale, shift); };
}

constexpr Op kOps[] = {{"scale_shift", scaled_and_shifted}};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
