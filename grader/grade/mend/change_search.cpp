// SPDX-License-Identifier: MIT
#include "grade/mend/change_search.h"

#include <algorithm>

namespace convkit {
namespace {

// What stands for advice where a report knows nothing but the place.
bool is_plain(const std::string& hint) {
  const auto begins = [&](const char* words) { return hint.starts_with(words); };
  return begins("Compare the index with ") || begins("Check the pointer that ") ||
         begins("An index ") || begins("Run `convkit check ");
}

// The report says where, and nothing else.
bool tells_place_alone(const CaseResult& one) {
  return is_access(one) && !one.explained && is_plain(one.hint);
}

}  // namespace

bool is_access(const CaseResult& one) {
  if (one.by_device) return one.mistake.starts_with("out_of_bounds");
  const auto says = [&](const char* words) { return one.message.find(words) != std::string::npos; };
  return one.status == Status::crashed &&
         (says(" before the beginning of ") || says(" past the end of ") ||
          says(" memory that it does not own"));
}

bool tells_cause(const CaseResult& one) {
  const bool is_known = one.explained && !one.mistake.empty();
  const bool is_seen = one.by_device && !tells_place_alone(one);
  return is_known || is_seen || !one.explanation.empty();
}

std::string function_untold(std::span<const CaseResult> results) {
  const auto first = std::ranges::find_if(
      results, [](const CaseResult& one) { return !one.hidden && has_failed(one.status); });
  if (first == results.end()) return "";
  if (first->status != Status::wrong && !tells_place_alone(*first)) return "";
  const auto fails = [&](const CaseResult& one) {
    return one.op == first->op && !one.hidden && has_failed(one.status);
  };
  // Of many accesses some are looked at.
  const bool is_access_told = std::ranges::any_of(results, [&](const CaseResult& one) {
    return fails(one) && one.explained && is_access(one);
  });
  std::ptrdiff_t told = 0, failing = 0;
  for (const CaseResult& one : results) {
    if (!fails(one)) continue;
    ++failing;
    told += tells_cause(one) || (is_access_told && is_access(one));
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
