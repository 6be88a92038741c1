// SPDX-License-Identifier: MIT
// What the cases of a function show only together: which sizes fail, and whether a case fails for
// itself or for what an earlier call has left.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grade/case.h"
#include "report/result.h"

namespace convkit {

// A parameter of a case; `otherwise` where the case has none of that name.
int64_t size_in(const Params& params, const std::string& name, int64_t otherwise);

// The windows along one axis of an image, 'h' or 'w'.
struct Windows {
  int64_t pad, stride, dilation, kernel, extent, outputs;
  bool reach(int64_t place) const;  // whether one has an element there; below 0 in the padding
  int64_t last() const { return (outputs - 1) * stride - pad + (kernel - 1) * dilation; }
};
// Nothing where the cases have no such sizes.
std::optional<Windows> windows_of(const Params& params, char axis);

// "kh differs from kw": the plainest condition on the parameters that all of `failed` meet and none
// of `passed`. Empty where there is none, where too many tell them apart, or where there are too
// few cases for it to mean anything.
std::string condition_of_failure(std::span<const Params* const> failed,
                                 std::span<const Params* const> passed);

// For each function whose first failing visible case has no known cause: runs that case alone, and
// says in its message what is found. `run_alone` runs the first `trials` trials of a case in a new
// process; `cases` and `results` have the same order.
using RunAlone = std::function<CaseResult(Case&, unsigned trials)>;
void look_across_cases(std::span<const std::unique_ptr<Case>> cases, std::span<CaseResult> results,
                       const RunAlone& run_alone);

}  // namespace convkit
