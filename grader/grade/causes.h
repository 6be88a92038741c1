// SPDX-License-Identifier: MIT
// What the cases of a function say together about the cause of their failure.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "grade/case.h"
#include "report/result.h"

namespace convkit {

// Each failing case has its own guesses (compare/symptoms.h). One that the other failing cases of
// the function contradict is dropped, and of several the one that explains most cases is told: in
// `message`, `hint` and `mistake`. A relation of values must hold in all cases; a model, which
// explains every element of an output, in half of them or in two, as there may be more than one
// mistake. Of those that explain as many, the one is told that would show in fewest of the cases
// that passed. Hidden cases neither support nor contradict, and keep what they say.
//
// `trial_of` makes the first trial of the case with this index, to look at its references.
using TrialOf = std::function<std::unique_ptr<Trial>(size_t index)>;
void agree_on_causes(std::span<CaseResult> cases, const TrialOf& trial_of);

// Drops the guesses at a wrong output that say something else of the grid than what check mode has
// seen in a case of the function; `kind`: of its report, or "". If the mistake told was one of
// them, `message`, `hint` and `mistake` say what was seen instead. Whether anything was dropped.
bool drop_what_grid_contradicts(const std::string& kind, CaseResult& result);

}  // namespace convkit
