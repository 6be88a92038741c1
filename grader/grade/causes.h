// SPDX-License-Identifier: MIT
// What the cases of a function say together about the cause of their failure.
#pragma once

#include <span>

#include "report/result.h"

namespace convkit {

// Each failing case has its own guesses (compare/symptoms.h). One that the other failing cases of
// the function contradict is dropped, and of several the one that explains most cases is told: in
// `message`, `hint` and `mistake`. A relation of values must hold in all cases; a model, which
// explains every element of an output, in half of them or in two, as there may be more than one
// mistake. Hidden cases neither support nor contradict, and keep what they say.
void agree_on_causes(std::span<CaseResult> cases);

}  // namespace convkit
