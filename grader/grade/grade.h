// SPDX-License-Identifier: MIT
// Grades a whole submission.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grade/earlier_verdicts.h"
#include "grade/kit.h"
#include "grade/nonce.h"
#include "grade/progress.h"
#include "grade/stage_grader.h"
#include "report/result.h"

namespace convkit {

struct GradeOptions {
  std::vector<std::string> stages;  // ids; empty: every stage that the submission holds
  std::filesystem::path json;       // where the result is written while it grows; empty: nowhere
  // Go on from the journal beside `json`, if there is one.
  bool resume = false;
  // Where there is a speed to measure, end before: the journal stays, and `resume` measures it.
  bool speed_later = false;
  // Verdicts that still hold are taken from it. `nonce` must be its own.
  std::shared_ptr<const EarlierResult> earlier;
  // Repeat what this one drew. Empty: a new one is drawn when the submission has been read.
  Nonce nonce;
  StageOptions stage;
};

// Takes `submission` (a folder or an archive) in, finds its stages, builds and runs them side by
// side, then measures speed one stage at a time. A submission that cannot be read gives a Result
// with `error` set. What is known is in a journal beside `json` until the grading has ended. Throws
// KitError and UsageError only: UsageError where the nonce or the journal belongs to another
// grading.
Result grade(const Kit& kit, const std::filesystem::path& submission, const GradeOptions& options,
             Progress& progress);

// The head of a result: kit, time, device and sandbox of this machine.
Result new_result(const Kit& kit);

}  // namespace convkit
