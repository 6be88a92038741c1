// SPDX-License-Identifier: MIT
// What the answers and the losses of a training say, counted by the grader.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/result.h"

namespace convkit {

// One run: what it put out, and what was right.
struct TrainingRun {
  int64_t seed = 0;
  std::vector<float> losses;      // of each epoch
  std::vector<int32_t> answers;   // of each image held back
  std::vector<uint8_t> expected;  // their labels, as they were renamed for this run
  std::vector<uint8_t> original;  // as in the data set

  size_t right() const;
  double accuracy() const;
};

// What is asked of all runs together.
struct TrainingDemand {
  double accuracy = 0;  // least share of right answers, on average over the runs
  unsigned seeds = 1;
  std::string data;  // "MNIST", "synthetic digits"
};

// Losses that are not numbers: no run after it can help. False, and the words in `result`.
bool judge_losses(const TrainingRun& run, std::string_view op, CaseResult& result);
// Answers that are missing or no class: the same.
bool judge_answers(const TrainingRun& run, std::string_view op, CaseResult& result);
// All runs, each of which passed the two above. On success `message` says the accuracy.
bool judge_training(std::span<const TrainingRun> runs, const TrainingDemand& demand,
                    CaseResult& result);

}  // namespace convkit
