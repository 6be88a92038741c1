// SPDX-License-Identifier: MIT
// The [[training]] tables as cases: a submission trains on images drawn for it and answers for
// others, whose labels never leave the grader.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grade/case_runner.h"
#include "grade/training_draw.h"

namespace convkit {

struct TrainingCase {
  CaseSpec spec;  // without a file
  const TrainingTable* table = nullptr;
  std::string seed;
};

// The cases of a stage; of the hidden tables or of the others. `stage` must outlive them.
std::vector<TrainingCase> training_cases(const Stage& stage, const std::string& seed, bool hidden);

// Decided by what was handed in: the same files are given the same images every time, and a list
// of answers that is put into a source changes what is asked.
std::string seed_of_files(const std::filesystem::path& folder,
                          const std::vector<std::string>& files);

// The data sets that have been read.
class TrainingShelf {
 public:
  explicit TrainingShelf(std::filesystem::path root) : root_(std::move(root)) {}
  const TrainingData& of(Dataset dataset);
  // What is worth telling of a data set that was read since: that synthetic digits stand in for it.
  // Otherwise "".
  std::string take_note() { return std::exchange(note_, ""); }

 private:
  std::filesystem::path root_;
  std::map<Dataset, std::unique_ptr<TrainingData>> data_;
  std::string note_;
};

// `runner` calls the submission, and gives each call the case's time. Never throws for what a
// submission does; a fault of the kit becomes GRADER_ERROR.
CaseResult run_training(CaseRunner& runner, const TrainingCase& training,
                        const TrainingAmounts& amounts, TrainingShelf& shelf);

}  // namespace convkit
