// SPDX-License-Identifier: MIT
// Judges the answers and losses of a training, which the grader counts.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "grade/training/evidence.h"
#include "report/result.h"

namespace convkit {

// The requirement for all runs together.
struct TrainingDemand {
  double accuracy = 0;  // least share of right answers, on average over the runs
  unsigned seeds = 1;
  std::string data;  // "MNIST", "synthetic digits"
};

// Makes a training WRONG. False, for the judge to return.
bool refuse(CaseResult& result, const char* mistake, std::string message, std::string hint);

// Losses that are not numbers: no run after it can help. False, and the words in `result`.
bool judge_losses(const TrainingRun& run, std::string_view op, CaseResult& result);
// Answers that are missing or no class: the same.
bool judge_answers(const TrainingRun& run, std::string_view op, CaseResult& result);
// All runs, each of which passed the two above. On success `message` says the accuracy.
bool judge_training(std::span<const TrainingRun> runs, const TrainingDemand& demand,
                    CaseResult& result);

}  // namespace convkit
