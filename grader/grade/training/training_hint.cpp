// SPDX-License-Identifier: MIT
#include "grade/training/training_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace convkit {

void point_to_failing_functions(const std::vector<CaseResult>& cases, bool reveal_hidden,
                                CaseResult& training) {
  if (training.status != Status::wrong || (training.hidden && !reveal_hidden)) return;
  std::vector<std::string> names;
  for (const CaseResult& c : cases) {
    const bool not_told = c.op == training.op || (c.hidden && !reveal_hidden);
    if (!has_failed(c.status) || not_told) continue;
    if (std::ranges::find(names, c.op) == names.end()) names.push_back(c.op);
  }
  if (names.empty()) return;
  const std::string which =
      names.size() == 1 ? fmt::format("{} fails its own cases: fix that", names.front())
                        : fmt::format("{} fail their own cases: fix these", fmt::join(names, ", "));
  training.hint = which + " first." + (training.hint.empty() ? "" : " " + training.hint);
}

}  // namespace convkit
