// SPDX-License-Identifier: MIT
// Looks for one small change to a submission with which a function passes all its visible cases:
// automated program repair by mutation. What it finds is a fact, and mostly the cause.
#pragma once

#include "grade/mend/change_search.h"

namespace convkit {

// For each function with a wrong output, those without a known mistake first: tries the mutants
// (repair/mutants.h) of its task's file and of the folder's headers, then of the other files, the
// likely ones first. One with which all visible cases of the function pass is told in the message
// of the first that fails. A short search is for function_untold() alone.
ChangeSearch look_for_one_change;

}  // namespace convkit
