// SPDX-License-Identifier: MIT
// A GPU stage made for the tests of timing, on the CPU device: every op takes x [n] and y [n] in
// device memory, which the host reaches there.
#include "runner/harness.h"

namespace convkit::harness {
namespace {

Launch prepare(const Call& call, const char* symbol) {
  auto* function = call.entry<void(const float*, float*, int64_t)>(symbol);
  const float* x = call.device_input<float>("x");
  float* y = call.device_output<float>("y");
  const int64_t n = call.integer("n");
  return [=] { function(x, y, n); };
}

#define CONVKIT_OP(name)                                         \
  Op {                                                           \
#name, [](const Call& call) { return prepare(call, #name); } \
  }

constexpr Op kOps[] = {
    CONVKIT_OP(doubles),           CONVKIT_OP(remembers_its_answer),
    CONVKIT_OP(skips_quick_calls), CONVKIT_OP(trusts_the_sentinel),
    CONVKIT_OP(writes_later),      CONVKIT_OP(leaves_out_one_in_fifty),
    CONVKIT_OP(works_ahead),       CONVKIT_OP(crashes),
    CONVKIT_OP(is_slow_at_first),
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
