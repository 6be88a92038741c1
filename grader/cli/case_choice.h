// SPDX-License-Identifier: MIT
// The visible cases that a command line names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grade/kit.h"
#include "stage/cases.h"

namespace convkit {

// What --case, --task and --group ask for. A case must be among `cases`, of the task and in the
// group, as far as these are given.
struct CaseChoice {
  std::vector<std::string> cases;
  std::string task, group;

  bool any() const { return !cases.empty() || !task.empty() || !group.empty(); }
};

// With the task's id ("1.3" and "3" mean "01.3") and the group's name (its title will do) as the
// stage has them. Throws UsageError saying what there is.
CaseChoice completed(const Stage& stage, CaseChoice choice);

// Of a completed choice that is not empty.
std::function<bool(const CaseHead&)> wanted_by(const CaseChoice& choice);

// Throws UsageError where `all` lacks a case that is named, or where no case is chosen.
void must_choose_some(const Stage& stage, const CaseChoice& choice,
                      const std::vector<CaseHead>& all);

std::vector<std::string> names_of(const std::vector<CaseHead>& cases);

// The message for a name that no case has: "02_direct_conv has no case `x`. Did you mean `a`?", or
// the cases that begin like it, or all there are.
std::string no_such_case(const Stage& stage, const std::string& typed,
                         const std::vector<std::string>& names);

// The visible cases with these names, in that order; all, if none is named. Throws UsageError.
std::vector<CaseSpec> visible_cases(const Kit& kit, const Stage& stage,
                                    const std::vector<std::string>& names);

}  // namespace convkit
