// SPDX-License-Identifier: MIT
// The words for a run that did not come back with an output, or with a report of a sanitizer.
#pragma once

#include <filesystem>
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

// `check --sanitize`: runs under AddressSanitizer and UndefinedBehaviorSanitizer, and turns their
// report into the student's line.
//
// Switches a session to the sanitized runner: unconfined (the sanitizers need /proc, address space
// and symbolizers), for the student's own machine only.
void use_sanitizers(SessionOptions& options, const std::filesystem::path& runner);

// Where the submission printed a sanitizer's report: status CRASHED and a message such as
// "heap-buffer-overflow at conv2d.cpp:14 in conv2d_forward".
void explain_sanitizer(CaseResult& result, const std::filesystem::path& folder);

}  // namespace convkit
