// SPDX-License-Identifier: MIT
#include "cli/case_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "convkit/kit_error.h"
#include "convkit/nearest.h"

namespace convkit {

std::string no_such_case(const Stage& stage, const std::string& typed,
                         const std::vector<std::string>& names) {
  std::string sentence = fmt::format("{} has no case `{}`. ", stage.id, typed);
  const std::string near = nearest(typed, names);
  if (!near.empty()) return sentence + fmt::format("Did you mean `{}`?", near);
  const std::vector<std::string> alike = nearest_beginnings(typed, names);
  if (alike.size() == 1) return sentence + fmt::format("Did you mean `{}`?", alike.front());
  if (alike.empty()) return sentence + fmt::format("Cases: {}.", fmt::join(names, ", "));
  return sentence + fmt::format("Cases that begin like it: {}.", fmt::join(alike, ", "));
}

std::vector<CaseSpec> visible_cases(const Kit& kit, const Stage& stage,
                                    const std::vector<std::string>& names) {
  std::vector<CaseSpec> cases = load_cases(kit.visible_cases(stage), stage);
  if (names.empty()) return cases;
  std::vector<CaseSpec> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(cases, name, &CaseSpec::name);
    if (found == cases.end()) {
      std::vector<std::string> all;
      for (const CaseSpec& spec : cases) all.push_back(spec.name);
      throw UsageError(no_such_case(stage, name, all));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace convkit
