// SPDX-License-Identifier: MIT
// Calls of a student's functions that nobody judges.
#pragma once

#include <string>

#include "session/session.h"
#include "stage/cases.h"
#include "stage/stage.h"

namespace convkit {

// Calls the function of a visible case with the case's inputs. Returns what went wrong, in words,
// or
// "". Throws KitError where the case's files are damaged.
std::string call_case(Session& session, const Stage& stage, const CaseSpec& spec);

}  // namespace convkit
