// SPDX-License-Identifier: MIT
// A stage made for the tests of sessions: every op takes x [n] and y [n].
#include "runner/harness.h"

#include <array>
#include <string>

#include "functions.h"

namespace convkit::harness {
namespace {

using Function = void(const float*, float*, int64_t);

template <class Name>
Launch prepare(const Call& call) {
  auto* function = call.entry<Function>(Name::text);
  const float* x = call.input<float>("x");
  float* y = call.output<float>("y");
  const int64_t n = call.integer("n");
  return [=] {
    if (n == 3) note_call(std::string(Name::text) + " was called with 3 elements.");
    function(x, y, n);
  };
}

#define CONVKIT_NAME(name)                     \
  struct Name_##name {                         \
    static constexpr const char* text = #name; \
  };
CONVKIT_TEST_FUNCTIONS(CONVKIT_NAME)
CONVKIT_NAME(nobody_defines_this)

}  // namespace

std::span<const Op> stage_ops() {
#define CONVKIT_OP(name) Op{#name, prepare<Name_##name>},
  static constexpr std::array kOps = {CONVKIT_TEST_FUNCTIONS(CONVKIT_OP)
                                          CONVKIT_OP(nobody_defines_this)};
  return kOps;
}

}  // namespace convkit::harness
