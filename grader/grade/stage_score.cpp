// SPDX-License-Identifier: MIT
#include "grade/stage_score.h"

#include <fmt/format.h>

#include <algorithm>

namespace convkit {

void score(const Stage& stage, StageResult& result) {
  result.points = result.pending_points = 0;
  result.groups.clear();
  for (const Group& group : stage.groups) {
    GroupResult scored{group.name, group.title, 0, 0, 0, group.points};
    unsigned open = 0;
    for (const CaseResult& c : result.cases) {
      if (c.group != group.name) continue;
      ++scored.total;
      scored.passed += c.status == Status::pass;
      open += !is_judged(c.status);
    }
    if (scored.total == 0) continue;
    scored.points = group.points * scored.passed / scored.total;
    result.points += scored.points;
    result.pending_points += group.points * open / scored.total;
    result.groups.push_back(std::move(scored));
  }
  for (const SpeedResult& s : result.speed) {
    result.points += s.points;
    result.pending_points += s.pending_points;
  }
}

std::string summary_of(const std::vector<CaseResult>& cases) {
  static constexpr std::pair<Status, const char*> kWords[] = {
      {Status::wrong, "wrong"},
      {Status::crashed, "crashed"},
      {Status::timed_out, "timed out"},
      {Status::limit, "went over a limit"},
      {Status::policy, "broke a rule"},
      {Status::build_failed, "not built"},
      {Status::not_started, "not started"},
      {Status::skipped, "skipped"},
      {Status::pending, "pending"},
      {Status::grader_error, "not judged because of a fault in the kit"}};
  const auto count = [&](Status status) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const CaseResult& c) { return c.status == status; });
  };
  std::string text = fmt::format("{} of {} {}", count(Status::pass), cases.size(),
                                 cases.size() == 1 ? "case passes" : "cases pass");
  const char* separator = ": ";
  for (const auto& [status, word] : kWords) {
    if (count(status) == 0) continue;
    text += fmt::format("{}{} {}", separator, count(status), word);
    separator = ", ";
  }
  return text + ".";
}

}  // namespace convkit
