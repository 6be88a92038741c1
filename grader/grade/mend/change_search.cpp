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
  std::ptrdiff_t told = 0, failing = 0;
  for (const CaseResult& one : results) {
    if (one.op != first->op || one.hidden || !has_failed(one.status)) continue;
    ++failing;
    told += tells_cause(one);
  }
  const bool is_told = 2 * told >= failing;
  return is_told ? "" : first->op;
}

bool is_told_in_part(std::span<const CaseResult> results, const std::string& function) {
  return std::ranges::any_of(results, [&](const CaseResult& one) {
    return one.op == function && !one.hidden && has_failed(one.status) && tells_cause(one);
  });
}

}  // namespace convkit
