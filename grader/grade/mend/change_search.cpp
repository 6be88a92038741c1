// SPDX-License-Identifier: MIT
#include "grade/mend/change_search.h"

#include <algorithm>

namespace convkit {

bool tells_cause(const CaseResult& one) {
  const bool is_known = one.explained && !one.mistake.empty();
  return is_known || one.by_device || !one.explanation.empty();
}

std::string function_untold(std::span<const CaseResult> results) {
  const auto first = std::ranges::find_if(
      results, [](const CaseResult& one) { return !one.hidden && has_failed(one.status); });
  if (first == results.end() || first->status != Status::wrong) return "";
  const bool is_told = std::ranges::any_of(results, [&](const CaseResult& one) {
    return one.op == first->op && has_failed(one.status) && tells_cause(one);
  });
  return is_told ? "" : first->op;
}

}  // namespace convkit
