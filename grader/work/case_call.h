// SPDX-License-Identifier: MIT
// Calls of a student's functions that nobody judges.
#pragma once

#include <string>

#include "session/session.h"
#include "stage/cases.h"
#include "stage/stage.h"

namespace convkit {

// Calls the function of a visible case with the case's inputs. Throws KitError where the case's
// files are damaged.
Answer call_case(Session& session, const Stage& stage, const CaseSpec& spec);

// What went wrong, in words, or "".
std::string problem_of(const Answer& answer, const Stage& stage, const CaseSpec& spec);

}  // namespace convkit
