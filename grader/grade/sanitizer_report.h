// SPDX-License-Identifier: MIT
// `check --sanitize`: runs under AddressSanitizer and UndefinedBehaviorSanitizer, and turns their
// report into the student's line.
#pragma once

#include <filesystem>

#include "report/result.h"
#include "session/session.h"

namespace convkit {

// Switches a session to the sanitized runner: unconfined (the sanitizers need /proc, address space
// and symbolizers), for the student's own machine only.
void use_sanitizers(SessionOptions& options, const std::filesystem::path& runner);

// Where the submission printed a sanitizer's report: status CRASHED and a message such as
// "heap-buffer-overflow at conv2d.cpp:14 in conv2d_forward".
void explain_sanitizer(CaseResult& result, const std::filesystem::path& folder);

}  // namespace convkit
