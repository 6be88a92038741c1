// SPDX-License-Identifier: MIT
// The case that somebody named on the command line.
#pragma once

#include <string>
#include <vector>

#include "grade/kit.h"
#include "stage/cases.h"

namespace convkit {

// The message for a name that no case has: "02_direct_conv has no case `x`. Did you mean `a`?", or
// the cases that begin like it, or all there are.
std::string no_such_case(const Stage& stage, const std::string& typed,
                         const std::vector<std::string>& names);

// The visible cases with these names, in that order; all, if none is named. Throws UsageError.
std::vector<CaseSpec> visible_cases(const Kit& kit, const Stage& stage,
                                    const std::vector<std::string>& names);

}  // namespace convkit
