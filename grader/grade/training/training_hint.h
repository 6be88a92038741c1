// SPDX-License-Identifier: MIT
// What to mend before a training that is wrong.
#pragma once

#include <vector>

#include "report/result.h"

namespace convkit {

// A training is made of functions that have cases of their own, and these have run before it: its
// hint begins with those that failed. Of hidden cases it says nothing, unless `reveal_hidden`.
void point_to_failing_functions(const std::vector<CaseResult>& cases, bool reveal_hidden,
                                CaseResult& training);

}  // namespace convkit
