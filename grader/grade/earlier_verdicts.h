// SPDX-License-Identifier: MIT
// Verdicts of an earlier result of the same submission that still hold: a case, a limit or a timing
// that has changed costs only what it concerns.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grade/nonce.h"
#include "report/result.h"
#include "stage/stage.h"

namespace convkit {

// Of one stage.
struct KeptVerdicts {
  std::set<std::string> functions;  // all of whose cases are kept
  std::vector<CaseResult> cases;    // theirs
  std::vector<SpeedResult> speed;
};

class EarlierResult {
 public:
  // Throws UsageError where `file` is not the result of a grading.
  explicit EarlierResult(const std::filesystem::path& file);
  ~EarlierResult();

  // What it drew, and which submission it is of.
  const Nonce& nonce() const;

  // `now`: submission, sandbox, choices and fingerprints of the grading that begins. The cases of a
  // function are judged together, as their cause is, so they are kept together:
  //   - where all that is behind them is as it was (grade/depends.h), and each has a verdict;
  //   - under a limit that is higher now only if all of them passed; under a lower one never;
  //   - a failed training, which points to functions that fail, only if those are kept, too.
  // A timing is kept where it has figures, and its table is as it was.
  KeptVerdicts kept(const Stage& stage, const Result& now) const;

 private:
  struct Document;
  std::unique_ptr<Document> document_;
};

}  // namespace convkit
