// SPDX-License-Identifier: MIT
// The words for a run that did not come back with an output.
#pragma once

#include <string>

#include "report/result.h"
#include "session/session.h"
#include "stage/stage.h"

namespace convkit {

struct Verdict {
  Status status = Status::crashed;
  std::string message;
  std::string hint;
};

// `elements` is the number of elements of the tensor that the flight record names (-1: unknown).
// `function` is what was called, or "" when the submission was still being loaded.
Verdict verdict_of(const Answer& answer, const Stage& stage, const std::string& called,
                   int64_t elements);

}  // namespace convkit
