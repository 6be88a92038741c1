// SPDX-License-Identifier: MIT
// What a student is told behind the report of a check: a hint, or what to do next.
#pragma once

#include <string>

#include "grade/kit.h"
#include "report/result.h"

namespace convkit {

// One hint for the task, or for the first that does not pass: a step further than the last time,
// past those that the cases of `result` show to be done.
void give_hint(const Kit& kit, const Stage& stage, std::string task, const StageResult& result);

// What a check was asked for.
struct Asked {
  bool only_some = false;  // cases were chosen, so others may fail
  std::string mend;        // how small changes are tried here; "" where they need not be
};

// "Next: ...", a line for what to do after this result; "" where the report ends with that, as one
// of files that do not compile.
std::string next_step(const Stage& stage, const StageResult& result, const Asked& asked);

}  // namespace convkit
