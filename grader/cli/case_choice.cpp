// SPDX-License-Identifier: MIT
#include "cli/case_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "convkit/kit_error.h"
#include "convkit/nearest.h"

namespace convkit {
namespace {

// "01.3" -> "1.3"
std::string without_zeros(const std::string& id) {
  return id.substr(std::min(id.find_first_not_of('0'), id.size()));
}

std::string task_named(const Stage& stage, const std::string& typed) {
  std::vector<std::string> ids;
  for (const Task& task : stage.tasks) {
    const bool is = task.id == typed || without_zeros(task.id) == without_zeros(typed) ||
                    task.id.substr(task.id.find('.') + 1) == typed;
    if (is) return task.id;
    ids.push_back(task.id);
  }
  throw UsageError(
      fmt::format("{} has no task `{}`. Tasks: {}.", stage.id, typed, fmt::join(ids, ", ")));
}

std::string group_named(const Stage& stage, const std::string& typed) {
  std::vector<std::string> names;
  for (const Group& group : stage.groups) {
    if (group.name == typed || group.title == typed) return group.name;
    names.push_back(group.name);
  }
  const std::string near = nearest(typed, names);
  throw UsageError(fmt::format("{} has no group `{}`.{} Groups: {}.", stage.id, typed,
                               near.empty() ? "" : fmt::format(" Did you mean `{}`?", near),
                               fmt::join(names, ", ")));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

CaseChoice completed(const Stage& stage, CaseChoice choice) {
  if (!choice.task.empty()) choice.task = task_named(stage, choice.task);
  if (!choice.group.empty()) choice.group = group_named(stage, choice.group);
  return choice;
}

std::function<bool(const CaseHead&)> wanted_by(const CaseChoice& choice) {
  return [choice](const CaseHead& head) {
    return (choice.cases.empty() || has(choice.cases, head.name)) &&
           (choice.task.empty() || head.task == choice.task) &&
           (choice.group.empty() || head.group == choice.group);
  };
}

void must_choose_some(const Stage& stage, const CaseChoice& choice,
                      const std::vector<CaseHead>& all) {
  const std::vector<std::string> names = names_of(all);
  for (const std::string& name : choice.cases) {
    if (!has(names, name)) throw UsageError(no_such_case(stage, name, names));
  }
  if (std::ranges::any_of(all, wanted_by(choice))) return;
  std::vector<std::string> asked;
  if (!choice.cases.empty()) asked.push_back(fmt::format("{}", fmt::join(choice.cases, " or ")));
  if (!choice.task.empty()) asked.push_back("of task " + choice.task);
  if (!choice.group.empty()) asked.push_back("in group " + choice.group);
  throw UsageError(fmt::format("No case of {} is {}.", stage.id, fmt::join(asked, " and ")));
}

std::vector<std::string> names_of(const std::vector<CaseHead>& cases) {
  std::vector<std::string> names;
  for (const CaseHead& head : cases) names.push_back(head.name);
  return names;
}

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
